"""`goldproof compare`: compare score files from anywhere."""

from goldproof.cli.command import Call, command
from goldproof.cli.help import examples
from goldproof.cli.output import StudyOutput
from goldproof.study import compare as compare_scores


@examples(
    ("Compare two systems by their scores per question.", "goldproof compare new.csv old.csv"),
    (
        "Compare three with one baseline, and fail a build if one is worse.",
        "goldproof compare a.csv b.csv base=old.csv --baseline base --fail-if 'faithfulness worse'",
    ),
)
@command(compare_scores)
def compare(call: Call, output: StudyOutput) -> None:
    """Test which system is better, from per-question scores of any tool.

    Each file is compared with the last one (or --baseline): difference, interval, and a paired test corrected for the
    number of comparisons.
    """
    output.check_junit(call.paths())
    with output.claimed() as folder:
        output.deliver_study(call(compare_scores), folder, suite=call.command)

"""`goldproof compare`: compare score files from anywhere."""

from goldproof.cli.command import Call, command
from goldproof.cli.output import StudyOutput
from goldproof.study import compare as compare_scores


@command(compare_scores)
def compare(call: Call, output: StudyOutput) -> None:
    """Compare score files from anywhere: A minus B (each with the last), with intervals and corrected paired tests."""
    output.check_junit(call.paths())
    with output.claimed() as folder:
        output.deliver_study(call(compare_scores), folder, suite=call.command)

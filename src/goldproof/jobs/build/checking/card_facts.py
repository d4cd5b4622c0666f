"""What the card says of a benchmark, held against its files, as far as it can be known from them.

    samples, answerable, unanswerable      the lines of the benchmark
    `<source>: used`                       the samples of that dataset; of all sources together, all samples
    `answer in gold documents: <verdict>`  `answer_in_gold` of the answerable samples
    quotas, difficulty, unanswerable       the targets in distribution.json
    name and seed                          the head of report.md

Documents are counted where the corpus is read. All else on the card is about the way from the sources to the benchmark
(their hashes, licences and revisions; the records read, usable, dropped, left out and rejected; the other settings; the
version of Goldproof): that cannot be checked without them, only by building again.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from goldproof.errors import InputError
from goldproof.io.storage.cards import CARD_NAME
from goldproof.io.text_files import read_head
from goldproof.jobs.build.output.distribution_report import REPORT
from goldproof.jobs.build.recipes.recipe import Quota, Recipe, Unanswerable
from goldproof.jobs.build.recipes.targets import distribution_targets

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from goldproof.jobs.build.checking.problems import Problems
    from goldproof.jobs.build.output.distribution import Targets
    from goldproof.jobs.build.sample import Sample
    from goldproof.records.entities import Card

_LABELS = {"samples": "samples", "answerable": "answerable", "unanswerable": "unanswerable samples"}
_USED = ": used"
_VERDICT = "answer in gold documents: "


def sample_counts(sample: Sample) -> Iterator[str]:
    """Yield the counts of the card in which a sample has its part."""
    yield "samples"
    yield "answerable" if sample.answerable else "unanswerable"
    yield f"{sample.source_dataset}{_USED}"
    if sample.answerable and "answer_in_gold" in sample.metadata:
        yield f"{_VERDICT}{sample.metadata['answer_in_gold']}"


def check_counts(name: str, found: Mapping[str, int], *, card: Card, problems: Problems) -> None:
    """Report the counts of the card that are not those of the benchmark called `name`."""
    for what, label in _LABELS.items():
        if card.counts.get(what) != found.get(what, 0):
            problems.add(name, f"holds {found.get(what, 0)} {label}, but the card says {card.counts.get(what)}.")
    verdicts = [what for what in dict.fromkeys((*card.counts, *found)) if what.startswith(_VERDICT)]
    used = [what for what in found if what.endswith(_USED) and what in card.counts]
    for what in (*verdicts, *used):
        if card.counts.get(what, 0) != found.get(what, 0):
            said = f"says {card.counts.get(what, 0)} for {what!r}, but the benchmark makes it {found.get(what, 0)}."
            problems.add(CARD_NAME, said)
    _check_used(card.counts, found, problems)


def _check_used(counts: Mapping[str, object], found: Mapping[str, int], problems: Problems) -> None:
    """Compare the sum: a source that is read twice, or has a name of its own, is not told by its samples alone."""
    used = [value for what, value in counts.items() if what.endswith(_USED) and isinstance(value, int)]
    if sum(used) != found.get("samples", 0):
        said = f"counts {sum(used)} samples used, over all sources, but the benchmark holds {found.get('samples', 0)}."
        problems.add(CARD_NAME, said)


def card_targets(card: Card, problems: Problems) -> Targets | None:
    """Return the targets that the settings make, or report that they make none."""
    settings: Mapping[str, Any] = card.settings
    try:
        unanswerable = settings["unanswerable"]
        recipe = Recipe(
            name="",
            sources=(),
            quotas=tuple(Quota(one["doc_type"], one["total"], one["question_types"]) for one in settings["quotas"]),
            difficulty=None if settings["difficulty"] is None else _shares(settings["difficulty"]),
            unanswerable=Unanswerable(Fraction(unanswerable["share"]), _shares(unanswerable["methods"])),
        )
        return distribution_targets(recipe)
    except (AttributeError, KeyError, TypeError, ValueError, ZeroDivisionError, InputError):
        problems.add(CARD_NAME, "has settings without the quotas, difficulty and unanswerable of a recipe.")
        return None


def _shares(found: Mapping[str, str]) -> dict[str, Fraction]:
    return {name: Fraction(share) for name, share in found.items()}


def check_report(folder: Path, *, card: Card, problems: Problems) -> None:
    """Report where name or seed of the card are not those in the head of the report."""
    if REPORT not in card.outputs or not (folder / REPORT).is_file():  # said where the hashes are checked
        return
    try:
        lines = read_head(folder / REPORT, size=1 << 12).decode("utf-8", "replace").splitlines()
    except InputError as error:
        problems.add_error(REPORT, error)
        return
    for number, end in ((1, f"# {card.settings.get('name')}"), (3, f"; seed {card.seed}.")):
        line = lines[number - 1] if number <= len(lines) else ""
        if not line.endswith(end):
            problems.add(REPORT, f"says {line!r}, expected it to end with {end!r}, as the card has it.", line=number)

"""People as judge: labels from annotation files (`goldproof.judge.annotations`).

The scale is the shortest that holds all values (yes-no, 0-2, 0-4, 0-10), or the one that is given: a file in which
nobody happened to give a 2 still has a scale. Several annotators of one pair are votes: majority or median, as for
models (`goldproof.judge.voting`), and disagreement is counted. A pair that nobody annotated: abstained. Annotations are
of single documents, so several together are not judged, and there is no evidence: a person's word is the evidence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from goldproof.core.errors import FileFormatError, InputError
from goldproof.core.spec_options import check_options
from goldproof.io.cards import sha256_file
from goldproof.judge.annotations import read_annotations
from goldproof.judge.judge import GRADES_2, GRADES_4, GRADES_10, YES_NO
from goldproof.judge.opinions import Opinion
from goldproof.judge.ruling import Ruling, Vote
from goldproof.judge.spec import scale_of
from goldproof.judge.voting import ruling_of
from goldproof.llm.ask import Estimate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from goldproof.core.records import Document, Question
    from goldproof.judge.annotations import Annotation, Annotations
    from goldproof.judge.judge import Scale

_BY_LENGTH: Final = (YES_NO, GRADES_2, GRADES_4, GRADES_10)
_NO_SETS: Final = "annotations are of single documents; whether several suffice together they do not say."
_EXPECTED: Final = "Give the scale with #scale=0-10, or correct the value."


class HumanJudge:
    """Says what annotators said."""

    concurrency = 1

    def __init__(self, annotations: Annotations, *, scale: Scale | None = None) -> None:
        self._annotations = annotations
        self.scale = _scale(annotations, scale)
        digest = sha256_file(annotations.path)[:16]
        self.key = f"human:{annotations.path.name} (file {digest}) scale={self.scale.name}"

    @property
    def counts(self) -> dict[str, int]:
        """Pairs and annotations; contested: pairs on which annotators disagree; left out and replaced rows."""
        given = self._annotations.pairs.values()
        return {
            "pairs": len(given),
            "annotations": sum(len(each) for each in given),
            "several": sum(len(each) > 1 for each in given),
            "contested": sum(len({one.value for one in each}) > 1 for each in given),
            "left_out": self._annotations.left_out,
            "replaced": self._annotations.replaced,
        }

    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:
        """Look the pair up."""
        if len(documents) != 1:
            return Ruling("abstained", reason=_NO_SETS)
        given = self._annotations.pairs.get((question.id, documents[0].id))
        if given is None:
            return Ruling("abstained", reason="nobody annotated this pair.")
        return ruling_of([self._opinion(each) for each in given], scale=self.scale)

    def estimate(self, question: Question, documents: Sequence[Document]) -> Estimate:  # noqa: ARG002 - it costs nothing
        """Return nothing: no model is asked."""
        return Estimate()

    def why_not_sets(self, question: Question) -> str | None:
        """Return why: people labelled single documents."""
        return f"question {question.id}: {_NO_SETS}"

    def _opinion(self, annotation: Annotation) -> Opinion:
        yes = annotation.value if isinstance(annotation.value, bool) else annotation.value >= self.scale.yes_from
        grade = None if self.scale is YES_NO else int(annotation.value)
        return Opinion(Vote(annotation.by, "yes" if yes else "no", grade))


def _scale(annotations: Annotations, given: Scale | None) -> Scale:
    """Return the scale of all values; yes or no beside grades, and grades beyond the scale, are errors."""
    every = [each for listed in annotations.pairs.values() for each in listed]
    words = [each for each in every if isinstance(each.value, bool)]
    grades = [each for each in every if not isinstance(each.value, bool)]
    highest = max(grades, key=lambda each: each.value, default=None)
    found = next((scale for scale in _BY_LENGTH if highest is None or highest.value <= scale.most), None)
    scale = given or found
    if highest is not None and (scale is None or highest.value > scale.most):
        named = scale.name if scale else "0-10, the longest"
        raise FileFormatError(
            annotations.path, f"grade {highest.value} is not on the scale {named}.", line=highest.line, hint=_EXPECTED
        )
    if words and scale is not YES_NO:
        raise FileFormatError(
            annotations.path, "says yes or no, where other rows have grades.", line=words[0].line, hint=_EXPECTED
        )
    _refuse_contradictions(grades, scale or YES_NO, path=annotations.path)
    return scale or YES_NO


def _refuse_contradictions(grades: Sequence[Annotation], scale: Scale, *, path: Path) -> None:
    """Refuse a grade and a label beside it of which only one can be meant; a grade in between fits either."""
    for one in grades:
        yes = one.says_yes
        if yes is not None and ((one.value == 0) if yes else (one.value >= scale.yes_from)):
            said = f"grade {one.value} and label {one.label!r} contradict each other on the scale {scale.name}."
            raise FileFormatError(path, said, line=one.line, hint="Keep the one that is meant.")


def human_judge(rest: str, options: Mapping[str, str]) -> HumanJudge:
    """Return the judge over the file that follows the colon."""
    check_options(options, ("scale",), of="the human judge")
    if not rest:
        raise InputError("human: names no file; expected human:FILE, such as human:labels.jsonl.")
    return HumanJudge(read_annotations(rest), scale=scale_of(options))

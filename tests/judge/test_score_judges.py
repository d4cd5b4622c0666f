from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from goldproof.errors import EmbeddingFailedError
from goldproof.judge import KeywordJudge, SimilarityJudge, open_judge
from goldproof.records.entities import Document, Question
from tests.judge.scripted import PARIS, QUESTION, ROME, rule

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from goldproof.embed.embedder import Purpose


@pytest.mark.parametrize(
    ("text", "label", "overlap"),
    [
        ("apples, pears and plums", "yes", "0.60"),  # 3 of 5
        ("apples and pears", "no", "0.40"),  # 2 of 5 is not above 0.4
        ("nothing", "no", "0.00"),
    ],
)
def test_keywords_are_relevant_above_four_tenths(text: str, label: str, overlap: str) -> None:
    question = Question("q", "What about apples, pears, plums, figs or dates?")
    ruling = rule(KeywordJudge(), Document("d", text), question=question)
    assert ruling.label == label
    assert ruling.reason == f"keyword overlap {overlap}, threshold 0.4: an automated score, not a proof."
    assert ruling.evidence == ()


def test_words_of_the_title_count_and_lacking_keywords_are_what_is_missing() -> None:
    ruling = rule(KeywordJudge(), Document("d", "no words", "Capital"))
    assert (ruling.label, ruling.missing) == ("yes", "france")  # 1 of 2


@pytest.mark.parametrize("text", ["", "What is it?", "???"])
def test_a_question_without_keywords_has_no_overlap(text: str) -> None:
    ruling = rule(KeywordJudge(), PARIS, question=Question("q", text))
    assert ruling.label == "abstained"
    assert "undefined" in ruling.reason


class Angles:
    """Embeds a text of digits at that angle, in degrees."""

    key = "angles-1"

    def __init__(self) -> None:
        self.embedded: list[tuple[str, str]] = []

    def embed(self, texts: Sequence[str], purpose: Purpose) -> npt.NDArray[np.float32]:
        self.embedded += [(text, purpose) for text in texts]
        if "bad" in texts:
            raise EmbeddingFailedError("no vector for 'bad'")
        angles = np.radians([float(text) for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


@pytest.mark.parametrize(("angle", "label", "cosine"), [("45", "yes", "0.707"), ("46", "no", "0.695")])
def test_similarity_is_relevant_above_seven_tenths(angle: str, label: str, cosine: str) -> None:
    ruling = rule(SimilarityJudge(Angles()), Document("d", angle), question=Question("q", "0"))
    assert ruling.label == label
    assert ruling.reason == f"cosine {cosine}, threshold 0.7: an automated score, not a proof."
    assert ruling.evidence == ()


def test_each_text_is_embedded_once_for_its_purpose() -> None:
    angles = Angles()
    by = SimilarityJudge(angles, least=0.5)
    for _ in range(3):
        for text in ("10", "20"):
            rule(by, Document("d", text), question=Question("q", "0"))
    assert sorted(angles.embedded) == [("0", "query"), ("10", "document"), ("20", "document")]


def test_what_cannot_be_embedded_is_undefined_or_failed() -> None:
    by = SimilarityJudge(Angles())
    assert rule(by, Document("d", " "), question=Question("q", "0")).label == "abstained"
    failed = rule(by, Document("d", "bad"), question=Question("q", "0"))
    assert (failed.label, failed.reason) == ("failed", "no vector for 'bad'")


@pytest.mark.parametrize("by", [KeywordJudge(), SimilarityJudge(Angles())], ids=["keyword", "similarity"])
def test_scores_are_called_scores_and_are_of_one_document(by: KeywordJudge | SimilarityJudge) -> None:
    assert by.key.endswith("(automated score)")
    assert by.why_not_sets(QUESTION)
    assert rule(by, PARIS, ROME).label == "abstained"
    assert by.estimate(QUESTION, [PARIS]).calls == 0


def test_what_an_embedder_costs_is_known_only_where_it_runs_here() -> None:
    specs = ("keyword", "similarity", "similarity:tests.judge.test_score_judges:Angles")
    assert [open_judge(spec).estimate(QUESTION, [PARIS]).cost for spec in specs] == [0.0, 0.0, None]


def test_minilm_puts_the_right_document_first_and_its_scores_below_seven_tenths() -> None:
    by = open_judge("similarity")
    cosines = [float(rule(by, each).reason.split()[1].rstrip(",")) for each in (PARIS, ROME)]
    assert cosines[0] > cosines[1]
    assert open_judge("similarity#least=-1").key != by.key
    assert rule(open_judge("similarity:minilm#least=-1"), ROME).label == "yes"

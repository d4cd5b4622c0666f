"""On real questions: gold documents hold the answer, random others do not."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

import orjson
import pytest

from goldproof.judge import find_answer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

pytestmark = pytest.mark.realdata


class Asked(NamedTuple):
    answer: str
    aliases: tuple[str, ...]
    gold: tuple[str, ...]


class Shares(NamedTuple):
    """Of the questions on which the rule does not abstain: found in a gold text, and in a random other text."""

    gold: float
    other: float
    decided: int


def shares(asked: Sequence[Asked], texts: Sequence[str]) -> Shares:
    rng = random.Random(20)
    found: list[bool] = []
    others: list[bool] = []
    for answer, aliases, gold in asked:
        findings = [find_answer(answer, text, aliases=aliases) for text in gold]
        if any(finding.verdict != "abstained" for finding in findings):
            found.append(any(finding.verdict == "present" for finding in findings))
            drawn = [text for text in rng.sample(texts, 10) if text not in gold]
            others += [find_answer(answer, text, aliases=aliases).verdict == "present" for text in drawn]
    return Shares(sum(found) / len(found), sum(others) / len(others), len(found))


def hotpotqa(folder: Path) -> tuple[list[Asked], list[str]]:
    asked: list[Asked] = []
    texts: list[str] = []
    for record in orjson.loads((folder / "hotpotqa_train.json").read_bytes()):
        passages = {title: f"{title}. {''.join(sentences)}" for title, sentences in record["context"]}
        gold = tuple(passages[title] for title, _ in record["supporting_facts"] if title in passages)
        asked.append(Asked(record["answer"], (), gold))
        texts += passages.values()
    return asked, texts


def musique(folder: Path) -> tuple[list[Asked], list[str]]:
    asked, texts = [], []
    for record in orjson.loads((folder / "musique_train.json").read_bytes()):
        passages = [(p["is_supporting"], f"{p['title']}. {p['paragraph_text']}") for p in record["paragraphs"]]
        gold = tuple(text for supporting, text in passages if supporting)
        asked.append(Asked(record["answer"], tuple(record["answer_aliases"]), gold))
        texts += [text for _, text in passages]
    return asked, texts


def tatqa(folder: Path) -> tuple[list[Asked], list[str]]:
    """Answers that are spans of the document: whole ones, and lists as datasets write them."""
    asked, texts = [], []
    for record in orjson.loads((folder / "tatqa_dataset_dev.json").read_bytes()):
        rows = [f"| {' | '.join(row)} |" for row in record["table"]["table"]]
        text = "\n".join([*rows, *(paragraph["text"] for paragraph in record["paragraphs"])])
        texts.append(text)
        for question in record["questions"]:
            if question["answer_type"] in ("span", "multi-span"):
                values = question["answer"]
                asked.append(Asked(str(values) if len(values) > 1 else str(values[0]), (), (text,)))
    return asked, texts


def test_hotpotqa_answers_stand_in_a_gold_passage_and_hardly_elsewhere(realdata: Path) -> None:
    found = shares(*hotpotqa(realdata / "multihop"))
    assert found.decided > 80  # the others are yes or no
    assert found.gold >= 0.97
    assert found.other <= 0.03


def test_musique_answers_stand_in_a_gold_passage_and_hardly_elsewhere(realdata: Path) -> None:
    found = shares(*musique(realdata / "multihop"))
    assert found.decided > 90
    assert found.gold >= 0.95
    assert found.other <= 0.03


def test_tatqa_spans_stand_in_their_document(realdata: Path) -> None:
    found = shares(*tatqa(realdata / "tatqa"))
    assert found.decided > 850
    assert found.gold >= 0.99
    # Many answers are years, which stand in most annual reports.
    assert found.other <= 0.2


def test_tatqa_figures_with_a_scale_are_found_under_their_heading(realdata: Path) -> None:
    asked: list[Asked] = []
    for record in orjson.loads((realdata / "tatqa" / "tatqa_dataset_dev.json").read_bytes()):
        rows = [f"| {' | '.join(row)} |" for row in record["table"]["table"]]
        text = "\n".join([*rows, *(paragraph["text"] for paragraph in record["paragraphs"])])
        asked += [
            Asked(f"{question['answer'][0]} {question['scale']}", (), (text,))
            for question in record["questions"]
            if question["answer_type"] == "span" and question["scale"] in ("thousand", "million", "billion")
        ]
    found = shares(asked, [text for one in asked for text in one.gold])
    assert found.gold >= 0.85  # some documents state their scale nowhere
    assert found.other <= 0.02

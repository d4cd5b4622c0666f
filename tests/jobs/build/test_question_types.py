"""Question types: the traps of each rule on questions of our own, and how often the rules agree with a person."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.jobs.build.question_types import TYPES, Classifier, by_rules, question_type
from tests.jobs.build.labelled_questions import FIRST, FRESH

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("question", "computation", "expected"),
    [
        ("What was the percentage change in revenue from 2019 to 2020?", None, "numeric"),
        ("What is the average net income for 2018 and 2019?", None, "numeric"),
        ("What was the exchange rate of the euro in 2019?", None, "lookup"),
        ("What were exchange gains in 2019?", None, "lookup"),
        ("What were total assets in 2019?", None, "lookup"),
        # The dataset's own word counts more than the words of the question, both ways.
        ("What were total assets in 2019?", True, "numeric"),
        ("What was the percentage increase in sales in 2019?", False, "lookup"),
        ("What is the difference between cash and debt in 2019?", None, "comparison"),
        ("What was the difference in sales versus 2018?", True, "comparison"),
        ("What is the percentage difference between 2018 and 2019?", True, "numeric"),
        ("In which year was net income higher?", None, "comparison"),
        ("Which segment had the largest percentage change?", None, "comparison"),
        ("Did revenue exceed costs in 2019?", None, "comparison"),
        ("How much higher was revenue than in 2018?", None, "comparison"),
        ("What was the highest dividend of the three years?", None, "comparison"),
        ("Which years does the table show?", None, "lookup"),
        ("Why did margins fall versus 2018?", None, "lookup"),
        ("What was the reason for the increase in costs?", None, "lookup"),
        ("How is the average price calculated?", None, "policy"),
        ("How does the company measure the change in fair value?", None, "policy"),
        ("What does working capital include?", None, "policy"),
        ("What is goodwill?", None, "policy"),
        ("When is revenue recognised?", None, "policy"),
        ("Which accounting standard applies to leases?", None, "policy"),
        ("Under which conditions are options granted?", None, "policy"),
        ("What accounting standard was adopted in 2018?", None, "policy"),
        ("Are there any conditions for the grant of shares?", None, "policy"),
        # Words of a rule in a question for a figure.
        ("What was the amount included in other assets in 2019?", None, "lookup"),
        ("What was revenue in 2019 based on the table?", None, "lookup"),
        ("How many shares were required to be issued?", None, "lookup"),
        ("What does the table show?", None, "lookup"),
    ],
)
def test_questions_about_tables(question: str, computation: bool | None, expected: str) -> None:
    assert question_type("table", question, computation=computation) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How do I register a blueprint?", "howto"),
        ("how to configure logging", "howto"),
        ("How does the parser handle an error?", "howto"),
        ("Implement a retry for the client", "howto"),
        ("What does the authenticate function return?", "definition"),
        ("What is a fixture?", "definition"),
        ("Why does the cache use a lock?", "definition"),
        ("Explain the prefix handling", "definition"),
        ("Where is the session opened?", "lookup"),
        ("Which file defines the router?", "lookup"),
        ("Where is the exception raised?", "lookup"),
        ("What is X, and how does it work?", "definition"),
        ("Where is X defined, and why?", "lookup"),
        ("TypeError when a session is created twice", "entity"),
        ("Why does the client raise a ConnectionError?", "entity"),
        ("Is there a bug when the file is closed?", "entity"),
        ("Unable to find the module", "entity"),
        ("Crash where the file is closed", "entity"),
        ("In which module is the router?", "lookup"),
        ("It is unclear how to install this", "howto"),
        ("Bug: the server crashes on start", "entity"),
        ("What causes the issue with nested routes?", "entity"),
        # Whole words: no bug in a debugger, no fix in a prefix, no how in a show.
        ("What is the debugger for?", "definition"),
        ("Support for tissue names in the prefix", "lookup"),
        ("Show the version", "lookup"),
    ],
)
def test_questions_about_code(question: str, expected: str) -> None:
    assert question_type("code_config", question, computation=None) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Are Alm and Berg both towns?", "comparison"),
        ("Which river is longer, the Alm or the Berg?", "comparison"),
        ("Who was born first, Ada or Bea?", "comparison"),
        ("What do Alm and Berg have in common?", "comparison"),
        ("How many people live in Alm?", "numeric"),
        ("What is the population of Alm?", "numeric"),
        ("What percentage of the vote did Ada win?", "numeric"),
        ("What was the number of failed blocks?", "numeric"),
        ("What is the port number of the client?", "lookup"),
        ("How do I reset the device?", "howto"),
        ("How to change the filter", "howto"),
        ("What is a mitochondrion?", "definition"),
        ("Why is the sky blue?", "definition"),
        ("What does ATM stand for?", "definition"),
        ("Who wrote the song?", "entity"),
        ("In which city was the author of the song born?", "entity"),
        ("What is the name of the river?", "entity"),
        ("When was the bridge opened?", "lookup"),
        ("In what year did the band, who came from Alm, form?", "lookup"),
        ("Where was the director born?", "lookup"),
        ("What is the capital of the country?", "lookup"),
        ("Showdown at the river was filmed where?", "lookup"),
    ],
)
@pytest.mark.parametrize("doc_type", ["clean_text", "log_ticket"])
def test_questions_about_text(doc_type: str, question: str, expected: str) -> None:
    assert question_type(doc_type, question, computation=None) == expected


@given(st.sampled_from(sorted(TYPES)), st.text(max_size=60), st.sampled_from([None, True, False]))
def test_any_text_gets_one_of_the_types_of_its_documents(
    doc_type: str, question: str, computation: bool | None
) -> None:
    classify: Classifier = by_rules
    assert classify(doc_type, question, computation) in TYPES[doc_type]


@given(st.sampled_from(sorted(TYPES)), st.sampled_from([*FIRST, *FRESH]), st.sampled_from(["", " ", "\n  "]))
def test_case_and_blanks_do_not_matter(doc_type: str, word: str, blank: str) -> None:
    question = f"What is the percentage change in {word} from 2018 to 2019?"
    odd = blank + question.upper().replace(" ", f" {blank}") + blank
    assert question_type(doc_type, odd, computation=None) == question_type(doc_type, question, computation=None)


@pytest.mark.parametrize("doc_type", sorted(TYPES))
def test_what_stands_behind_the_first_thousand_characters_is_not_read(doc_type: str) -> None:
    # Words that open many patterns, a hundred thousand times: read to the end this would take minutes.
    start = "what total which how much did " * 34
    assert question_type(doc_type, start * 3000, computation=None) == question_type(doc_type, start, computation=None)


class Asked(NamedTuple):
    """A question of a dataset, and what the dataset says about computation."""

    doc_type: str
    question: str
    computation: bool | None = None
    answer: str = ""


def real_questions(realdata: Path) -> dict[str, dict[str, Asked]]:
    """Every question of the real data by dataset and id."""
    found: dict[str, dict[str, Asked]] = {"swe_qa": {}}
    for name, file in {"t2_finqa": "FinQA_dev", "t2_tatdqa": "TAT-DQA_dev"}.items():
        frame = pl.read_parquet(realdata / "t2_ragbench" / f"{file}.parquet")
        rows = frame.select("id", "question", "original_answer").rows()
        # TAT-DQA writes an answer that stands in the document as a list, a computed one as a number.
        spoken = name == "t2_tatdqa"
        found[name] = {i: Asked("table", q, not str(a).startswith("[") if spoken else None, str(a)) for i, q, a in rows}
    documents = json.loads((realdata / "tatqa" / "tatqa_dataset_dev.json").read_text(encoding="utf-8"))
    found["tatqa"] = {
        one["uid"]: Asked("table", one["question"], one["answer_type"] in {"arithmetic", "count"}, str(one["answer"]))
        for document in documents
        for one in document["questions"]
    }
    for repository in ("flask", "pytest", "requests"):
        lines = (realdata / "swe_qa" / f"{repository}.jsonl").read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            found["swe_qa"][f"{repository}:{number}"] = Asked("code_config", json.loads(line)["question"])
    for name, key in {"hotpotqa": "_id", "musique": "id"}.items():
        records = json.loads((realdata / "multihop" / f"{name}_train.json").read_text(encoding="utf-8"))
        found[name] = {record[key]: Asked("clean_text", record["question"]) for record in records}
    return found


def type_of(asked: Asked) -> str:
    return question_type(asked.doc_type, asked.question, computation=asked.computation)


def agreement(labels: dict[str, dict[str, tuple[str, ...]]], realdata: Path) -> tuple[int, int]:
    asked = real_questions(realdata)
    pairs = [
        (label, type_of(asked[dataset][one]))
        for dataset, by_label in labels.items()
        for label, ids in by_label.items()
        for one in ids
    ]
    return sum(label == found for label, found in pairs), len(pairs)


@pytest.mark.realdata
def test_the_rules_agree_with_a_person_on_the_questions_they_were_made_with(realdata: Path) -> None:
    # 96%: wrong are two names taken for terms, and two questions that only the unseen program shows to be computed.
    assert agreement(FIRST, realdata) == (109, 113)


@pytest.mark.realdata
def test_the_rules_agree_with_a_person_on_fresh_questions(realdata: Path) -> None:
    # 92%, before and after the one rule that was mended by it.
    assert agreement(FRESH, realdata) == (70, 76)


@pytest.mark.realdata
def test_every_type_of_a_benchmark_has_a_pool_in_the_real_data(realdata: Path) -> None:
    asked = real_questions(realdata)
    tables = Counter(type_of(one) for name in ("t2_finqa", "t2_tatdqa", "tatqa") for one in asked[name].values())
    code = Counter(type_of(one) for one in asked["swe_qa"].values())
    assert all(tables[kind] >= 100 for kind in TYPES["table"]), tables
    assert all(code[kind] >= 15 for kind in TYPES["code_config"]), code


@pytest.mark.realdata
def test_the_answer_to_a_policy_question_is_words(realdata: Path) -> None:
    asked = real_questions(realdata)
    # Every answer of T2-RAGBench is a number.
    assert not [one for name in ("t2_finqa", "t2_tatdqa") for one in asked[name].values() if type_of(one) == "policy"]
    policies = [one for one in asked["tatqa"].values() if type_of(one) == "policy"]
    figures = [one for one in policies if re.fullmatch(r"[\W\d]*(?:million|billion|thousand|percent)?\W*", one.answer)]
    assert len(policies) > 100
    assert len(figures) <= 2

"""Does a question take arithmetic: words that are asked for against words that are labels."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import polars as pl
import pytest

from goldproof.jobs.build.question_types import needs_computation

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


@pytest.mark.parametrize(
    "question",
    [
        "What was the percentage change in revenue?",
        "What is the percent increase in sales from 2018 to 2019?",
        "What was the % change in gains?",
        "What percentage of total assets is cash?",
        "What share of revenue came from Europe?",
        "What was cash as a percentage of assets?",
        "What is the ratio of debt to equity?",
        "What was the growth rate of sales?",
        "What was the change in net income between 2018 and 2019?",
        "What is the increase / (decrease) in gross profit from 2018 to 2019?",
        "What was the year-over-year change in fees?",
        "What is the difference between the high and the low price?",
        "What is the average gross profit?",
        "What is the sum of cash and receivables?",
        "What were total fees for 2018 and 2019?",
        "What is the total of cash in 2018 to 2019?",
        "How many years did net income exceed $30 million?",
        "By how much did cash rise?",
        "How much did revenue grow from 2018 to 2019?",
        "If sales grew as in 2014, what would they be in 2015?",
    ],
)
def test_arithmetic_that_is_asked_for(question: str) -> None:
    assert needs_computation(question)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "What were total assets in 2019?",
        "What is the total revenue?",
        "What was the exchange rate in 2019?",
        "What is the name of the stock exchange?",
        "What was the weighted average price?",
        "What was the weighted-average rate in 2019?",
        "What was the average exchange rate in 2019?",
        "What were the share-based payments?",
        "What does the summary say?",
        "What was the reason for the increase in revenue?",
        "Why did the change in cash matter?",
        "How is the average price calculated?",
        "In which year was the percentage change larger?",
        "What caused the decrease in margin?",
        "How many employees are there?",
        "Where is the totalizer defined?",
    ],
)
def test_words_that_are_only_labels(question: str) -> None:
    assert not needs_computation(question)


def rates(pairs: Iterable[tuple[bool, bool]]) -> tuple[float, float]:
    """Precision and recall of (read off the question, said by the dataset)."""
    seen = list(pairs)
    both = sum(read and said for read, said in seen)
    return both / sum(read for read, _ in seen), both / sum(said for _, said in seen)


@pytest.mark.realdata
def test_the_reading_agrees_with_what_tatqa_says(realdata: Path) -> None:
    documents = json.loads((realdata / "tatqa" / "tatqa_dataset_dev.json").read_text(encoding="utf-8"))
    questions = [one for document in documents for one in document["questions"]]
    computed = {"arithmetic", "count"}
    precision, recall = rates((needs_computation(one["question"]), one["answer_type"] in computed) for one in questions)
    # 0.940 and 0.955 of 1668; the rest is mostly changes that the text states, and totals that it does not.
    assert precision > 0.93
    assert recall > 0.94


@pytest.mark.realdata
def test_the_reading_agrees_with_the_answers_of_tatdqa(realdata: Path) -> None:
    frame = pl.read_parquet(realdata / "t2_ragbench" / "TAT-DQA_dev.parquet")
    rows = frame.select("question", "original_answer").rows()
    precision, recall = rates((needs_computation(one), not str(answer).startswith("[")) for one, answer in rows)
    # 0.950 and 0.953 of 1142.
    assert precision > 0.94
    assert recall > 0.94

"""Results that have the id of their question: dropped as in BEIR where questions are documents, and said either way."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from goldproof import evaluate
from goldproof.jobs.evaluate import explain_question
from goldproof.jobs.evaluate.id_checks import without_identical_ids
from goldproof.records.tables import RankingTable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

TEXTS = {"a": "cats are good pets for small flats", "b": "dogs are better pets than cats", "c": "fish need water"}
DROPPED = (
    "run: 1 result was dropped because the document has the id of its question, as in BEIR "
    "(--no-ignore-identical-ids keeps them)."
)
# The question itself, then its counterargument: rank 2, or rank 1 once the question is dropped.
RUN = {"a": {"a": 9.0, "b": 8.0, "c": 7.0}}


def beir(
    folder: Path, *, query: str = TEXTS["a"], qrels: str = "a\tb\t1\n", corpus: bool = True, own: str = "a"
) -> Path:
    """A folder of three documents; `own` is the id of the question and of the first of them."""
    (folder / "qrels").mkdir(parents=True)
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + qrels)
    (folder / "queries.jsonl").write_text(json.dumps({"_id": own, "text": query}) + "\n")
    if corpus:
        named = {own if name == "a" else name: text for name, text in TEXTS.items()}
        lines = (json.dumps({"_id": name, "title": "pets", "text": text}) for name, text in named.items())
        (folder / "corpus.jsonl").write_text("\n".join(lines))
    return folder


def rank_of_b(
    judgments: object, *, ignore: bool | None = None, run: Mapping[str, object] = RUN
) -> tuple[float | None, list[str]]:
    """Return 1 / rank of the relevant document, and the remarks on identical ids."""
    result = evaluate(judgments, run, metrics="RR@10", ignore_identical_ids=ignore)
    said = [remark for remark in result.remarks if "id of the question" in remark or "id of its question" in remark]
    return result.study.summary("run", "RR@10").mean, said


def test_a_question_that_is_a_document_of_its_beir_folder_is_dropped_from_its_own_results(tmp_path: Path) -> None:
    assert rank_of_b(beir(tmp_path / "argu")) == (1.0, [DROPPED])


def test_without_a_corpus_the_id_decides(tmp_path: Path) -> None:
    assert rank_of_b(beir(tmp_path / "argu", corpus=False)) == (1.0, [DROPPED])


def test_query_7_and_document_7_are_not_the_same_because_they_are_numbered_alike(tmp_path: Path) -> None:
    run = {"7": {"7": 9.0, "b": 8.0, "c": 7.0}}
    mean, said = rank_of_b(beir(tmp_path / "x", query="which animal bites", qrels="7\tb\t1\n", own="7"), run=run)
    assert mean == 0.5
    assert said == [
        (
            "1 question has a result with the id of the question; it is kept, because the documents do not have the "
            "text of the questions. BEIR would drop it (--ignore-identical-ids)."
        )
    ]


def test_doc7_of_both_kinds_may_be_chance_too(tmp_path: Path) -> None:
    run = {"doc-7": {"doc-7": 9.0, "b": 8.0, "c": 7.0}}
    folder = beir(tmp_path / "x", query="which animal bites", qrels="doc-7\tb\t1\n", own="doc-7")
    assert rank_of_b(folder, run=run)[0] == 0.5


def test_numbered_alike_and_the_same_words_is_the_same(tmp_path: Path) -> None:
    run = {"7": {"7": 9.0, "b": 8.0, "c": 7.0}}
    assert rank_of_b(beir(tmp_path / "x", qrels="7\tb\t1\n", own="7"), run=run) == (1.0, [DROPPED])


def test_a_telling_id_decides_whatever_the_texts_say(tmp_path: Path) -> None:
    assert rank_of_b(beir(tmp_path / "x", query="which animal bites")) == (1.0, [DROPPED])


def test_a_document_that_is_judged_relevant_is_kept(tmp_path: Path) -> None:
    # The first result, a, is relevant: 1 / 1.
    mean, said = rank_of_b(beir(tmp_path / "x", qrels="a\ta\t1\n"))
    assert mean == 1.0
    assert len(said) == 1
    assert "for question 'a' that document is judged relevant" in said[0]


def test_judgments_outside_of_a_beir_folder_drop_nothing_unless_asked(tmp_path: Path) -> None:
    qrels = tmp_path / "x.qrels"
    qrels.write_text("a 0 b 1\n")
    assert rank_of_b(qrels) == (0.5, [])
    assert rank_of_b({"a": {"b": 1}}) == (0.5, [])
    assert rank_of_b({"a": {"b": 1}}, ignore=True) == (1.0, [DROPPED])


def test_they_can_be_kept(tmp_path: Path) -> None:
    assert rank_of_b(beir(tmp_path / "argu"), ignore=False) == (0.5, [])


def test_what_is_judged_stays_when_results_are_dropped(tmp_path: Path) -> None:
    # a and b are relevant, a is dropped from the results: 1 of 2 is found, as in BEIR.
    folder = beir(tmp_path / "x", qrels="a\ta\t1\na\tb\t1\n")
    result = evaluate(folder, RUN, metrics="R@10", ignore_identical_ids=True)
    assert result.study.summary("run", "R@10").mean == 0.5


def test_the_ranks_behind_it_close_up_before_the_cutoff(tmp_path: Path) -> None:
    # Only the first result is seen: a before, b after.
    result = evaluate(beir(tmp_path / "argu"), RUN, metrics="P@1", depth=1)
    assert result.study.summary("run", "P@1").mean == 1.0


def test_the_card_says_whether_they_were_dropped(tmp_path: Path) -> None:
    result = evaluate(beir(tmp_path / "argu"), RUN, metrics="RR@10")
    result.save(tmp_path / "out")
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    card = json.loads((tmp_path / "out" / "card.json").read_text())
    assert card["settings"]["ignore_identical_ids"] is True
    assert "identical_ids_dropped" in json.dumps(summary)


def test_files_retrievers_and_explain_follow_the_same_rule(tmp_path: Path) -> None:
    folder = beir(tmp_path / "argu")
    (tmp_path / "r.run").write_text("a Q0 a 1 9 t\na Q0 b 2 8 t\n")
    runs = {"run": tmp_path / "r.run"}
    assert evaluate(folder, runs=runs, metrics="RR@10").study.summary("run", "RR@10").mean == 1.0
    found = explain_question(folder, "a", runs=runs, metrics="RR@10")
    assert [document for document, _, _ in found.runs["run"].results] == ["b"]
    assert found.remarks == (
        (
            "run: document 'a' was dropped because it has the id of the question, as in BEIR "
            "(--no-ignore-identical-ids keeps it)."
        ),
    )
    retrieved = evaluate(folder, retrievers={"run": "bm25"}, metrics="RR@10")
    assert retrieved.study.summary("run", "RR@10").mean == 1.0
    assert DROPPED in retrieved.remarks


def test_a_question_that_loses_its_only_result_is_still_in_the_run() -> None:
    table = RankingTable.from_dict({"a": {"a": 1.0}, "b": {"a": 2.0, "b": 1.0}}, failed={"c": "timeout"})
    left = without_identical_ids(table)
    assert isinstance(left, RankingTable)
    assert left.to_dict() == {"a": {}, "b": {"a": 2.0}}
    assert left.failed == {"c": "timeout"}

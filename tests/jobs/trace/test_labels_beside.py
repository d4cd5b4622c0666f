"""Labels beside the trace: by document, by question and document; they win over labels inside."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import goldproof
from goldproof.errors import InputError
from tests.jobs.trace.conversations import talk

if TYPE_CHECKING:
    from pathlib import Path

C = talk("c", [("d1", None), ("d2", 1)], by="id")
E = talk("e", [("d1", None)], by="id", question_id="q9")


def facts(scored: goldproof.TraceResult) -> dict[str, Any]:
    runs: Any = scored.to_dict()["runs"]
    found: dict[str, Any] = runs["system"]
    return found


def gains(labels: object) -> list[float | None]:
    return goldproof.score_traces([C, E], labels=labels).conversations["CG"].to_list()


def test_by_document_a_label_holds_in_every_conversation() -> None:
    assert gains({"d1": 3}) == [3, 3]


def test_by_question_a_label_holds_where_the_question_is_asked() -> None:
    # c is known by its conversation id; e by the question id of its turn, and by nothing else
    assert gains({"c": {"d1": 3}, "q9": {"d1": 4}}) == [3, 4]
    assert gains({"c": {"d1": 3}, "e": {"d1": 4}}) == [3, None]


def test_a_result_without_an_id_is_known_by_its_url() -> None:
    trace = [talk("c", [("https://x.example/a?utm_source=f", None)])]
    assert goldproof.score_traces(trace, labels={"https://x.example/a?utm_source=f": 3}).mean("CG") == 3
    assert goldproof.score_traces(trace, labels={"https://x.example/a": 3}).mean("CG") == 3
    assert goldproof.score_traces(trace, labels={"https://x.example/b": 3}).mean("CG") is None


def test_an_id_goes_before_the_url() -> None:
    both: list[Any] = [{"id": "d", "url": "https://x.example/a"}]
    trace = [{"conversation_id": "c", "turns": [{"iterations": [{"searches": [{"results": both}]}]}]}]
    assert goldproof.score_traces(trace, labels={"d": 2, "https://x.example/a": 4}).mean("CG") == 2


def test_whole_numbers_as_ids_are_found_as_text() -> None:
    trace = [{"conversation_id": "c", "turns": [{"iterations": [{"searches": [{"results": [{"id": 7}]}]}]}]}]
    assert goldproof.score_traces(trace, labels={"7": 3}).mean("CG") == 3
    assert goldproof.score_traces(trace, labels={7: 3}).mean("CG") == 3


def test_labels_beside_win_and_how_many_they_overruled_is_said() -> None:
    # d1: 2 becomes 4, d2: 3 stays 3 (same label), d3: 4 has none beside and keeps its own: CG 2 + ... = 4 + 3 + 4
    trace = [talk("c", [("d1", 2), ("d2", 3), ("d3", 4)], by="id")]
    scored = goldproof.score_traces(trace, labels={"d1": 4, "d2": 3})
    assert scored.mean("CG") == 11
    assert facts(scored)["labels_overruled"] == 1
    assert any("1 label in the trace overruled" in remark for remark in scored.remarks)


def test_a_label_beside_may_take_a_good_result_away() -> None:
    scored = goldproof.score_traces([talk("c", [("d1", 4)], by="id")], labels={"d1": 0})
    assert scored.mean("CG") == 0
    assert scored.mean("IterationsForAllGoodResults") is None


def test_negative_grades_count_as_0_and_are_said() -> None:
    scored = goldproof.score_traces([talk("c", [("d1", 4), ("d2", 3)], by="id")], labels={"d1": -2, "d9": -1})
    assert scored.mean("CG") == 3
    assert any("2 negative grades counted as 0" in remark for remark in scored.remarks)


def test_the_first_label_wins_after_those_beside_are_looked_up() -> None:
    # one document under two ids, told apart by URL rules: the first has no label, the second gets one from beside
    results: list[Any] = [{"id": "a", "url": "https://x.example/p"}, {"id": "b", "url": "http://www.x.example/p/"}]
    trace = [{"conversation_id": "c", "turns": [{"iterations": [{"searches": [{"results": results}]}]}]}]
    scored = goldproof.score_traces(trace, labels={"b": 3})
    assert (scored.mean("CG"), scored.mean("SRR")) == (3, 0.5)
    torn = goldproof.score_traces(trace, labels={"a": 2, "b": 3})
    assert torn.mean("CG") == 2
    assert facts(torn)["label_conflicts"] == 1


def test_labels_for_nothing_in_the_trace_leave_gains_undefined() -> None:
    scored = goldproof.score_traces([E], labels={"elsewhere": 3})
    assert scored.mean("CG") is None
    assert any("no result has a label" in remark for remark in scored.remarks)


class Place(os.PathLike[str]):
    """A path that is no pathlib.Path."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __fspath__(self) -> str:
        return str(self.path)


def test_labels_come_from_files_and_frames_alike(tmp_path: Path) -> None:
    qrels, table = tmp_path / "qrels.txt", tmp_path / "labels.tsv"
    qrels.write_text("c 0 d1 3\nq9 0 d1 3\n")
    table.write_text("doc_id\tgain\nd1\t3\n")
    frame = pl.DataFrame({"doc_id": ["d1"], "gain": [3]})
    for labels in (qrels, str(qrels), table, frame, frame.lazy(), {"d1": 3}, Place(qrels)):
        assert gains(labels) == [3, 3], labels


def test_a_beir_folder_of_labels_is_read_and_its_result_saved(tmp_path: Path) -> None:
    beir = tmp_path / "beir"
    (beir / "qrels").mkdir(parents=True)
    (beir / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nc\td1\t3\n")
    (beir / "corpus.jsonl").write_text('{"_id": "d1", "title": "", "text": "x"}\n')
    (beir / "queries.jsonl").write_text('{"_id": "c", "text": "x"}\n')
    scored = goldproof.score_traces([C], labels=beir, metrics="CG,SRE", up_to=1)
    assert scored.mean("CG") == 3
    scored.save(tmp_path / "out")


@pytest.mark.parametrize("labels", [{"d1": 5}, {"d1": 1.5}, {"d1": None}, {"d1": 3, "c": {"d1": 3}}, [("d1", 3)], 3])
def test_other_scales_and_types_are_refused(labels: object) -> None:
    with pytest.raises(InputError, match="labels"):
        goldproof.score_traces([C], labels=labels)


def test_a_url_is_looked_up_in_the_normal_form_of_duplicates() -> None:
    trace = [
        {
            "conversation_id": "c",
            "turns": [
                {
                    "iterations": [
                        {
                            "searches": [
                                {
                                    "query": "q",
                                    "results": [
                                        {"url": "https://www.a.org/x/?utm_source=g"},
                                        {"id": "unknown", "url": "http://A.org/y"},
                                        {"url": "https://a.org/z"},
                                    ],
                                }
                            ]
                        }
                    ]
                }
            ],
        }
    ]
    labels = {"https://a.org/x": 3, "a.org/y": 2, "https://a.org/z?page=2": 4}
    # x: 3, y: 2; z?page=2 may be another page than z, so z has no label
    scored = goldproof.score_traces(trace, labels=labels)
    assert scored.mean("CG") == 5
    assert scored.conversations["unlabelled"][0] == 1
    assert goldproof.score_traces(trace, labels={"c": labels}).mean("CG") == 5


def test_comments_in_a_file_of_labels_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "labels.qrels"
    path.write_text("# by hand 3\nc 0 d1 3\n")
    result = goldproof.score_traces([C], labels=path)
    assert f"{path}: 1 line that begins with # is skipped as a comment: line 1." in result.remarks

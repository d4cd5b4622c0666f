"""LogQA: a question about a log message."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from goldproof.io.record_files import read_records
from goldproof.jobs.build.adapters.adapter import LocalSource, RecordPlace
from goldproof.jobs.build.adapters.logqa import ADAPTER, adapt
from goldproof.jobs.build.records import Dropped, Evidence, Example

FIXTURE = Path(__file__).parent / "fixtures" / "synthetic_logqa.jsonl"
HERE = RecordPlace(Path("qa.json.test"), 1)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
records = st.dictionaries(
    st.sampled_from(["Question", "Answer", "RawLog", "raw_log", "other"]), values | st.just("x 1")
)


def results() -> list[Example | Dropped]:
    read = ADAPTER.open(LocalSource(FIXTURE.parent, (FIXTURE,)))
    return [each for number, record in read_records(FIXTURE) for each in read(record, RecordPlace(FIXTURE, number))]


def test_every_record_becomes_an_example_or_a_reason() -> None:
    found = results()
    assert sum(isinstance(each, Example) for each in found) == 5
    assert [each.reason for each in found if isinstance(each, Dropped)] == [
        "no question",
        "no answer",
        "no log",
        "no log",
    ]


def test_the_first_record_exactly() -> None:
    first = results()[0]
    assert isinstance(first, Example)
    log = "Refused login for user carol from 192.0.2.7 port 4022"
    [document] = first.documents
    assert (first.question, first.answer) == ("Which user was refused?", "carol")
    assert (document.text, document.title) == (log, "")
    assert first.gold == (document.id,)
    assert first.evidence == (Evidence(document.id, 23, 28),)
    assert first.metadata == {"system": "", "log_lines": 1, "answer_in_log": True}


def test_the_same_message_is_one_document() -> None:
    first, second = results()[:2]
    assert isinstance(first, Example)
    assert isinstance(second, Example)
    assert first.documents == second.documents
    assert first.original_id != second.original_id


def test_lines_of_a_list_are_one_log_and_a_match_inside_a_number_is_no_evidence() -> None:
    found = results()[2]
    assert isinstance(found, Example)
    text = found.documents[0].text
    assert text == "Balancer: node 123 is full\nBalancer: moved 12 blocks to node 7"
    assert [text[span.start :] for span in found.evidence] == ["12 blocks to node 7"]


def test_an_answer_that_does_not_stand_in_the_log_has_no_evidence() -> None:
    found = results()[3]
    assert isinstance(found, Example)
    assert found.evidence == ()
    assert found.metadata["answer_in_log"] is False


def test_keys_are_taken_in_any_case_and_so_is_the_answer() -> None:
    found = results()[4]
    assert isinstance(found, Example)
    assert [found.documents[0].text[span.start : span.end] for span in found.evidence] == ["opened"]


def test_evidence_begins_and_ends_with_a_whole_word() -> None:
    [found] = adapt({"Question": "a?", "Answer": "12", "RawLog": "x12 312 123 =12, 12"}, HERE)
    assert isinstance(found, Example)
    assert [(span.start, span.end) for span in found.evidence] == [(13, 15)]


def test_the_folder_names_the_system() -> None:
    record = {"Question": "a?", "Answer": 5, "RawLog": "took 5 ms"}
    [found] = adapt(record, RecordPlace(Path("data/HDFS/qa.json.test"), 1))
    assert isinstance(found, Example)
    assert found.metadata["system"] == "HDFS"
    assert found.answer == "5"


@given(records)
def test_odd_records_never_raise(record: dict[str, object]) -> None:
    [found] = adapt(record, HERE)
    if isinstance(found, Example):
        [document] = found.documents
        assert all(0 <= span.start < span.end <= len(document.text) for span in found.evidence)
    else:
        assert found.reason

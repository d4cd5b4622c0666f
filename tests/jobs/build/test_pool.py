"""The pool on disk: order-independent, one version of a document for all, gone afterwards."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from goldproof.jobs.build.pool import Pool
from goldproof.jobs.build.records import Evidence, PooledSample, Sample
from goldproof.records.entities import Document

if TYPE_CHECKING:
    from pathlib import Path

SAMPLE = Sample(
    id="a:1",
    question="Who?",
    ground_truth="Ida",
    contexts=("one", "two"),
    context_ids=("d1", "d2"),
    doc_type="clean_text",
    question_type="entity",
    difficulty="D2",
    source_dataset="a",
    original_id="1",
    gold_documents=("d1", "d2"),
    kernels=(("d1", "d2"),),
    evidence=(Evidence("d1", 0, 3),),
    metadata={"n": 1, "nested": {"list": [1, None]}},
)
DOCUMENTS = (Document("d1", "one", "One", {"k": 1}), Document("d2", "two"), Document("named", ""))


def sample(number: int, **changes: object) -> Sample:
    return replace(SAMPLE, **{"id": f"a:{number}", **changes})  # type: ignore[arg-type]


def test_a_sample_comes_back_as_it_went_in_with_its_documents() -> None:
    with Pool(seed=1) as pool:
        pool.add(SAMPLE, DOCUMENTS, source="a", stratum="x")
        pool.finish_adding()
        assert list(pool.get(["a:1"])) == [PooledSample(SAMPLE, DOCUMENTS)]


def test_the_order_of_the_pool_depends_on_seed_and_ids_only() -> None:
    orders = []
    for numbers in (range(50), reversed(range(50))):
        with Pool(seed=3) as pool:
            for number in numbers:
                pool.add(sample(number), DOCUMENTS, source="a")
            pool.finish_adding()
            orders.append([entry.candidate.id for entry in pool.entries()])
    assert orders[0] == orders[1]
    assert orders[0] != sorted(orders[0])


@pytest.mark.parametrize("reverse", [False, True])
def test_of_two_samples_of_one_id_the_same_one_stays_in_any_order(reverse: bool) -> None:
    given = [sample(1, question="first"), sample(1, question="second")]
    with Pool(seed=1) as pool:
        for one in reversed(given) if reverse else given:
            pool.add(one, DOCUMENTS, source="a")
        pool.finish_adding()
        assert pool.sizes() == {"a": 1}
        kept = [entry.question for entry in pool.entries()]
    with Pool(seed=1) as other:
        for one in given:
            other.add(one, DOCUMENTS, source="a")
        other.finish_adding()
        assert [entry.question for entry in other.entries()] == kept


def test_the_longest_version_of_a_document_stands_in_the_benchmark() -> None:
    with Pool(seed=1) as pool:
        pool.add(sample(1), (Document("d1", "one"), Document("d2", "two")), source="a")
        pool.add(sample(2), (Document("d1", "one and more"), Document("d2", "two")), source="a")
        pool.finish_adding()
        assert [d.text for d in pool.get(["a:1"]).__next__().documents] == ["one", "two"]
        pool.choose(pool.get(["a:1"]))
        assert next(pool.chosen()).contexts == ("one and more", "two")
        assert [d.text for d in pool.corpus(everything=False)] == ["one and more", "two"]


def test_the_corpus_holds_the_documents_of_the_samples_or_every_one() -> None:
    with Pool(seed=1) as pool:
        pool.add(sample(1), DOCUMENTS, source="a")
        pool.add(sample(2), (Document("d9", "nine"),), source="a")
        pool.finish_adding()
        pool.choose(pool.get(["a:1"]))
        assert [d.id for d in pool.corpus(everything=False)] == ["d1", "d2", "named"]
        assert [d.id for d in pool.corpus(everything=True)] == ["d1", "d2", "d9", "named"]


def test_a_document_that_is_only_named_is_no_context() -> None:
    with Pool(seed=1) as pool:
        pool.add(SAMPLE, DOCUMENTS, source="a")
        pool.finish_adding()
        pool.choose(pool.get(["a:1"]))
        chosen = next(pool.chosen())
        assert chosen.context_ids == ("d1", "d2")
        assert next(d for d in pool.corpus(everything=False) if d.id == "named").text == ""


def test_the_scratch_file_leaves_no_trace_in_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SQLITE_TMPDIR", str(tmp_path))
    with Pool(seed=1) as pool:
        for number in range(2000):
            pool.add(sample(number), (Document(f"d{number}", "text " * 20_000),), source="a")
        pool.finish_adding()
        assert len(list(pool.entries())) == 2000
        assert list(tmp_path.iterdir()) == []


def test_the_longest_version_is_found_behind_a_nul_as_well() -> None:
    with Pool(seed=1) as pool:
        pool.add(sample(1), (Document("d", "abc"),), source="a")
        pool.add(sample(2), (Document("d", "a\0bcdefgh"),), source="a")
        pool.finish_adding()
        assert pool.best("d").text == "a\0bcdefgh"


def test_samples_of_the_benchmark_are_counted_by_source_unanswerables_by_their_origin() -> None:
    with Pool(seed=1) as pool:
        for number in range(4):
            pool.add(sample(number), DOCUMENTS, source=f"table-{number % 2}")
        pool.finish_adding()
        pool.choose(pool.get(["a:0", "a:1"]))
        pool.choose([PooledSample(sample(2, id="a:2:unanswerable"), DOCUMENTS)])
        assert pool.used() == {"table-0": 2, "table-1": 1}


def test_of_documents_that_are_only_named_the_answers_are_what_is_told() -> None:
    with Pool(seed=1) as pool:
        pool.add(SAMPLE, DOCUMENTS, source="a")
        pool.add(sample(2), DOCUMENTS[:2], source="a")
        pool.finish_adding()
        assert pool.named_only() == 1
        assert {(d.id, d.text) for d in pool.scan_documents()} == {("d1", "one"), ("d2", "two"), ("a:1", "Who?\nIda")}


def test_counting_does_without_the_contexts() -> None:
    with Pool(seed=1) as pool:
        pool.add(SAMPLE, DOCUMENTS, source="a")
        pool.finish_adding()
        pool.choose(pool.get(["a:1"]))
        (light,), (whole,) = pool.chosen(contexts=False), pool.chosen()
        assert (light.contexts, light.context_ids) == ((), ())
        assert replace(light, contexts=whole.contexts, context_ids=whole.context_ids) == whole


def test_a_pool_may_be_let_go_of_by_any_thread() -> None:
    # The garbage collector closes what is no longer used in whichever thread it happens to run.
    pool = Pool(seed=0)
    with ThreadPoolExecutor(max_workers=1) as threads:
        threads.submit(pool.close).result()

"""The two reference rankings: by words and by meaning, among what was stored and passes the filters."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.jobs.memory.analysis import reference_ranks as ranks_module
from goldproof.jobs.memory.analysis.reference_ranks import MOST_EMBEDDED, reference_ranks
from tests.jobs.memory.analysis.situations import asking, memory, scored

if TYPE_CHECKING:
    import pytest

STORED = [
    memory("cat", "The cat sleeps on the sofa.", "user"),
    memory("tax", "The tax return is due in April.", "assistant"),
    memory("kitten", "A kitten dozed off on the couch.", "user"),
]


def test_words_and_meaning_are_ranked_side_by_side() -> None:
    row = scored(asking("Where does the cat sleep?", {"cat": 2}), STORED).answered
    found = reference_ranks([row])
    ranks = found.of(row.key)
    # Only the first shares a word (cat; "sleep" is not "sleeps"); by meaning the kitten is next and the tax last.
    assert {name: one.lexical for name, one in ranks.items()} == {"cat": 1, "tax": None, "kitten": None}
    assert {name: one.dense for name, one in ranks.items()} == {"cat": 1, "kitten": 2, "tax": 3}
    similarities = [ranks[name].similarity for name in ("cat", "kitten", "tax")]
    assert similarities == sorted((one for one in similarities if one is not None), reverse=True)
    assert found.why_no_dense(row.key) == ""


def test_only_what_passes_the_filters_is_ranked() -> None:
    row = scored(asking("cat?", {"tax": 2}, filters={"role": "assistant"}), STORED).answered
    assert {name: (one.lexical, one.dense) for name, one in reference_ranks([row]).of(row.key).items()} == {
        "tax": (None, 1)
    }


def test_queries_of_one_pool_with_other_filters_have_their_own_ranks() -> None:
    free = scored(asking("cat?", {"cat": 2}), STORED).answered
    bound = replace(free, query=replace(free.query, id="bound", filters={"role": "assistant"}))
    earlier = replace(free, query=replace(free.query, id="earlier"), pool=free.pool[:2])
    found = reference_ranks([free, bound, earlier])
    assert [len(found.of(row.key)) for row in (free, bound, earlier)] == [3, 1, 2]


def test_filters_that_make_no_sense_keep_nothing_out() -> None:
    row = scored(asking("cat?", {"cat": 2}, filters={"role": []}), STORED).answered
    assert len(reference_ranks([row]).of(row.key)) == 3


def test_without_the_extra_there_are_no_dense_ranks_and_it_is_said_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    # A query that no other test asks: its vector is in no cache.
    row = scored(asking("Where does the cat sleep without the extra?", {"cat": 2}), STORED).answered
    found = reference_ranks([row])
    assert "goldproof[dense]" in found.why_no_dense(row.key)
    assert {name: (one.lexical, one.dense) for name, one in found.of(row.key).items()} == {"cat": (1, None)}


def test_texts_are_embedded_for_the_first_queries_whose_memories_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    # cat has 27 characters, tax 31, kitten 32.
    monkeypatch.setattr(ranks_module, "MOST_EMBEDDED", 27 + 31)
    cat, tax, kitten = STORED
    rows = [
        scored(asking("Where does the cat sleep?"), pool, scenario=name).answered
        for name, pool in [
            ("27 fit", [cat]),
            ("59 do not", [cat, kitten]),
            ("27 + 31 fit", [tax]),
            ("no new ones fit", [tax, cat]),
            ("a new one does not", [memory("dot", ".")]),
            ("none fits", []),
        ]
    ]
    found = reference_ranks(rows)
    lacking = {row.scenario.id: found.why_no_dense(row.key) for row in rows if found.why_no_dense(row.key)}
    assert list(lacking) == ["59 do not", "a new one does not"]
    assert set(lacking.values()) == {
        "too many texts to embed for this: in one analysis at most 2,000,000 characters of memories are embedded"
    }
    assert {name: (one.lexical, one.dense) for name, one in found.of(rows[1].key).items()} == {"cat": (1, None)}
    assert {name: one.dense for name, one in found.of(rows[3].key).items()} == {"cat": 1, "tax": 2}


def test_a_pool_beyond_what_is_embedded_is_not_embedded_in_part() -> None:
    half = "x" * (MOST_EMBEDDED // 2)
    stored = [memory("a", f"cat {half}"), memory("b", f"tax {half}")]
    row = scored(asking("cat?", {"a": 2}), stored).answered
    found = reference_ranks([row])
    assert found.why_no_dense(row.key).startswith("too many texts to embed for this: ")
    assert {name: (one.lexical, one.dense) for name, one in found.of(row.key).items()} == {"a": (1, None)}


def test_nothing_stored_and_nothing_asked_have_no_ranks() -> None:
    empty = scored(asking("cat?"), []).answered
    assert reference_ranks([empty]).of(empty.key) == {}
    assert reference_ranks([]).ranks == {}

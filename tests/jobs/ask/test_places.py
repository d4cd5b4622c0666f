"""Strata, passages and pairs: where questions are drafted from."""

from __future__ import annotations

from collections import Counter
from itertools import chain, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import UnknownNameError
from goldproof.jobs.ask.places import (
    LEAST_TEXT,
    PAIRS_EACH,
    PASSAGE,
    VISITS,
    make_strata,
    most_shared,
    pair_places,
    passages_of,
    single_places,
    stratified,
)
from goldproof.judge.prompts import LONGEST
from goldproof.records.entities import Document

WORDS = "The harbour master counts every vessel that enters. "


def document(name: str, text: str = WORDS, **metadata: object) -> Document:
    return Document(name, text, metadata=metadata)


@given(sizes=st.lists(st.integers(1, 40), min_size=1, max_size=5), seed=st.integers(0, 9), share=st.floats(0, 1))
def test_every_beginning_of_the_order_has_the_strata_in_their_proportions(
    sizes: list[int], seed: int, share: float
) -> None:
    items = [(stratum, number) for stratum, size in enumerate(sizes) for number in range(size)]
    ordered = stratified(items, name=str, stratum=lambda item: str(item[0]), seed=seed)
    assert sorted(ordered) == items
    taken = ordered[: round(share * len(items))]
    # Of a stratum of N, (i + u) / N lies below x for N * x of its members, up to one; x is the same for all strata, so
    # that counts / N of two strata differ by at most 1 / N each.
    counts = Counter(stratum for stratum, _ in taken)
    low = max((counts[stratum] - 1) / size for stratum, size in enumerate(sizes))
    high = min((counts[stratum] + 1) / size for stratum, size in enumerate(sizes))
    assert low <= high


def test_the_seed_decides_the_order_and_the_order_of_the_corpus_does_not() -> None:
    documents = [document(f"d{number}") for number in range(30)]
    strata = make_strata(documents)

    def names(given: list[Document], seed: int) -> list[str]:
        return [place.documents[0].id for place in next(single_places(given, strata, seed=seed))]

    assert names(documents, 0) == names(documents[::-1], 0)
    assert names(documents, 0) != names(documents, 1)


def test_a_stratum_is_the_folder_of_the_source_and_a_band_of_length() -> None:
    sizes = {"a/1": 30, "a/2": 60, "b/1": 90}  # terciles: 60 and 90
    documents = [document(name, "x" * size, source=f"{name}.md") for name, size in sizes.items()]
    strata = make_strata(documents)
    assert strata.of == {"a/1": "a, short", "a/2": "a, medium", "b/1": "b, long"}
    assert strata.bands == "short below 60 characters, long from 90"
    assert strata.counts() == {"a, medium": 1, "a, short": 1, "b, long": 1}


def test_a_metadata_field_may_be_the_stratum_and_an_unknown_one_is_refused() -> None:
    documents = [document("a", team="sales"), document("b", team="law"), document("c")]
    strata = make_strata(documents, by="team")
    assert [strata.of[name].partition(",")[0] for name in "abc"] == ["sales", "law", "(none)"]
    with pytest.raises(UnknownNameError, match="did you mean 'team'"):
        make_strata(documents, by="teem")


@given(st.integers(1, 1500), st.sampled_from([" ", "\n", "\n\n", "x"]))
def test_passages_are_the_text_up_to_what_a_judge_reads_cut_between_words(copies: int, between: str) -> None:
    text = between.join([WORDS.strip()] * copies)
    passages = passages_of(document("d", text))
    whole = "".join(passage.shown().text for passage in passages)
    assert text[:LONGEST].startswith(whole)
    assert len(text[len(whole) : LONGEST].strip()) < LEAST_TEXT  # a rest that is too short to ask about
    assert all(len(passage.shown().text) <= PASSAGE for passage in passages)
    assert all(passage.shown().text[-1].isspace() for passage in passages[:-1])


def test_a_document_without_text_has_no_passage() -> None:
    assert passages_of(document("d", "  \n ")) == []
    assert passages_of(document("d", "too short")) == []


def test_each_round_takes_another_passage_and_every_passage_is_visited_a_few_times() -> None:
    long = document("long", WORDS * 300)  # 15,600 characters: two passages
    short = document("short", WORDS)
    rounds = [
        [(place.documents[0].id, place.passages[0].start) for place in turn]
        for turn in map(list, single_places([long, short], make_strata([long, short]), seed=0))
    ]
    visits = Counter(chain.from_iterable(rounds))
    assert len(passages_of(long)) == 2
    assert set(visits.values()) == {VISITS}
    assert all(len({name for name, _ in turn}) == len(turn) for turn in rounds)
    assert rounds[0] != rounds[1]


FLEET = (
    document("log", "Willem Jansen steered the Batavia to Hoorn in autumn.", source="log.md"),
    document("crew", "The cook was hired by Willem Jansen in Rotterdam.", source="crew.md"),
    document("port", "However, nothing is known about the port of origin.", source="port.md"),
    document("sail", "However, the crimson sailcloth was mended twice.", source="sail.md"),
    document("mast", "An oak mast carries the sailcloth; however, it leans.", source="mast.md"),
)


def linked(documents: tuple[Document, ...], seed: int = 0) -> dict[str, set[str]]:
    places = pair_places(documents, make_strata(documents), seed=seed)
    return {place.entity: {each.id for each in place.documents} for place in places}


def test_a_pair_shares_a_name_or_a_rare_word_and_no_word_that_begins_a_sentence() -> None:
    # "However" is written small in mast, and "The" is a function word: neither is a name.
    assert linked(FLEET) == {"Willem Jansen": {"log", "crew"}, "sailcloth": {"sail", "mast"}}
    assert pair_places(FLEET, make_strata(FLEET), seed=0)[0].entity == "Willem Jansen"  # names come first


def test_pieces_of_one_source_and_equal_texts_are_no_pair() -> None:
    first, second = FLEET[:2]
    same_source = (first, document("crew", second.text, source="log.md"))
    same_text = (first, document("copy", first.text, source="copy.md"))
    assert linked(same_source) == {}
    assert linked(same_text) == {}


def test_a_word_in_many_documents_links_none_and_no_document_is_in_many_pairs() -> None:
    assert [most_shared(n) for n in (2, 14, 15, 50, 1000)] == [2, 2, 3, 10, 10]
    texts = [f"Report {n} by Anna Maria Berg on Topic{n % 7} and Place{n % 11}." for n in range(60)]
    documents = tuple(document(f"d{n}", text) for n, text in enumerate(texts))
    places = pair_places(documents, make_strata(documents), seed=0)
    assert "Anna Maria Berg" not in {place.entity for place in places}
    assert max(Counter(each.id for place in places for each in place.documents).values()) <= PAIRS_EACH
    assert len({place.key for place in places}) == len(places)


def test_the_passage_of_a_pair_is_the_one_that_mentions_the_entity() -> None:
    far = document("far", WORDS * 300 + "Willem Jansen came last.", source="far.md")
    (place,) = pair_places((FLEET[0], far), make_strata((FLEET[0], far)), seed=0)
    assert place.entity == "Willem Jansen"
    assert all("Willem Jansen" in passage.shown().text for passage in place.passages)


def test_no_more_is_made_than_is_asked_for() -> None:
    documents = [document(f"d{number}") for number in range(3)]
    rounds = single_places(documents, make_strata(documents), seed=0)
    assert len(list(islice(chain.from_iterable(rounds), 100))) == 3 * VISITS

"""Gold kept as spans of files, looked up in the documents of a package."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.corpus.corpus import Corpus
from goldproof.corpus.gold_spans import GoldSpan, gold_for, spans_of
from goldproof.errors import InputError
from goldproof.records.entities import Document
from goldproof.records.tables import JudgmentTable

if TYPE_CHECKING:
    from tests.corpus.packages.conftest import Open

SHOP = '''\
"""A shop."""

import functools

LIMIT: int = 5


def free(a):
    """Say it freely."""
    return a


@functools.cache
class Till(dict):
    """A till."""

    size: int = 4

    def ring(self, tune):
        """Ring."""
        return f"loud {tune}"

    class Drawer:
        """Inside."""

        def slide(self):
            return "open"

    coins: int = 3

    def _count(self):
        return "secretly"
'''
FILE = "shop/__init__.py"


@pytest.fixture
def shop(opened: Open) -> Corpus:
    return opened({FILE: SHOP}).corpus()


def mark(first: str, last: str = "", *, grade: int = 2, quoted: bool = True) -> GoldSpan:
    """Return the span from the first words to the end of the last ones."""
    start = SHOP.index(first)
    end = SHOP.index(last or first, start) + len(last or first)
    return GoldSpan("q", FILE, start, end, grade, SHOP[start:end] if quoted else None)


def grades(corpus: Corpus, *spans: GoldSpan) -> dict[str, int]:
    return gold_for(corpus, spans).judgments.to_dict().get("q", {})


@pytest.mark.parametrize("quoted", [True, False])
@pytest.mark.parametrize(
    ("first", "last", "holder"),
    [
        ("A shop", "", "shop"),
        ("LIMIT: int = 5", "", "shop.LIMIT"),
        ("def free", "return a", "shop.free"),
        ("Say it freely", "", "shop.free"),
        ("size: int", "", "shop.Till"),
        ("coins: int", "", "shop.Till"),
        ("loud", "", "shop.Till.ring"),
        ("Inside", "", "shop.Till.Drawer"),
        ('return "open"', "", "shop.Till.Drawer.slide"),
        ("@functools.cache", '"secretly"', "shop.Till"),
        ("class Till", '"secretly"', "shop.Till"),
        ("class Till", '"secretly"\n', "shop.Till"),
        ("class Drawer", '"open"', "shop.Till.Drawer"),
        ("    def ring", '{tune}"', "shop.Till.ring"),
    ],
)
def test_a_span_is_the_document_that_holds_it_and_a_whole_definition_its_own(
    first: str, last: str, holder: str, quoted: bool, shop: Corpus
) -> None:
    reading = gold_for(shop, [mark(first, last, quoted=quoted)])
    assert reading.judgments.to_dict() == {"q": {holder: 2}}
    assert reading.kernels == {"q": ((holder,),)}
    assert reading.remarks == ()


def test_the_head_of_a_class_with_a_method_needs_both(shop: Corpus) -> None:
    reading = gold_for(shop, [mark("class Till", '{tune}"')])
    assert [set(kernel) for kernel in reading.kernels["q"]] == [{"shop.Till", "shop.Till.ring"}]
    assert reading.judgments.to_dict() == {"q": {"shop.Till": 1, "shop.Till.ring": 1}}


def test_the_share_of_a_class_counts_all_its_pieces(shop: Corpus) -> None:
    span = mark("size: int", "coins: int = 3", grade=10)
    pieces = shop_pieces(shop, "shop.Till", span)
    found = gold_for(shop, [span], parts="share").judgments.to_dict()["q"]
    # 10 times the share of the span that the lines before and after the inner definitions make, rounded up
    assert found["shop.Till"] == -(-10 * pieces // (span.end - span.start))


def shop_pieces(corpus: Corpus, name: str, span: GoldSpan) -> int:
    (document,) = (document for document in corpus.documents if document.id == name)
    pieces = document.metadata["source_pieces"]
    return sum(max(0, min(e, span.end) - max(s, span.start)) for s, e, _ in pieces)  # type: ignore[attr-defined]


def test_what_no_document_holds_is_lost_with_its_reason(shop: Corpus) -> None:
    # Between LIMIT and free stand line ends alone; the import above stands in no document, nor does a private method.
    assert grades(shop, mark("LIMIT", "return a")) == {"shop.LIMIT": 1, "shop.free": 1}
    for lost in (mark("import functools"), mark("A shop", "LIMIT: int = 5"), mark("coins", "secretly")):
        for span in (lost, GoldSpan("q", FILE, lost.start, lost.end)):
            (found,) = gold_for(shop, [span]).lost
            assert found.reason == "no document, and no documents together, hold all of it"


def test_a_changed_file_is_seen_by_the_quote(shop: Corpus) -> None:
    moved = mark("loud")
    elsewhere = GoldSpan("q", FILE, moved.start - 30, moved.end - 30, 2, "loud")
    assert grades(shop, elsewhere) == {"shop.Till.ring": 2}
    assert len(gold_for(shop, [elsewhere]).moved) == 1
    whole = mark("class Till", '"secretly"')
    assert whole.quote is not None
    other = GoldSpan("q", FILE, whole.start, whole.end, 2, whole.quote.replace("loud", "soft"))
    with pytest.raises(InputError, match="stands nowhere"):
        gold_for(shop, [other])


def test_a_grade_of_0_passes_to_definitions_that_lie_wholly_within(shop: Corpus) -> None:
    assert grades(shop, mark("@functools", '"secretly"', grade=0)) == {
        "shop.Till": 0, "shop.Till.ring": 0, "shop.Till.Drawer": 0, "shop.Till.Drawer.slide": 0,
    }  # fmt: skip
    assert grades(shop, mark("class Till", "coins: int = 3", grade=0)) == {
        "shop.Till.ring": 0, "shop.Till.Drawer": 0, "shop.Till.Drawer.slide": 0,
    }  # fmt: skip


def test_judgments_of_documents_come_back_from_their_spans(shop: Corpus) -> None:
    given = {document.id: number for number, document in enumerate(shop.documents, start=1)}
    spans = spans_of(shop, JudgmentTable.from_dict({"q": given}))
    assert {span.source for span in spans} == {FILE}
    assert {span.quote for span in spans if span.quote} <= {SHOP[span.start : span.end] for span in spans}
    assert gold_for(shop, spans).judgments.to_dict() == {"q": given}


@pytest.mark.parametrize("pieces", [[[0, 5, 90]], [[0, 50, 0]], [[5, 5, 0]], [["a", 1, 0]], [3]])
def test_pieces_that_are_not_in_the_text_are_refused(pieces: list[object]) -> None:
    about = {"source": "s", "source_start": 0, "source_end": 9, "source_pieces": pieces}
    with pytest.raises(InputError, match="document 'd': its source_pieces hold"):
        gold_for(Corpus("c", (Document("d", "0123456789", metadata=about),)), [])

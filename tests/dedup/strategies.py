"""Random results over few values, so that they share keys and fields often, in every combination."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from tests.dedup.tables import LONG, OTHER_LONG

if TYPE_CHECKING:
    from tests.dedup.tables import Row

URLS = (
    *("https://a.org/x", "http://www.a.org/x/?utm_source=n", "a.org/x?p=1", "a.org/x?p=2&gclid=3", "a.org/y"),
    *("b.org/x", "doi:1", "https://a.org/#/x"),
)
SNIPPETS = ("short", "<b>Short</b>", LONG, LONG.upper(), OTHER_LONG)
TYPES = ("web", "Web Page", "mail", "person", "file", "event", "chunk", "code symbol", "recipe")
FIELDS = {
    "message_id": ("M1", "m1"),
    "sender": ("a@x.org", "Anna <A@x.org>", "b@x.org"),
    "from": ("a@x.org",),
    "sent": ("2026-01-01T10:00:00Z", "2026-01-01T11:00:00+01:00", "2026-01-01T10:00:00"),
    "recipients": (["a@x.org", "b@x.org"], "b@x.org, a@x.org", "c@x.org"),
    "alias": ("anna", "bo"),
    "drive_id": ("D", "E"),
    "item_id": (1, "1", 2),
    "chunk_id": ("c1", "c2"),
    "document_id": ("d1", "d2"),
    "chunk_index": (1, 2),
    "path": ("a.py", "b.py"),
    "qualified_name": ("a.f", "a.g"),
    "file_name": ("a.txt", "b.txt"),
    "author": ("Anna", "anna"),
    "project": ("P", "Q"),
    "subject": ("Home", "News"),
}


def maybe(values: tuple[object, ...]) -> st.SearchStrategy[object]:
    return st.none() | st.sampled_from(values)


def fields() -> st.SearchStrategy[object]:
    some = st.fixed_dictionaries({}, optional={name: maybe(values) for name, values in FIELDS.items()})
    return st.none() | some


def results(*, with_fields: bool = True) -> st.SearchStrategy[Row]:
    return st.fixed_dictionaries(
        {
            "id": maybe(("1", "2", "3")),
            "url": maybe(URLS),
            "title": maybe(("Home", "home ", "News")),
            "snippet": maybe(SNIPPETS),
            "type": maybe(TYPES),
            "fields": fields() if with_fields else st.none(),
        }
    )


def conversations() -> st.SearchStrategy[list[list[Row]]]:
    return st.booleans().flatmap(
        lambda with_fields: st.lists(st.lists(results(with_fields=with_fields), max_size=9), max_size=3)
    )


def has_key(row: Row) -> bool:
    """Whether there is anything by which a result can be found again; ids among its fields need a type."""
    subject = (row["fields"] or {}).get("subject")
    return subject is not None or any(row[name] is not None for name in ("id", "url", "title", "snippet"))

"""Random results over few values, so that they share keys and fields often, in every combination."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from tests.dedup.tables import LONG, OTHER_LONG

if TYPE_CHECKING:
    from random import Random

    from tests.dedup.tables import Row

URLS = (
    *("https://a.org/x", "http://www.a.org/x/?utm_source=n", "a.org/x?p=1", "a.org/x?p=2&gclid=3", "a.org/y"),
    *("b.org/x", "doi:1", "https://a.org/#/x", "HTTPS://A.org:443/x#top", "a.org/X", "a.org/%78?fbclid=1"),
    *("a.org/x?p=1&utm_id=9", "a.org/x?q=2&p=1", "//a.org/x?p=1&q=2", "docs/a.md", "DOI:1"),
)
IDS = ("1", "2", "3", " 1")
TITLES = ("Home", "home ", "News")
SNIPPETS = ("short", "<b>Short</b>", LONG, LONG.upper(), OTHER_LONG)
TYPES = ("web", "Web Page", "mail", "Chat", "person", "file", "event", "chunk", "code symbol", "Function", "recipe")
TIMES = ("2026-01-01T10:00:00Z", "2026-01-01T11:00:00+01:00", "2026-01-01T12:00:00Z")
FIELDS = {
    "message_id": ("M1", "m1", " M1"),
    "internetMessageId": ("M1",),
    "channel": ("c", "C"),
    "sender": ("a@x.org", "Anna <A@x.org>", "b@x.org"),
    "from": ("a@x.org",),
    "sent": (*TIMES, 1_767_261_600, "2026-01-01T10:00:00"),
    "start": TIMES,
    "end": (1_767_261_600_000, *TIMES),
    "organizer": ("a@x.org", {"name": "Anna", "address": "A@x.org"}, "Anna"),
    "attendees": (["B <b@x.org>", "a@x.org"], ["a@x.org", "b@x.org"], []),
    "event_id": ("e", "f"),
    "iCalUID": ("u", "U"),
    "recipients": (["a@x.org", "b@x.org"], "b@x.org, a@x.org", "c@x.org"),
    "alias": ("anna", "Anna ", "bo"),
    "principal_name": ("a@x.org", "A@X.org", "b@x.org"),
    "person_id": ("7", 7, 8),
    "drive_id": ("D", "E"),
    "item_id": (1, "1", 2),
    "chunk_id": ("c1", "c2"),
    "document_id": ("d1", "d2"),
    "chunk_index": (1, 2),
    "path": ("a.py", "A.py", " a.py", "b.py"),
    "qualified_name": ("a.Queue", "a.queue", "a.Queue "),
    "repo": ("r", "R"),
    "site": ("s", "S", "t"),
    "sha256": ("AB", "ab"),
    "signature": ("(T)", "(t)"),
    "symbol_id": ("s1", "S1"),
    "line": (3, 3.0, "4"),
    "file_name": ("a.txt", "A.txt", "b.txt"),
    "author": ("Anna", "anna"),
    "project": ("P", "p", "Q"),
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
            "id": maybe(IDS),
            "url": maybe(URLS),
            "title": maybe(TITLES),
            "snippet": maybe(SNIPPETS),
            "type": maybe(TYPES),
            "fields": fields() if with_fields else st.none(),
        }
    )


def pairs() -> st.SearchStrategy[tuple[Row, Row]]:
    """Two results that are often alike."""
    return st.tuples(results(), results(), st.randoms(use_true_random=False)).map(lambda drawn: alike(*drawn))


def random_pair(random: Random) -> tuple[Row, Row]:
    """Draw a pair without hypothesis, a thousand times faster."""
    return alike(random_result(random), random_result(random), random)


def random_result(random: Random) -> Row:
    share = random.choice((0.1, 0.4, 0.7))
    return {
        "id": random.choice((None, *IDS)),
        "url": random.choice((None, random.choice(URLS))),
        "title": random.choice((None, *TITLES)),
        "snippet": random.choice((None, *SNIPPETS)),
        "type": random.choice((None, random.choice(TYPES))),
        "fields": {name: random.choice(values) for name, values in FIELDS.items() if random.random() < share} or None,
    }


def alike(first: Row, other: Row, random: Random) -> tuple[Row, Row]:
    """Return the first result, and the same with some columns and fields of the other."""
    columns = random.sample(sorted(first.keys() - {"fields"}), random.randint(0, 3))
    fields = dict(first["fields"] or {})
    for name in random.sample(sorted(FIELDS), random.randint(0, 6)):
        fields.pop(name, None)
        value = (other["fields"] or {}).get(name)
        if value is not None and random.random() < 0.6:
            fields[name] = value
    return first, {**first, **{name: other[name] for name in columns}, "fields": fields}


def conversations() -> st.SearchStrategy[list[list[Row]]]:
    return st.booleans().flatmap(
        lambda with_fields: st.lists(st.lists(results(with_fields=with_fields), max_size=9), max_size=3)
    )


def has_key(row: Row) -> bool:
    """Whether there is anything by which a result can be found again; ids among its fields need a type."""
    subject = (row["fields"] or {}).get("subject")
    return subject is not None or any(row[name] is not None for name in ("id", "url", "title", "snippet"))

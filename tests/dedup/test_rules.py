"""The default types: what makes two of them the same, and what separates them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from goldproof.dedup import DEFAULT_RULES, Rules, TypeRules
from goldproof.errors import InputError
from tests.dedup.tables import Row, items, origins, step, verdict

if TYPE_CHECKING:
    from pathlib import Path

NOON = "2026-05-01T12:00:00Z"
ONE = "2026-05-01T13:00:00Z"
COMPLETE: dict[str, dict[str, Any]] = {
    "file": {"path": "/a/b.txt", "repository": "r", "site": "s", "checksum": "c"},
    "mail": {"sent": NOON, "sender": "a@x.org", "recipients": ["b@x.org", "c@x.org"]},
    "event": {"start": NOON, "end": ONE, "organiser": "a@x.org", "invitees": ["b@x.org"]},
    "message": {"sent": NOON, "sender": "anna", "channel": "general"},
    "person": {"alias": "anna", "principal_name": "anna@x.org", "address": "anna.berg@x.org"},
    "code symbol": {"qualified_name": "a.b", "path": "a.py", "repository": "r", "signature": "()"},
    "passage": {"document_id": "d", "chunk_index": 4},
}
OTHER = {"sent": ONE, "start": ONE, "end": NOON, "chunk_index": 5}


def result(kind: str, *names: str, **changed: object) -> Row:
    """A result of a type with some of its complete fields, and some of them changed."""
    chosen = {name: COMPLETE[kind][name] for name in names}
    return {"title": "T", "type": kind, "fields": {**chosen, **changed}}


def test_the_issues_types_are_all_there() -> None:
    assert [one.name for one in DEFAULT_RULES.types] == ["web page", *COMPLETE]


@pytest.mark.parametrize(
    ("kind", "names"),
    [(one.name, names) for one in DEFAULT_RULES.types for names in one.same_if],
    ids=lambda value: value if isinstance(value, str) else "+".join(value),
)
def test_a_complete_equal_set_is_the_same(kind: str, names: tuple[str, ...]) -> None:
    a, b = result(kind, *names), {**result(kind, *names), "snippet": "s"}
    assert step(a, b) == (True, "type rule")


@pytest.mark.parametrize(
    ("kind", "name"), [(one.name, name) for one in DEFAULT_RULES.types for name in one.different_if]
)
def test_one_field_that_differs_separates_whatever_else_agrees(kind: str, name: str) -> None:
    every = tuple(COMPLETE[kind])
    a, b = result(kind, *every), result(kind, *every, **{name: OTHER.get(name, "other")})
    assert not verdict(a, b).same
    assert not verdict({**a, "id": "1"}, {**b, "id": "1"}).same


@pytest.mark.parametrize("kind", ["mail", "event", "message", "person"])
def test_what_only_one_side_has_separates_nothing(kind: str) -> None:
    same_if = next(one for one in DEFAULT_RULES.types if one.name == kind).same_if
    assert verdict(result(kind, *COMPLETE[kind]), result(kind, *same_if[0])).same


def test_a_mail_needs_its_time_and_a_person() -> None:
    assert step(result("mail", "sent"), {**result("mail", "sent"), "id": "2"}) == (False, "not enough")
    assert step(result("mail", "sender"), {**result("mail", "sender"), "id": "2"}) == (False, "not enough")


def test_the_order_of_recipients_does_not_matter() -> None:
    turned = ["C <c@X.org>", "b@x.org"]
    assert verdict(result("mail", "sent", "recipients"), result("mail", "sent", recipients=turned)).same


@pytest.mark.parametrize("name", ["qualified_name", "path", "repository", "signature"])
def test_case_matters_in_the_identifiers_of_code(name: str) -> None:
    fields = {"qualified_name": "pkg.mod.Queue", "path": "pkg/Mod.py", "repository": "R", "signature": "(T)"}
    a: Row = {"title": "Queue", "type": "class", "fields": fields}
    assert not verdict(a, {**a, "fields": {**fields, name: fields[name].lower()}}).same
    assert verdict(a, {**a, "snippet": "s", "fields": {**fields, name: f" {fields[name]} "}}).same


@pytest.mark.parametrize("name", ["path", "repository"])
def test_case_matters_in_the_identifiers_of_a_file(name: str) -> None:
    a = result("file", *COMPLETE["file"])
    assert verdict(a, result("file", *COMPLETE["file"], **{name: a["fields"][name].upper()})).why == (
        f"file: different {name}"
    )


def test_the_title_of_a_code_symbol_keeps_its_case_where_both_are_one() -> None:
    a: Row = {"id": "1", "title": "Queue", "type": "class"}
    assert verdict(a, {**a, "title": "queue"}).why == "different title"
    assert step(a, {**a, "title": " Queue "}) == (True, "identical")
    assert step(a, {"id": "1", "title": "queue"}) == (True, "fields")
    assert step({**a, "type": "web"}, {**a, "type": "web", "title": "queue"}) == (True, "identical")


def test_a_title_that_is_compared_exactly_proposes_whatever_its_case() -> None:
    rows: list[Row] = [
        {"title": "Queue", "type": "class", "fields": {"file_name": "q.py"}},
        {"title": "queue", "type": "class", "fields": {"file_name": "q.py"}},
        {"title": "QUEUE", "fields": {"filename": "q.py"}},
    ]
    assert origins(*rows) == [0, 1, 0]


def test_the_values_of_an_untyped_result_are_read_as_the_other_ones_type_says() -> None:
    # For a ticket the project is part of the id, where case matters; for a web page it is plain text.
    ticket = TypeRules("ticket", ids=(("project", "number"),), exact=("team",))
    rules = replace(DEFAULT_RULES, types=(*DEFAULT_RULES.types, ticket))
    a: Row = {"id": "1", "title": "T", "fields": {"project": "Goldproof", "number": 1}}
    b: Row = {"id": "1", "title": "T", "snippet": "s", "fields": {"project": "goldproof", "number": 1}}
    assert step(a, b, rules=rules) == (True, "fields")
    assert step(a, {**b, "type": "web"}, rules=rules) == (True, "fields")
    assert step(a, {**b, "type": "ticket"}, rules=rules) == (False, "specific id")


@pytest.mark.parametrize("name", ["url", "snippet", "Type"])
def test_of_the_columns_only_the_title_can_be_exact(name: str) -> None:
    with pytest.raises(InputError, match=f"the type 'note' cannot have '{name.lower()}' compared exactly"):
        Rules(types=(TypeRules("note", exact=(name,)),))


def test_two_chunks_of_one_page_stay_apart_and_the_same_chunk_is_found() -> None:
    first: Row = {"id": "c1", "type": "chunk", "url": "https://a.org/x", "title": "T", "snippet": "one " * 20}
    second: Row = {**first, "id": "c2", "snippet": "two " * 20}
    assert step(first, second) == (False, "fields")
    assert step(first, {**first, "id": "other-index:c1"}) == (True, "fields")
    assert step(first, {**first, "title": None}) == (True, "fields")


def test_an_instance_of_a_series_is_an_event_of_its_own() -> None:
    a: Row = {"type": "meeting", "title": "Weekly", "fields": {"ical_uid": "U", "start": NOON}}
    b: Row = {"type": "event", "title": "Weekly", "fields": {"icalUID": "U", "start": "2026-05-01T14:00:00+02:00"}}
    assert step(a, {**b, "id": "x"}) == (True, "specific id")
    assert step(a, {**b, "fields": {"icalUID": "U", "start": ONE}}) == (False, "specific id")


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        *(("WebPage", "web page"), ("web", "web page"), ("Email", "mail"), (" e-mail", "mail"), ("MAIL", "mail")),
        *(("calendar_event", "event"), ("Code Symbol", "code symbol"), ("chunk", "passage"), ("contact", "person")),
    ],
)
def test_a_type_is_known_by_its_aliases_in_any_case(alias: str, name: str) -> None:
    (item,) = items({"id": "1", "type": alias})
    assert item.type == item.rules.name == name


@pytest.mark.parametrize("one", DEFAULT_RULES.types, ids=lambda one: one.name)
def test_the_page_lists_what_a_type_has(one: TypeRules, repo: Path) -> None:
    page = (repo / "docs" / "concepts" / "deduplication.md").read_text(encoding="utf-8")
    (line,) = [line for line in page.splitlines() if line.startswith(f"| {one.name} |")]
    _, _, aliases, ids, _, different_if, _ = (cell.strip() for cell in line.split("|"))
    assert set(aliases.split(", ")) <= set(one.aliases)
    assert ids == "; ".join(" + ".join(names) for names in one.ids)
    assert different_if == ", ".join(one.different_if)


def test_the_page_says_what_is_exact(repo: Path) -> None:
    page = " ".join((repo / "docs" / "concepts" / "deduplication.md").read_text(encoding="utf-8").split())
    assert "of a file path and repository; " in page
    assert "of a code symbol qualified_name, path, file_name, repository, signature and the title." in page
    listed = {one.name: set(one.exact) for one in DEFAULT_RULES.types if one.exact}
    assert listed == {
        "file": {"path", "repository"},
        "code symbol": {"qualified_name", "path", "file_name", "repository", "signature", "title"},
    }


def test_a_name_cannot_stand_for_two_types() -> None:
    with pytest.raises(InputError, match="'Memo' names both the types 'note' and 'mail'; keep one"):
        Rules(types=(TypeRules("note", aliases=("memo",)), TypeRules("mail", aliases=("Memo",))))


def test_a_name_cannot_stand_for_two_fields() -> None:
    with pytest.raises(InputError, match="the field 'from' cannot stand for both 'sender' and 'author'"):
        Rules(field_aliases={"sender": ("From",), "author": ("from",)})


def test_the_generic_rules_have_no_ids() -> None:
    with pytest.raises(InputError, match="generic rules cannot have ids"):
        Rules(generic=TypeRules("generic", ids=(("a",),)))


def test_an_exact_copy_that_has_only_fields_is_a_duplicate_where_its_type_can_tell() -> None:
    function = {"type": "function", "fields": {"qualified_name": "a.f", "path": "a.py"}}
    mail = {"type": "mail", "fields": {"sent": "2026-01-02T10:00:00Z", "sender": "a@x.org"}}
    assert origins(function, function) == origins(mail, mail) == [0, 0]
    assert origins(function, {**function, "fields": {"qualified_name": "a.F", "path": "a.py"}}) == [0, 1]

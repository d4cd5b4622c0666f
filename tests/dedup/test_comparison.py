"""The steps by which two results are compared: each decides what it should, and no more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from goldproof.dedup import DEFAULT_RULES, Enough, Evidence, Rules, TypeRules
from tests.dedup.tables import LONG, OTHER_LONG, Row, items, step, verdict

SHORT = "a short snippet"
FIFTY = "x" * 50


def test_an_exact_copy_is_the_same_even_with_a_title_alone() -> None:
    assert step({"title": "Home"}, {"title": "<b>HOME</b> "}) == (True, "identical")


def test_identical_is_what_differs_only_where_it_does_not_matter() -> None:
    found = verdict({"url": "https://a.org/x"}, {"url": "http://a.org/x?utm_source=n"})
    assert (found.step, found.why) == ("identical", "everything that matters is equal")


def test_a_title_alone_is_never_trusted() -> None:
    found = verdict({"title": "Home"}, {"title": "Home", "type": "web"})
    assert (found.same, found.step, found.why) == (False, "not enough", "only the title agrees")


def test_complete_ids_of_a_type_decide_at_once_both_ways() -> None:
    a: Row = {"type": "mail", "url": "https://m.org/1", "fields": {"message_id": "M1", "sent": "x"}}
    b: Row = {"type": "mail", "url": "https://m.org/2", "fields": {"Message-ID": "M1", "sent": "y"}}
    assert step(a, b) == (True, "specific id")
    c = {**a, "fields": {"message_id": "m1", "sent": "x"}}  # ids keep their case
    assert step(a, c) == (False, "specific id")


def test_the_first_alternative_that_both_have_complete_decides() -> None:
    a: Row = {"type": "chunk", "fields": {"chunk_id": "c1", "document_id": "d", "chunk_index": 3}}
    b: Row = {"type": "passage", "fields": {"document_id": "d", "chunk_index": "3"}}
    assert verdict(a, b).why == "equal document_id + chunk_index"
    c: Row = {"type": "passage", "fields": {"chunk_id": "c2", "document_id": "d", "chunk_index": 3}}
    assert verdict(a, c).why == "different chunk_id"


def test_equal_urls_are_the_same_whatever_else_differs() -> None:
    a: Row = {"id": "1", "url": "https://a.org/x", "title": "One", "snippet": LONG}
    b: Row = {"id": "2", "url": "http://www.a.org/x/?utm_source=n", "title": "Two", "snippet": OTHER_LONG}
    assert step(a, b) == (True, "url")


@pytest.mark.parametrize("url", ["https://b.org/x", "https://a.org/y", "https://a.org/x#/y"])
def test_another_host_or_path_is_different_whatever_else_agrees(url: str) -> None:
    a: Row = {"id": "1", "url": "https://a.org/x", "title": "One", "snippet": LONG}
    assert step(a, {**a, "url": url}) == (False, "url")


def test_unknown_parameters_leave_it_to_the_fields() -> None:
    a: Row = {"url": "https://a.org/x?p=1", "title": "One", "snippet": LONG}
    assert step(a, {**a, "url": "https://a.org/x?p=2"}) == (True, "fields")
    assert step(a, {**a, "url": "https://a.org/x?p=2", "title": "Two"}) == (False, "fields")
    assert step(a, {**a, "url": "https://a.org/x", "snippet": None}) == (False, "not enough")


@pytest.mark.parametrize("name", ["passage", "code symbol"])
def test_where_several_results_share_a_page_an_equal_url_does_not_decide(name: str) -> None:
    a: Row = {"url": "https://a.org/x", "type": name, "snippet": LONG}
    assert step(a, {**a, "id": "7"}) == (True, "fields")
    assert step(a, {**a, "snippet": OTHER_LONG}) == (False, "fields")


def test_an_equal_url_decides_only_where_both_types_say_so() -> None:
    a: Row = {"url": "https://a.org/x", "snippet": LONG}
    assert step(a, {**a, "type": "passage", "snippet": OTHER_LONG}) == (False, "fields")


def test_one_untyped_side_takes_the_rules_of_the_other() -> None:
    a: Row = {"title": "Re: plan", "type": "mail", "fields": {"sent": "2026-01-01T10:00:00Z", "sender": "a@x.org"}}
    b: Row = {"title": "Re: plan", "fields": {"sent": "2026-01-01T11:00:00+01:00", "from": "Anna <A@x.org>"}}
    assert verdict(a, b).why == "mail: equal sent + sender"
    assert step(a, {**b, "url": "u", "fields": {**b["fields"], "from": "bo@x.org"}}) == (False, "type rule")


def test_two_types_have_no_type_rule_and_differ_in_type() -> None:
    a: Row = {"title": "Anna", "type": "person", "fields": {"alias": "anna"}}
    assert verdict(a, {**a, "type": "message"}).why == "different type"


def test_types_are_compared_by_the_name_of_their_rules() -> None:
    assert step({"id": "1", "type": "Email"}, {"id": "1", "type": "mail", "title": "x"}) == (True, "trusted key")
    assert step({"id": "1", "type": "Recipe"}, {"id": "1", "type": "recipe ", "title": "x"}) == (True, "trusted key")
    assert step({"id": "1", "type": "recipe"}, {"id": "1", "type": "mail"}) == (False, "fields")


def test_a_differing_snippet_counts_as_nothing_under_an_equal_id_only() -> None:
    a: Row = {"id": "1", "title": "T", "snippet": LONG}
    assert step(a, {**a, "snippet": OTHER_LONG}) == (True, "fields")
    assert step(a, {**a, "id": "2", "snippet": OTHER_LONG}) == (False, "fields")
    assert step({**a, "title": None}, {"id": "1", "snippet": OTHER_LONG}) == (True, "trusted key")


def test_the_snippet_of_a_passage_is_the_passage() -> None:
    a: Row = {"id": "document-1", "title": "T", "type": "passage", "snippet": LONG}
    assert step(a, {**a, "snippet": OTHER_LONG}) == (False, "fields")


def test_an_equal_snippet_is_strong_beyond_fifty_characters() -> None:
    assert step({"snippet": FIFTY + "x", "id": "1"}, {"snippet": FIFTY + "x", "id": "2"}) == (True, "fields")
    assert step({"snippet": FIFTY, "id": "1"}, {"snippet": FIFTY, "id": "2"}) == (False, "not enough")


def test_two_intermediate_fields_suffice_without_an_id() -> None:
    a: Row = {"title": "T", "snippet": SHORT, "fields": {"file_name": "t.pdf"}}
    assert step(a, {**a, "id": "2"}) == (True, "fields")
    assert step(a, {**a, "id": "2", "fields": None}) == (False, "not enough")


def test_with_a_partial_id_one_intermediate_or_two_weak_suffice() -> None:
    drive = {"drive_id": "D", "author": "Anna", "project": "P"}
    a: Row = {"title": "T", "type": "file", "fields": drive}
    assert step(a, {"title": "T", "type": "file", "fields": {"drive_id": "D", "item_id": "1"}}) == (True, "fields")
    b: Row = {"snippet": SHORT, "type": "file", "fields": {**drive, "item_id": "1"}}
    assert verdict({**a, "title": None}, b).why == "equal type, author and project under ids that agree in part"
    c: Row = {"snippet": SHORT, "type": "file", "fields": {"drive_id": "D"}}
    assert step({**a, "title": None}, c) == (False, "not enough")
    other = {**drive, "drive_id": "E"}
    assert step({**a, "title": None}, {**b, "fields": other}) == (False, "not enough")


def test_weak_fields_do_not_add_up_with_others() -> None:
    a: Row = {"title": "T", "type": "web", "fields": {"author": "A", "project": "P"}}
    two = {"title": "T", "type": "web"}
    assert verdict(two, {**two, "id": "1"}).why == "only title and type agree"
    assert verdict(a, {**a, "id": "1"}).why == "only title, type, author and project agree"


@pytest.mark.parametrize("name", ["title", "type"])
def test_any_differing_column_rejects_even_under_an_equal_id(name: str) -> None:
    a: Row = {"id": "1", "title": "T", "type": "web", "snippet": LONG}
    assert verdict(a, {**a, name: "other"}).why == f"different {name}"


@pytest.mark.parametrize("name", ["file_name", "author", "project"])
def test_any_differing_field_rejects_even_under_an_equal_id(name: str) -> None:
    a: Row = {"id": "1", "fields": {"file_name": "f", "author": "a", "project": "p"}}
    assert verdict(a, {"id": "1", "fields": {**a["fields"], name: "other"}}).why == f"different {name}"


def test_an_equal_id_is_trusted_where_too_little_agrees_to_verify() -> None:
    assert step({"id": "1"}, {"id": "1", "type": "web"}) == (True, "trusted key")
    assert step({"id": "1", "type": "web", "url": "u"}, {"id": "1", "type": "web"}) == (True, "trusted key")


def test_differing_ids_never_reject_by_themselves() -> None:
    assert step({"id": "1", "snippet": LONG}, {"id": "2", "snippet": LONG}) == (True, "fields")


def test_an_agreeing_field_never_separates_what_was_the_same() -> None:
    a, b = {"id": "1", "url": "u"}, {"id": "1", "title": "x"}
    assert verdict(a, b).same
    assert verdict({**a, "type": "web"}, {**b, "type": "web"}).same


def test_thresholds_and_strengths_are_the_types_own() -> None:
    evidence = Evidence(strong=(), intermediate=("team",), weak=("type",), without_id=Enough(1, 1, 1))
    rules = Rules(types=(TypeRules("ticket", evidence=evidence),), long_snippet=3)
    a: Row = {"title": "a", "type": "ticket", "snippet": LONG, "fields": {"Team": "x"}}
    b: Row = {"title": "b", "type": "ticket", "snippet": OTHER_LONG, "fields": {"team": "X"}}
    assert verdict(a, b, rules=rules).why == "equal team and type"


def test_the_rules_of_a_type_may_name_columns() -> None:
    by_id = TypeRules("page", ids=(("id",),), same_if=(("title", "url"),))
    rules = Rules(types=(by_id,))
    a: Row = {"id": "1", "type": "page", "url": "https://a.org"}
    assert step(a, {**a, "url": "https://b.org"}, rules=rules) == (True, "specific id")
    assert step(a, {**a, "id": "2"}, rules=rules) == (False, "specific id")
    titled: Row = {"title": "T", "type": "page", "url": "https://a.org?x=1"}
    different = replace(by_id, ids=(), url_decides=False)
    assert step(titled, {**titled, "snippet": "s"}, rules=Rules(types=(different,))) == (True, "type rule")


def test_near_duplicate_snippets_count_as_equal_from_the_threshold_on() -> None:
    # 20 words are 18 shingles; another last word changes one: 17 of 19 in common, 0.894...
    words = [f"word{n}" for n in range(20)]
    a: Row = {"id": "1", "snippet": " ".join(words)}
    b: Row = {"id": "2", "snippet": " ".join([*words[:-1], "other"])}
    assert step(a, b) == (False, "fields")
    assert step(a, b, rules=replace(DEFAULT_RULES, near_duplicates=17 / 19)) == (True, "fields")
    assert step(a, b, rules=replace(DEFAULT_RULES, near_duplicates=0.9)) == (False, "fields")


def test_the_subject_of_a_mail_is_its_title() -> None:
    (item,) = items({"type": "mail", "fields": {"Subject": "  Hello <b>you</b>"}})
    assert item.title == "hello you"
    (both,) = items({"type": "mail", "title": "Mine", "fields": {"Subject": "Hello"}})
    assert both.title == "mine"

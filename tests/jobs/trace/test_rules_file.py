"""The configuration of deduplication: it starts from the defaults, and what is wrong is said in a sentence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from goldproof.dedup import DEFAULT_RULES, Enough, Rules, TypeRules
from goldproof.errors import FileFormatError
from goldproof.jobs.trace.rules_file import read_rules

DOC = Path(__file__).resolve().parents[3] / "docs" / "concepts" / "deduplication.md"


def read(folder: Path, text: str) -> Rules:
    path = folder / "dedup.yaml"
    path.write_text(text, encoding="utf-8")
    return read_rules(path)


def kind(rules: Rules, name: str) -> TypeRules:
    return next(one for one in rules.types if one.name == name)


def test_what_is_not_named_stays_as_it_is(tmp_path: Path) -> None:
    assert read(tmp_path, "long_snippet: 50") == DEFAULT_RULES
    assert read(tmp_path, "types: {mail: {url_decides: true}}") == DEFAULT_RULES


def test_a_type_is_changed_key_by_key_under_any_of_its_names(tmp_path: Path) -> None:
    rules = read(tmp_path, "types: {Email: {different_if: [from], thresholds: {with_id: {weak: 3}}}}")
    mail, before = kind(rules, "mail"), kind(DEFAULT_RULES, "mail")
    assert mail.different_if == ("sender",)  # `from` is another name of it
    assert mail.same_if == before.same_if
    assert mail.evidence.with_id == Enough(strong=1, intermediate=1, weak=3)
    assert mail.evidence.without_id == before.evidence.without_id
    assert [one.name for one in rules.types] == [one.name for one in DEFAULT_RULES.types]


def test_exact_fields_are_read_under_their_names(tmp_path: Path) -> None:
    rules = read(tmp_path, "types: {ticket: {exact: [Title, repo, branch]}, code: {exact: []}}")
    assert kind(rules, "ticket").exact == ("title", "repository", "branch")
    assert kind(rules, "code symbol").exact == ()


def test_a_new_type_starts_from_plain_rules(tmp_path: Path) -> None:
    rules = read(tmp_path, "types:\n  ticket:\n    aliases: [issue]\n    ids: [[project, number], ticket_id]\n")
    ticket = TypeRules("ticket", aliases=("issue",), ids=(("project", "number"), ("ticket_id",)))
    assert rules.types == (*DEFAULT_RULES.types, ticket)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a]", ("a",)),
        ("{replace: [a]}", ("a",)),
        ("{add: [a]}", (*DEFAULT_RULES.harmless_parameters, "a")),
        ("{replace: [a], add: [b]}", ("a", "b")),
        ("[]", ()),
    ],
)
def test_harmless_parameters_are_added_or_replaced(tmp_path: Path, text: str, expected: tuple[str, ...]) -> None:
    assert read(tmp_path, f"harmless_parameters: {text}").harmless_parameters == expected


def test_other_settings_are_read(tmp_path: Path) -> None:
    rules = read(
        tmp_path,
        "long_snippet: 80\nnear_duplicates: 0.75\nfield_aliases: {sender: [von], team: [squad]}\n"
        "generic: {url_decides: false, fields: {weak: [team]}}\n",
    )
    assert (rules.long_snippet, rules.near_duplicates) == (80, 0.75)
    assert rules.field_aliases["sender"] == ("von",)
    assert rules.field_aliases["team"] == ("squad",)
    assert not rules.generic.url_decides
    assert rules.generic.evidence.weak == ("team",)
    assert read(tmp_path, "near_duplicates: null").near_duplicates is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("type: {}", "dedup.yaml:1: unknown key 'type'; did you mean 'types'?"),
        ("types:\n  mail:\n    sameif: []", "dedup.yaml:3: types: mail: unknown key 'sameif'; did you mean 'same_if'?"),
        ("types: {mail: {fields: {week: []}}}", "types: mail: fields: unknown key 'week'; did you mean 'weak'?"),
        ("types: {mail: }", "types: mail is nothing, expected a mapping."),
        ("types: [mail]", "types is ['mail'], expected a mapping."),
        ("types: {mail: {ids: message_id}}", "ids is 'message_id', expected lists of names, such as [[a, b], [c]]."),
        ("types: {mail: {ids: [[]]}}", "ids is [[]], expected lists of names"),
        ("types: {mail: {times: sent}}", "times is 'sent', expected a list of names, such as [a, b]."),
        ("types: {mail: {times: [[a]]}}", "times is [['a']], expected a list of names"),
        ("types: {mail: {url_decides: 1}}", "types: mail: url_decides is '1', expected true or false."),
        (
            "types: {mail: {thresholds: {with_id: {weak: 0}}}}",
            "with_id: weak is '0', expected a whole number of at least 1.",
        ),
        ("types: {mail: {aliases: [event]}}", "'event' names both the types 'mail' and 'event'; keep one."),
        ("field_aliases: {author: [from]}", "the field 'from' cannot stand for both 'author' and 'sender'"),
        ("types: {mail: {exact: [snippet]}}", "the type 'mail' cannot have 'snippet' compared exactly"),
        ("types: {mail: {exact: sender}}", "types: mail: exact is 'sender', expected a list of names"),
        ("generic: {ids: [[a]]}", "the generic rules cannot have ids"),
        ("long_snippet: many", "long_snippet is 'many', expected a whole number."),
        ("long_snippet: -1", "long_snippet is '-1', expected a whole number."),
        ("near_duplicates: 80", "near_duplicates is '80', expected a number above 0 and at most 1, or null for off."),
        ("near_duplicates: [1]", "near_duplicates is ['1'], expected a number"),
        ("harmless_parameters: {ad: [x]}", "harmless_parameters: unknown key 'ad'; did you mean 'add'?"),
        ("harmless_parameters: x", "harmless_parameters is 'x', expected a mapping"),
        ("- a", "found ['a'], expected keys such as types: or near_duplicates:."),
        ("# nothing", "found nothing, expected keys such as"),
        ("types: {mail: [", "is not YAML"),
        ("long_snippet: 1\nlong_snippet: 2", "dedup.yaml:2: key 'long_snippet' occurs twice."),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FileFormatError) as caught:
        read(tmp_path, text)
    assert message in str(caught.value)


def test_a_missing_or_empty_file_is_called_so(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="no such file"):
        read_rules(tmp_path / "none.yaml")
    with pytest.raises(FileFormatError, match="the file is empty"):
        read(tmp_path, "")


def test_the_documented_file_is_read_and_names_every_key(tmp_path: Path) -> None:
    (example,) = re.findall(r"^```yaml\n(.*?)^```$", DOC.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    rules = read(tmp_path, example)
    ticket = kind(rules, "ticket")
    assert ticket.ids == (("project", "ticket_number"), ("ticket_id",))
    assert rules.near_duplicates == 0.8
    for key in ("long_snippet", "field_aliases", "harmless_parameters", "generic", "types", "thresholds", "fields"):
        assert re.search(rf"^ *{key}:", example, flags=re.MULTILINE), key
    for key in TypeRules.__dataclass_fields__.keys() - {"name", "evidence"}:
        assert re.search(rf"^ *{key}:", example, flags=re.MULTILINE), key

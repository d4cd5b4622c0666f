"""Secrets of the environment do not stand in messages."""

from __future__ import annotations

import json

import pytest

from goldproof.errors import reason_of, redact, shown


@pytest.fixture(autouse=True)
def secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "0123456789")
    monkeypatch.setenv("OTHER_TOKEN", "0123456789-and-more")
    monkeypatch.setenv("SORT_KEY", "name")
    monkeypatch.setenv("EDITOR_OF_CHOICE", "notepad-of-mine")


def test_values_whose_name_says_secret_are_blotted_out() -> None:
    assert redact("sent 0123456789 twice: 0123456789") == "sent *** twice: ***"


def test_a_secret_that_begins_with_another_is_blotted_out_whole() -> None:
    assert redact("sent 0123456789-and-more") == "sent ***"


@pytest.mark.parametrize(
    "name", ["OPENAI_API_KEY_2", "APIKEY7", "SERVICE_KEY_OLD_1", "SOME_TOKENS", "db_password_2", "CLOUD_CREDENTIALS"]
)
def test_names_with_a_number_and_plurals_say_secret_too(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "hidden-value")
    assert redact("sent hidden-value") == "sent ***"


@pytest.mark.parametrize("name", ["KEYCLOAK_URL_1", "KEYBOARD", "TOKENIZERS_PARALLELISM", "KEY_OF_MAP"])
def test_names_that_only_hold_such_a_word_do_not(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "plain-value")
    assert redact("sent plain-value") == "sent plain-value"


def test_the_key_of_ones_own_server_may_be_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_MODEL_KEY", " s3cr\n")  # it is sent without the blanks
    monkeypatch.setenv("OTHER_KEY", "abcd")
    assert redact("s3cr, abcd") == "***, abcd"
    monkeypatch.setenv("GOLDPROOF_MODEL_KEY", "key")
    assert redact("the key") == "the key"


def test_words_and_other_values_stay() -> None:
    assert redact("the name of notepad-of-mine") == "the name of notepad-of-mine"


def test_no_half_of_a_secret_is_left_by_the_cut() -> None:
    assert reason_of(ValueError("x" * 290 + "0123456789")) == f"ValueError: {'x' * 290}***"
    assert shown("x" * 50 + "0123456789") == f"'{'x' * 50}***'"


@pytest.mark.parametrize(
    "secret", ['quote"within-9', "back\\slash-9", "both\\\"and'more", "two\\\\slashes-9", "tab\tinside/9"]
)
def test_a_secret_is_found_as_json_and_python_write_it(secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ODD_KEY", secret)
    once = json.dumps({"sent": secret})
    for text in (once, json.dumps(once), repr({"sent": secret}), f"\\ sent {secret}"):
        blotted = redact(text)
        assert "***" in blotted
        assert not any(part in blotted for part in ("within", "slash", "and'more", "inside"))
    assert json.loads(redact(once)) == {"sent": "***"}


@pytest.mark.parametrize("secret", ["0123456789", "with\U0001f511and-\xe4"])
def test_a_secret_is_found_where_its_characters_stand_as_numbers(secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ODD_KEY", secret)
    units = secret.encode("utf-16-be")
    escaped = "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))
    assert json.loads(f'"{escaped}"') == secret
    assert redact(f'{{"sent": "{escaped}"}}') == '{"sent": "***"}'
    assert redact(f'"{escaped[:6]}{json.dumps(secret)[2:]}') == '"***"'


def test_other_text_with_backslashes_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ODD_KEY", "\\" * 30 + "x-and-more")
    text = "a \\u0041 \\n C:\\temp " + "\\" * 20_000
    assert redact(text) == text

"""The user's code is found in the current folder, called by its name, and known again unless its file was edited."""

from __future__ import annotations

import hashlib
import sys
from fractions import Fraction
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from goldproof.errors import InputError, UnknownNameError
from goldproof.user_code.user_object import UserObject, load_user_object, name_of, source_sha256

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MODULE = """
from functools import partial
from goldproof_other_code import make
def plain(text): return text
class Kind:
    def method(self): pass
thing = Kind()
part = partial(plain, "a")
made = make(1)
"""
OTHER = """
def make(number):
    def inner(text): return number
    return inner
def elsewhere(text): return text
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "goldproof_own_code.py").write_text(MODULE)
    (tmp_path / "goldproof_other_code.py").write_text(OTHER)
    monkeypatch.chdir(tmp_path)
    # Without the current folder, as for a command; what is imported here is forgotten again.
    monkeypatch.setattr(sys, "path", [one for one in sys.path if one])
    yield tmp_path
    for name in ("goldproof_own_code", "goldproof_other_code"):
        sys.modules.pop(name, None)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_current_folder_is_importable(folder: Path) -> None:
    found: Any = load_user_object("goldproof_own_code:plain")
    assert found("a") == "a"
    assert sys.path[0] == str(folder)
    load_user_object("goldproof_own_code:thing")
    assert sys.path.count(str(folder)) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("1 / 0", "importing 'goldproof_bad_code:f' failed with ZeroDivisionError: division by zero"),
        ("def f(:", "importing 'goldproof_bad_code:f' failed with SyntaxError: "),
        ("import sys; sys.exit('usage: f')", "importing 'goldproof_bad_code:f' failed with SystemExit: usage: f"),
        ("import goldproof_nowhere", "'goldproof_bad_code:f': no module named 'goldproof_nowhere'"),
    ],
)
def test_what_an_import_raises_is_one_sentence(folder: Path, content: str, said: str) -> None:
    (folder / "goldproof_bad_code.py").write_text(content)
    with pytest.raises(InputError) as caught:
        load_user_object("goldproof_bad_code:f")
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError) as caught:
        load_user_object("goldproof_bad_code:f", where="rerank")
    assert str(caught.value).startswith(f"rerank: {said}")


@pytest.mark.usefixtures("folder")
def test_a_misspelt_name_is_suggested() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'plain'"):
        load_user_object("goldproof_own_code:plan")
    with pytest.raises(InputError, match=r"^own: unknown attribute of goldproof_own_code 'plan'; did you mean 'plain'"):
        load_user_object("goldproof_own_code:plan", where="own")


@pytest.mark.parametrize("name", ["plain", "Kind", "thing", "thing.method", "part"])
def test_the_file_of_a_name_says_what_it_is(folder: Path, name: str) -> None:
    load_user_object(f"goldproof_own_code:{name}")
    assert source_sha256(f"goldproof_own_code:{name}") == digest(folder / "goldproof_own_code.py")


@pytest.mark.parametrize("edited", ["goldproof_own_code.py", "goldproof_other_code.py"])
def test_an_edit_is_noticed_where_it_is_named_and_where_it_is_defined(folder: Path, edited: str) -> None:
    load_user_object("goldproof_own_code:made")
    before = source_sha256("goldproof_own_code:made")
    assert before == source_sha256("goldproof_own_code:made")
    with (folder / edited).open("a") as stream:
        stream.write("# edited\n")
    after = source_sha256("goldproof_own_code:made")
    assert None not in (before, after)
    assert before != after


@pytest.mark.usefixtures("folder")
def test_what_is_handed_over_is_known_where_its_module_holds_it() -> None:
    here = digest(Path(__file__))
    assert source_sha256(held) == here
    assert source_sha256(decorated) == here
    assert source_sha256(Held) == here
    assert source_sha256(Held.method) == here
    found: Any = load_user_object("goldproof_own_code:made")
    for unknown in (found, partial(held, "a"), Held(), Held().method, again(held), lambda text: text, len, str.split):
        assert source_sha256(unknown) is None


def test_what_was_typed_into_an_interpreter_has_no_source() -> None:
    scope: dict[str, object] = {"__name__": "typed"}
    exec("def typed(text): return text", scope)  # noqa: S102 - a function that stands in no file
    assert source_sha256(scope["typed"]) is None


def test_names_are_those_that_load_it() -> None:
    assert name_of("a.b:c") == "a.b:c"
    assert name_of(Fraction.from_float) == "fractions:Fraction.from_float"
    assert name_of(Fraction()) == "fractions:Fraction"
    assert name_of(str.split) == "builtins:str.split"


def test_an_object_with_a_key_keeps_it() -> None:
    keyed, unknown, known = UserObject.of(Keyed()), UserObject.of(Held()), UserObject.of(held)
    assert [user.is_lasting for user in (keyed, unknown, known)] == [True, False, True]
    assert keyed.key == "version 2"
    assert unknown.key == f"{__name__}:Held (not in a file)"
    assert known.key == f"{__name__}:held (file {digest(Path(__file__))[:16]})"


def again(function: Callable[[str], str]) -> Callable[[str], str]:
    @wraps(function)
    def twice(text: str) -> str:
        return function(function(text))

    return twice


def held(text: str) -> str:
    return text


@again
def decorated(text: str) -> str:
    return text


class Held:
    def method(self) -> None:
        """Do nothing."""


class Keyed:
    key = "version 2"

"""What a program imports, from its syntax alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.jobs.mine.python_names import ImportedName, imported_names


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import a", [("a", ())]),
        ("import a.b", [("a.b", ())]),
        ("import a.b\na.b.C()\na.x.D()", [("a.b", ("a.b.C",))]),
        ("import a.b as c\nc.D()\nc.D.e", [("a.b", ("a.b.D", "a.b.D.e"))]),
        ("import a, b.c", [("a", ()), ("b.c", ())]),
        ("from a import b", [("a.b", ())]),
        ("from a.b import C as D\nD.make().then", [("a.b.C", ("a.b.C.make",))]),
        ("from a import b\nb.C(b.D, x=b.E[0])", [("a.b", ("a.b.C", "a.b.D", "a.b.E"))]),
        ("from . import a\nfrom .b import C\nfrom .. import d", []),
        ("def f():\n    from a import B\n    return B", [("a.B", ())]),
        ("try:\n    import a\nexcept ImportError:\n    import b as a\na.X", [("a", ("a.X",)), ("b", ("b.X",))]),
        ("if TYPE_CHECKING:\n    from a import B\ndef f(x: B.C) -> None: ...", [("a.B", ("a.B.C",))]),
        ("class X:\n    async def f(self):\n        import a\n        await a.run()", [("a", ("a.run",))]),
        ("from a import B\n@B.tool\ndef f(): ...", [("a.B", ("a.B.tool",))]),
        ("from a import b\nb.x = 1\ndel b.y", [("a.b", ("a.b.x", "a.b.y"))]),
        ("import a\nf'{a.B!r:>{a.C}}'", [("a", ("a.B", "a.C"))]),
        ("import a\nmatch x:\n    case a.B(): ...", [("a", ("a.B",))]),
        ("import a\nx[0].a.b", [("a", ())]),
        ("from a import b\nfrom a import b as c\nb.X; c.Y", [("a.b", ("a.b.X", "a.b.Y"))]),
        ("x = 1", []),
        ("", []),
    ],
)
def test_imports_and_what_is_used_of_them(code: str, found: list[tuple[str, tuple[str, ...]]]) -> None:
    assert [(one.name, one.uses) for one in imported_names(code)] == found


def test_of_a_star_import_every_name_may_be_that_nothing_else_binds() -> None:
    code = "from a import *\nimport os\nlocal = 1\ndef f(given):\n    return B(local, given, len(os.sep), C.d)"
    assert imported_names(code)[0] == ImportedName("a", ("a.B", "a.C.d"), star=True)


@pytest.mark.parametrize(
    "code",
    [
        "import a\na = 1",
        "import a\ndef f(a): ...",
        "import a\nfor a in x: ...",
        "import a\nwith x as a: ...",
        "import a\ntry: ...\nexcept E as a: ...",
        "import a\ndef a(): ...",
        "import a\nclass a: ...",
        "import a\n[a for a in x]",
        "import a\n(a := 1)",
        "import a\nmatch x:\n    case [a]: ...",
        "import a\nmatch x:\n    case {'k': 1, **a}: ...",
    ],
)
def test_a_name_that_is_also_assigned_is_not_sure(code: str) -> None:
    assert [(one.name, one.sure) for one in imported_names(code)] == [("a", False)]
    assert imported_names(code.partition("\n")[0])[0].sure


@pytest.mark.parametrize("code", ["def f(:", "x = 'a\x00'", "print 1", "(" * 1000 + ")" * 1000, "\ud800"])
def test_what_is_no_python_is_said(code: str) -> None:
    with pytest.raises(InputError, match="it is no Python"):
        imported_names(code)


def test_odd_escapes_do_not_warn() -> None:
    assert imported_names(r"import a" "\n" r"x = '\d'" "\nx is 1\n")[0].name == "a"


@given(st.text(max_size=80) | st.text("importfmas .*,()\n\tab:=", max_size=80))
def test_any_text_is_read_or_refused(code: str) -> None:
    try:
        found = imported_names(code)
    except InputError:
        return
    assert len({one.name for one in found}) == len(found)

"""Distributions are found by name, in any spelling, and bring their own modules only."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from goldproof.corpus.packages import find_distribution, open_package
from goldproof.corpus.packages.module_files import module_name
from goldproof.errors import InputError, UnknownNameError
from tests.corpus.packages.conftest import Install, write_files

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("spelling", ["big-shop", "big_shop", "Big.Shop", "BIG__shop"])
def test_every_spelling_of_a_name_is_one_name(install: Install, spelling: str) -> None:
    install("Big-Shop", {"bigshop/__init__.py": ""}, version="2.5")
    found = find_distribution(spelling)
    assert (found.name, found.version, found.import_names) == ("Big-Shop", "2.5", ("bigshop",))


def test_a_namespace_package_comes_without_its_siblings(install: Install) -> None:
    install("acme-one", {"acme/one/__init__.py": "", "acme/one/deep/tool.py": ""})
    install("acme-two", {"acme/two/__init__.py": "", "acme/two/other.py": ""})
    found = find_distribution("acme-one")
    assert found.import_names == ("acme.one",)
    assert [file.module for file in found.files] == ["acme.one", "acme.one.deep.tool"]
    assert {d.id for d in open_package("acme-one").documents()} == {"acme.one", "acme.one.deep.tool"}


def test_a_single_file_is_a_module(install: Install) -> None:
    install("lonely", {"lonely.py": "def f(): ...\n"})
    assert find_distribution("lonely").import_names == ("lonely",)


def test_an_import_name_finds_the_distribution_that_owns_it(install: Install) -> None:
    install("PyShop", {"shoplib/__init__.py": ""})
    install("types-PyShop", {"shoplib-stubs/__init__.pyi": "", "shoplib-stubs/till.pyi": ""})
    assert find_distribution("shoplib").name == "PyShop"


def test_an_import_name_that_several_share_names_them(install: Install) -> None:
    install("acme-one", {"acme/one/__init__.py": ""})
    install("acme-two", {"acme/two/__init__.py": ""})
    with pytest.raises(InputError, match=r"'acme' is an import name that 2 .* share \(acme-one, acme-two\)"):
        find_distribution("acme")


def test_an_unknown_name_suggests_near_ones(install: Install) -> None:
    install("paper-shop", {"papershop.py": ""})
    with pytest.raises(UnknownNameError, match="did you mean 'paper-shop'") as caught:
        find_distribution("paper-shpo")
    assert "package:paper-shpo==VERSION" in str(caught.value)
    assert "pip install" not in str(caught.value)


def test_a_name_that_is_like_no_other_says_how_to_get_it_and_lists_nothing(install: Install) -> None:
    install("paper-shop", {"papershop.py": ""})
    with pytest.raises(UnknownNameError) as caught:
        find_distribution("qqnothing")
    assert str(caught.value) == (
        "unknown package 'qqnothing'; no distribution of that name is installed here.\n"
        "  Install it here (pip install qqnothing), read another environment "
        "(package:qqnothing#python=/path/to/python), or pin a version to fetch its wheel (package:qqnothing==VERSION)."
    )


def test_what_python_cannot_import_is_no_module_and_is_remarked(install: Install) -> None:
    install("odd", {"odd/__init__.py": "", "odd/with-hyphen/run.py": "x = 1\n"})
    found = find_distribution("odd")
    assert [file.module for file in found.files] == ["odd"]
    assert found.remarks == ("1 Python file (odd/with-hyphen/run.py): not importable by that name, so no module.",)


def test_compiled_modules_without_a_stub_are_remarked(install: Install) -> None:
    files = {
        "fast/__init__.py": "",
        "fast/core.cpython-311-x86_64-linux-gnu.so": b"\x7fELF",
        "fast/typed.abi3.so": b"\x7fELF",
        "fast/typed.pyi": "def quick(n: int) -> int: ...\n",
    }
    install("fast", files)
    package = open_package("fast")
    assert package.remarks == ("1 compiled module (fast.core): no source and no stub, so not read.",)
    assert package.inspect("fast.typed.quick").signature == "quick(n: int) -> int"


def test_a_distribution_without_modules_says_so(install: Install) -> None:
    install("only-data", {"only_data/table.csv": "a,b\n"})
    with pytest.raises(InputError, match=r"package only-data 1\.0: no Python module of it was found"):
        find_distribution("only-data")


def test_without_a_record_top_level_names_lead_to_the_files(install: Install) -> None:
    site = install("old", {"old/__init__.py": "", "old/part.py": ""}, record=False)
    (site / "old-1.0.dist-info" / "top_level.txt").write_text("old\n")
    assert [file.module for file in find_distribution("old").files] == ["old", "old.part"]


def editable(site: Path, name: str, extra: dict[str, str]) -> None:
    info = f"{name}-1.0.dist-info"
    write_files(site, {f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", **extra})
    write_files(site, {f"{info}/RECORD": "".join(f"{path},,\n" for path in extra)})


def test_an_editable_install_is_read_where_its_pth_file_points(install: Install, tmp_path: Path) -> None:
    site = install("unrelated", {"unrelated.py": ""})
    project = tmp_path / "project"
    write_files(project, {"src/live/__init__.py": "", "src/live/part.py": "", "src/other/__init__.py": ""})
    editable(site, "live", {"_live.pth": str(project / "src") + "\n"})
    assert [file.module for file in find_distribution("live").files] == ["live", "live.part"]


def test_an_editable_install_is_read_by_the_mapping_of_its_finder(install: Install, tmp_path: Path) -> None:
    site = install("unrelated", {"unrelated.py": ""})
    project = tmp_path / "project"
    write_files(project, {"lib/live/__init__.py": "", "lib/live/part.py": "", "lib/tests/test_it.py": ""})
    finder = (
        f"import sys\nMAPPING: dict[str, str] = {{'live': {str(project / 'lib' / 'live')!r}}}\nsys.exit('was run')\n"
    )
    pth = "import __editable___live_finder; __editable___live_finder.install()\n"
    editable(site, "live", {"__editable___live_finder.py": finder, "__editable__.live-1.0.pth": pth})
    found = find_distribution("live")
    assert [(file.module, file.relative) for file in found.files] == [
        ("live", "live/__init__.py"),
        ("live.part", "live/part.py"),
    ]


def test_an_editable_install_is_read_by_its_url_when_nothing_else_tells(install: Install, tmp_path: Path) -> None:
    site = install("unrelated", {"unrelated.py": ""})
    project = tmp_path / "project"
    write_files(project, {"live/__init__.py": "", "tests/test_it.py": "", "setup.py": ""})
    url = json.dumps({"url": project.as_uri(), "dir_info": {"editable": True}})
    editable(site, "live", {"live-1.0.dist-info/direct_url.json": url})
    assert [file.module for file in find_distribution("live").files] == ["live"]


def test_another_interpreter_has_its_own_packages(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    site = install("elsewhere", {"elsewhere.py": "def there(): ...\n"})
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path != str(site)])
    with pytest.raises(UnknownNameError):
        open_package("elsewhere")
    monkeypatch.setenv("PYTHONPATH", str(site))  # which the other interpreter heeds
    package = open_package(f"elsewhere#python={sys.executable}")
    assert [d.id for d in package.documents()] == ["elsewhere", "elsewhere.there"]


def test_something_that_is_no_interpreter_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be run as a Python interpreter"):
        open_package(f"pydantic#python={tmp_path / 'none'}")


@pytest.mark.parametrize(
    ("relative", "module"),
    [
        ("a/__init__.py", "a"),
        ("a/b.py", "a.b"),
        ("a/b.cpython-311-x86_64-linux-gnu.so", "a.b"),
        ("a-stubs/b.pyi", "a.b"),
        ("a/b-c.py", None),
        ("a/2b/c.py", None),
        ("a.py", "a"),
    ],
)
def test_a_file_is_the_module_of_its_path(relative: str, module: str | None) -> None:
    assert module_name(relative) == module

"""Source trees and repositories: a snapshot, never built."""

from __future__ import annotations

import os
import subprocess
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from goldproof.corpus.libraries import open_library
from goldproof.errors import InputError
from tests.corpus.libraries.test_wheels import says

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.corpus.libraries.conftest import MakeWheel

PROJECT = """
[project]
name = "my-shop"
version = "1.2"
"""


def write_tree(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(dedent(text))
    return folder


def commit(folder: Path) -> str:
    """Commit everything and return the commit."""
    names = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@a", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@a"}
    for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "x"]):
        subprocess.run(["git", *command], cwd=folder, check=True, env={**os.environ, **names})
    return subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


def test_a_tree_is_copied_with_its_data_its_needs_and_its_entry_points(make_wheel: MakeWheel, tmp_path: Path) -> None:
    make_wheel("stall", "0.3")
    make_wheel("gadget", "5.0")
    project = """
    [project]
    name = "my-shop"
    version = "1.2"
    dependencies = ["stall>=0.1"]
    [project.optional-dependencies]
    web = ["gadget"]
    all = ["my-shop[web]"]
    [project.scripts]
    shop = "my_shop.main:run"
    """
    tree = write_tree(
        tmp_path / "tree",
        {
            "pyproject.toml": project,
            "src/my_shop/__init__.py": "from my_shop.main import run\n",
            "src/my_shop/main.py": "def run(): print('open')\n",
            "src/my_shop/prices.csv": "1,2\n",
            "tests/test_it.py": "raise SystemExit\n",
        },
    )
    (tree / "src/my_shop/linked.py").symlink_to("/etc/passwd")
    library = open_library(f"my_shop[all] @ {tree}")
    assert library.origin == "source tree"
    assert library.label.startswith("my-shop[all]==1.2 (tree ")
    assert dict(library.distributions) == {"gadget": "5.0", "my-shop": "1.2", "stall": "0.3"}
    code = """
import importlib.metadata, importlib.resources, my_shop
point, = importlib.metadata.entry_points(group="console_scripts", name="shop")
point.load()()
prices = importlib.resources.files(my_shop).joinpath("prices.csv").read_text().strip()
print(importlib.metadata.version("my-shop"), prices)
"""
    assert says(library, code).split() == ["open", "1.2", "1,2"]
    with pytest.raises(subprocess.CalledProcessError):
        says(library, "import my_shop.linked")
    (tree / "src/my_shop/main.py").write_text("def run(): print('shut')\n")
    assert says(library, "import my_shop; my_shop.run()") == "open"  # a snapshot
    assert open_library(str(tree)).label != library.label


@pytest.mark.usefixtures("index")
@pytest.mark.parametrize(
    ("files", "module"),
    [
        ({"my_shop/__init__.py": "", "other/__init__.py": ""}, "my_shop"),
        ({"my_shop.py": "", "setup.py": "", "conftest.py": ""}, "my_shop"),
        ({"my/shop/__init__.py": "", "docs/conf.py": "", "tests/__init__.py": ""}, "my.shop"),
        ({"src/my/shop/__init__.py": ""}, "my.shop"),
        (
            {
                "lib/till/__init__.py": "",
                "pyproject.toml": PROJECT + '[tool.hatch.build.targets.wheel]\npackages = ["lib/till"]',
            },
            "till",
        ),
        (
            {
                "src/a/b/__init__.py": "",
                "src/c/__init__.py": "",
                "pyproject.toml": PROJECT + '[tool.flit.module]\nname = "a.b"',
            },
            "a.b",
        ),
        (
            {
                "python/till/__init__.py": "",
                "pyproject.toml": PROJECT + '[tool.setuptools.packages.find]\nwhere = ["python"]',
            },
            "till",
        ),
    ],
)
def test_packages_are_found_in_every_usual_layout(files: dict[str, str], module: str, tmp_path: Path) -> None:
    library = open_library(str(write_tree(tmp_path / "tree", {"pyproject.toml": PROJECT, **files})))
    assert library.import_names == (module,)
    says(library, f"import {module}")


@pytest.mark.usefixtures("index")
def test_a_version_that_a_build_would_work_out_is_the_hash_of_the_tree(tmp_path: Path) -> None:
    project = """
    [project]
    name = "my-shop"
    dynamic = ["version"]
    [tool.hatch.build.hooks.vcs]
    version-file = "src/my_shop/_version.py"
    """
    files = {"pyproject.toml": project, "src/my_shop/__init__.py": "from my_shop._version import __version__\n"}
    one = open_library(str(write_tree(tmp_path / "one", files)))
    other = open_library(str(write_tree(tmp_path / "elsewhere", files)))
    assert one.version.startswith("0+")
    assert one.label == other.label
    assert says(one, "import my_shop; print(my_shop.__version__)") == one.version
    assert "written by Goldproof" in one.remarks[0]


@pytest.mark.usefixtures("index")
@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"setup.py": "raise SystemExit"}, r"only a setup.py, which would have to be run"),
        ({"pyproject.toml": "[build-system]\nrequires = []\n"}, r"no \[project\] table with a name"),
        ({"pyproject.toml": "[project"}, r"is not TOML"),
        ({"pyproject.toml": PROJECT + '[build-system]\nbuild-backend = "maturin"\n'}, r"built by maturin"),
        ({"pyproject.toml": PROJECT + '[build-system]\nrequires = ["Cython>=3"]\n'}, r"built with Cython"),
        ({"pyproject.toml": PROJECT, "setup.py": "setup(ext_modules=[])"}, r"has extension modules"),
        (
            {"pyproject.toml": PROJECT, "my_shop/a.pyx": "", "my_shop/__init__.py": ""},
            r"my_shop/a.pyx must be compiled",
        ),
        ({"pyproject.toml": PROJECT}, r"no Python package of my-shop was found"),
        ({"pyproject.toml": '[project]\nname = "s"\ndynamic = ["dependencies"]\n', "s.py": ""}, r"worked out by code"),
        (
            {"pyproject.toml": PROJECT + 'dependencies = ["a @ https://x.invalid/a.zip"]', "my_shop.py": ""},
            r"an address",
        ),
        (
            {"pyproject.toml": PROJECT + 'dependencies = ["https://x.invalid/a.zip"]', "my_shop.py": ""},
            r"requires 'https://x.invalid/a.zip', which is not NAME with a version; not installed",
        ),
    ],
)
def test_a_tree_that_would_have_to_be_built_is_refused_with_why(
    files: dict[str, str], why: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=why):
        open_library(str(write_tree(tmp_path / "tree", files)))


@pytest.mark.usefixtures("index")
def test_a_repository_is_read_at_a_commit_and_no_hook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = write_tree(tmp_path / "repo", {"pyproject.toml": PROJECT, "my_shop.py": "STATE = 'old'\n"})
    first = commit(tree)
    write_tree(tree, {"my_shop.py": "STATE = 'new'\n"})
    second = commit(tree)
    hook = write_tree(tmp_path / "hooks", {"post-checkout": "#!/bin/sh\ntouch ran\n"}) / "post-checkout"
    hook.chmod(0o755)
    for number, (name, value) in enumerate({"core.hooksPath": str(hook.parent)}.items()):
        monkeypatch.setenv(f"GIT_CONFIG_KEY_{number}", name)
        monkeypatch.setenv(f"GIT_CONFIG_VALUE_{number}", value)
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    address = f"git+{tree.as_uri()}"
    for spec, wanted, state in (
        (address, second, "new"),
        (f"my-shop @ {address}@main", second, "new"),
        (f"{address}@{first}", first, "old"),
        (f"{address}@{first[:9]}", first, "old"),
    ):
        library = open_library(spec)
        assert (library.origin, library.label) == ("repository", f"my-shop==1.2 (commit {wanted[:12]})")
        assert says(library, "import my_shop; print(my_shop.STATE)") == state
    assert not list(tmp_path.rglob("ran"))


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("git+ext::sh -c touch% /tmp/x", r"expected git\+https"),
        ("git+--upload-pack=x", r"expected git\+https"),
        ("git+https://example.invalid/a@--upload-pack=x", r"expected git\+https"),
        ("git+file:///nowhere/at/all", r"cannot be fetched; .*\n  git: "),
    ],
)
def test_an_address_that_is_none_is_refused(spec: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        open_library(spec)

"""What the documentation shows is what happens."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import typer

import goldproof
from docs.check_site import problems
from goldproof.cli.main import app

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = re.compile(r"```python\n(?P<code>.*?)```(?:\n\n```text\n(?P<output>.*?)```)?", re.DOTALL)
LINK = re.compile(r"\]\((?P<target>[^)#\s]*)(?:#(?P<anchor>[^)\s]*))?\)")
FENCED = re.compile(r"^(?P<fence>`{3,}).*?^(?P=fence)`*$", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^#{1,6} (?P<text>.+)$", re.MULTILINE)


def pages(repo: Path) -> list[Path]:
    return [repo / "README.md", repo / "CONTRIBUTING.md", repo / "CHANGELOG.md", *sorted((repo / "docs").rglob("*.md"))]


def test_every_program_runs_and_prints_what_the_page_says(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    programs = [(page, found) for page in pages(repo) for found in PROGRAM.finditer(page.read_text(encoding="utf-8"))]
    assert programs
    for page, found in programs:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            program = compile(found["code"], str(page), "exec", dont_inherit=True)  # not our own __future__ imports
            exec(program, {"__name__": "__main__"})  # noqa: S102 - our own pages
        if found["output"] is not None:
            assert printed.getvalue().strip() == found["output"].strip(), page


def test_every_local_link_leads_somewhere(repo: Path) -> None:
    """On a code host: to a file that is there, and to a heading by the anchor that the host makes of it."""
    wrong = list[str]()
    for page in [*pages(repo), repo / "ARCHITECTURE.md", repo / "llms.txt"]:
        for link in LINK.finditer(prose(page)):
            if "://" in link["target"]:
                continue
            target = page.parent / link["target"] if link["target"] else page
            known = target.exists() and (not link["anchor"] or link["anchor"] in anchors(target))
            wrong += [] if known else [f"{page.relative_to(repo)}: {link[0]}"]
    assert not wrong, "\n".join(wrong)


def prose(page: Path) -> str:
    """Return a page without its code blocks."""
    return FENCED.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page: lower case, punctuation dropped, blanks as hyphens, numbered where they repeat."""
    found: dict[str, int] = {}
    for heading in HEADING.finditer(prose(page)):
        slug = re.sub(r"[^\w\- ]", "", heading["text"].lower()).replace(" ", "-")
        found[slug] = found.get(slug, -1) + 1
    return {f"{slug}-{i}" if i else slug for slug, last in found.items() for i in range(last + 1)}


def test_the_front_page_leads_to_every_page(repo: Path) -> None:
    """The site's navigation is made from it."""
    docs = repo / "docs"
    listed = {(docs / link["target"]).resolve() for link in LINK.finditer(prose(docs / "index.md"))}
    assert set(docs.rglob("*.md")) - listed == {docs / "index.md"}


def test_the_check_of_the_site_finds_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "good.html").write_text('<h1 id="top"></h1><a href="#top">a</a><a href="https://example.org">b</a>')
    (tmp_path / "bad.html").write_text(
        '<a href="good.html#top">right</a><a href="gone.html">x</a><a href="good.html#gone">x</a>'
        '<script src="https://cdn.example/x.js"></script><style>@import "https://fonts.example/x.css";</style>'
    )
    (tmp_path / "site.css").write_text("@font-face { src: url(//fonts.example/x.woff) }")
    assert problems(tmp_path) == [
        "bad.html loads https://fonts.example/x.css",
        "bad.html loads https://cdn.example/x.js",
        "bad.html: gone.html leads to no file",
        "bad.html: good.html#gone has no such anchor",
        "site.css loads //fonts.example/x.woff",
    ]


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "NOTICE"])
def test_the_usual_files_are_there(repo: Path, name: str) -> None:
    assert (repo / name).stat().st_size > 0


def test_generated_pages_are_up_to_date(repo: Path) -> None:
    spec = importlib.util.spec_from_file_location("generate", repo / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for page, text in module.generated().items():
        assert page.read_text(encoding="utf-8") == text, f"{page.name} is stale: run make docs"


def test_the_documented_summary_has_the_real_keys(repo: Path) -> None:
    page = (repo / "docs" / "reference" / "outputs.md").read_text(encoding="utf-8")
    found = re.search(r"```json\n(.*?)```", page, re.DOTALL)
    assert found is not None
    demo = repo / "src" / "goldproof" / "data" / "demo"
    runs = {"bm25": demo / "runs" / "titles.trec", "dense": demo / "runs" / "fulltext.trec"}
    real = goldproof.evaluate(demo, runs=runs, metrics="nDCG@10").gated(["nDCG@10 worse"]).to_dict()
    assert keys(json.loads(found[1])) == keys(real)


def keys(value: object, depth: int = 6) -> object:
    """Return the shape of nested data: keys all the way down, but not the second run and the reasons."""
    if isinstance(value, dict) and depth:
        return {str(k): ... if k == "reasons" else keys(v, depth - 1) for k, v in value.items() if k != "dense"}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [keys(value[0], depth)]
    return ...


def test_every_command_is_documented(repo: Path) -> None:
    root = typer.main.get_command(app)
    readme = (repo / "README.md").read_text(encoding="utf-8")
    for name in getattr(root, "commands", {}):
        assert f"`goldproof {name}`" in readme, name


EXAMPLES = (
    "build_benchmark.py",
    "compare_retrievers.py",
    "draft_questions.py",
    "mem0_memory.py",
    "mine_benchmark.py",
    "own_scores.py",
    "run_retrievers.py",
    "search_traces.py",
    "test_memory.py",
    "verify_questions.py",
)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_runs(repo: Path, tmp_path: Path, name: str) -> None:
    assert {p.name for p in (repo / "examples").glob("*.py")} == set(EXAMPLES)
    done = subprocess.run(
        [sys.executable, str(repo / "examples" / name)], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr
    said = {
        "draft_questions.py": "Drafted 10 questions",
        "verify_questions.py": "incorrect",
        "mem0_memory.py": "live in Porto",
        "test_memory.py": "pass rate",
    }
    assert said.get(name, "better") in done.stdout

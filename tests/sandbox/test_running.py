"""What becomes of scripts: every way to end, as the supervisor sees it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import InputError
from goldproof.sandbox import Limits

if TYPE_CHECKING:
    from goldproof.sandbox import Sandbox

pytestmark = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is missing: make system-deps")
EVERY_DESCRIPTOR = """
import os
for number in map(int, os.listdir('/proc/self/fd')):
    if number > 2:
        try:
            {do}
        except OSError:
            pass
{then}
"""
UNSIGNED = "b'x' * 32 + (2).to_bytes(8, 'big') + b'{}'"
IGNORES_SIGNALS = """
import signal, time
for number in range(1, 32):
    try:
        signal.signal(number, signal.SIG_IGN)
    except OSError:
        pass
time.sleep(60)
"""
DEEP = """
import os
for _ in range(20):
    os.makedirs('/'.join(['d' * 60] * 40))
    os.chdir('/'.join(['d' * 60] * 40))
"""
SMALL = Limits(seconds=20.0, memory_mb=64, processes=8, file_mb=1, disk_mb=2, output_kb=8, open_files=64)


def test_a_script_that_ends_has_finished_and_its_output_is_kept(box: Sandbox) -> None:
    run = box.run("import sys\nprint('out')\nprint('err', file=sys.stderr)")
    assert (run.ended, run.stdout, run.stderr, run.reason) == ("finished", "out\n", "err\n", "")
    assert (run.level, run.mode, run.counts) == ("bubblewrap", "zygote", True)
    assert run.seconds > 0 < run.cpu_seconds


def test_observations_arrive_in_order(box: Sandbox) -> None:
    run = box.run("from goldproof_proof import observe\nobserve('a', len, [1, 2])\nobserve('b', int, 'x')")
    assert [(seen["name"], seen["outcome"]) for seen in run.observations] == [("a", "returned"), ("b", "raised")]


def test_a_script_that_raises_has_crashed(box: Sandbox) -> None:
    run = box.run("1 / 0")
    assert run.ended == "crashed"
    assert "ZeroDivisionError" in run.reason


@pytest.mark.parametrize("script", ["import sys; sys.exit(0)", "raise SystemExit(3)", "import os; os._exit(0)"])
def test_a_script_that_ends_early_has_exited_whatever_its_status(box: Sandbox, script: str) -> None:
    run = box.run(script)
    assert (run.ended, run.observations, run.counts) == ("exited", (), False)


def test_death_by_a_signal_is_a_crash_that_names_it(box: Sandbox) -> None:
    run = box.run("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    assert (run.ended, run.reason) == ("crashed", "it died of SIGSEGV")


@pytest.mark.parametrize(
    ("ended", "script"),
    [
        ("timeout", "while True: pass"),
        ("timeout", "import time; time.sleep(60)"),
        ("timeout", IGNORES_SIGNALS),
        ("output", "while True: print('x' * 1000)"),
        ("output", "import os\nwhile True: os.write(2, b'x' * 1000)"),
        ("output", "from goldproof_proof import observe\nfor _ in range(100): observe('big', str, 'x' * 3000)"),
        ("files", "open('one', 'wb').write(b'x' * (3 << 20))"),
        ("files", "import time\nfor n in range(6): open(str(n), 'wb').write(b'x' * 900_000)\ntime.sleep(60)"),
        ("memory", "x = bytearray(200 << 20)"),
        ("memory", "import os, time\nfor _ in range(4): os.fork()\nx = b'x' * (20 << 20)\ntime.sleep(60)"),
    ],
)
def test_what_uses_more_than_it_may_is_ended_and_says_what(box: Sandbox, ended: str, script: str) -> None:
    # Long enough for a busy machine, but where the time itself is what ends it.
    limits = replace(SMALL, seconds=0.5 if ended == "timeout" else 20.0, processes=32)
    run = box.run(script, limits=limits)
    assert (run.ended, run.observations, run.counts) == (ended, (), False)
    assert run.reason
    assert max(len(run.stdout), len(run.stderr)) <= limits.output_kb * 1024


@pytest.mark.parametrize(
    "script",
    [
        # Every descriptor that can be written to gets a message without the token.
        EVERY_DESCRIPTOR.format(do=f"os.write(number, {UNSIGNED})", then="os._exit(0)"),
        # Bytes before the real one.
        EVERY_DESCRIPTOR.format(do="os.write(number, b'{}')", then=""),
        # Two processes send one each.
        "import os\nif os.fork():\n    os.wait()",
        # The token is taken, so that the observer cannot sign.
        EVERY_DESCRIPTOR.format(do="os.set_blocking(number, False); os.read(number, 32)", then=""),
    ],
)
def test_a_message_that_the_observer_did_not_make_is_forged(box: Sandbox, script: str) -> None:
    run = box.run(script)
    assert (run.ended, run.observations, run.counts) == ("forged", (), False)


def test_files_are_given_and_names_stay_in_the_folder(box: Sandbox) -> None:
    script = "import tool\nprint(tool.VALUE, open('data/in.txt', newline='').read())"
    run = box.run(script, files={"tool.py": "VALUE = 7\n", "data/in.txt": "äöü\r\n"})
    assert (run.ended, run.stdout) == ("finished", "7 äöü\r\n\n")
    for name in ("/etc/x", "../x", "a/../../x", "", "a/", "x\0y"):
        with pytest.raises(InputError, match="stay in its folder"):
            box.run("", files={name: ""})


def test_nothing_of_a_run_is_there_for_the_next(box: Sandbox) -> None:
    first = box.run(
        "import os, subprocess, sys, json\njson.GOLDPROOF = 1\nos.environ['GOLDPROOF'] = '1'\nopen('left', "
        "'w').write('x')\n"
        "os.makedirs('a/b'); os.symlink('/usr', 'a/link'); os.chmod('a/b', 0); os.mkdir('c'); os.chmod('c', 0)\n"
        "subprocess.Popen(['sleep', '100'])"
    )
    assert first.ended == "finished", first
    second = box.run(
        "import os, json\nprint(os.listdir('.'), hasattr(json, 'GOLDPROOF'), 'GOLDPROOF' in os.environ)\n"
        "for name in os.listdir('/proc/self'): pass"
    )
    assert second.stdout == "[] False False\n"


def test_folders_however_deep_are_removed(box: Sandbox) -> None:
    # 40 * 20 levels of 61 characters: much longer than a path may be.
    assert box.run(DEEP).ended == "finished"
    assert box.run("import os; print(os.listdir('.'))").stdout == "[]\n"


def test_scripts_see_a_small_world(box: Sandbox) -> None:
    run = box.run(
        "import os, sys, pwd\n"
        "print(os.getuid() != 0, os.getgroups(), pwd.getpwuid(os.getuid()).pw_name, os.getcwd())\n"
        "print(sorted(os.environ))\nprint(sys.stdin.read() == '', sys.flags.dont_write_bytecode, hash('goldproof'))"
    )
    threads = ["MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS", "RAYON_NUM_THREADS"]
    own = ["HOME", "LANG", "PATH", "PWD", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "TMPDIR", "TZ"]
    names = sorted([*threads, *own])
    assert run.ended == "finished", run
    first, second, third = run.stdout.splitlines()
    assert first == "True [] goldproof /box/proof"
    assert second == str(names)
    assert third == box.run("print(True, 1, hash('goldproof'))").stdout.strip()


def test_the_limit_on_processes_binds(box: Sandbox) -> None:
    script = (
        "import os, time\nmade = 0\ntry:\n    while made < 200:\n"
        "        if os.fork() == 0:\n            time.sleep(60)\n        made += 1\nexcept OSError:\n    print(made)"
    )
    run = box.run(script, limits=SMALL)
    assert run.ended == "finished", run
    assert 0 < int(run.stdout) < 8


def test_cpu_time_of_all_processes_is_counted(box: Sandbox) -> None:
    script = (
        "import os, time\nif os.fork() == 0:\n    while time.process_time() < 0.3: pass\n    os._exit(0)\nos.wait()"
    )
    assert box.run(script).cpu_seconds >= 0.3

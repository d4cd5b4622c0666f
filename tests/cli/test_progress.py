"""The progress line on a real terminal: shown, cleared, and out of the way of everything else that is printed."""

from __future__ import annotations

import subprocess
import sys
from signal import SIGINT, SIGKILL
from typing import TYPE_CHECKING

import pytest

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals on Windows", allow_module_level=True)

from tests.terminal import on_terminal

if TYPE_CHECKING:
    from pathlib import Path

BEFORE = """
import signal, sys, threading, time
from contextlib import redirect_stdout
from goldproof.cli.command import resumable
from goldproof.cli.progress import ProgressLine
from goldproof.progress import Progress
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may have it ignored
"""


def test_the_line_says_how_far_it_is_and_is_gone_at_the_end_of_the_stage() -> None:
    ended = on_terminal(f"""{BEFORE}
with ProgressLine() as line:
    line(Progress("questions", 1_000, 2_000, failed=3, cached=4, note="$0.2500"))
    time.sleep(0.3)
    line(Progress("questions", 2_000, 2_000))
    print("then this")
    line(Progress("old: conversations read", 5, note="7 results"))
""")
    assert "1,000 of 2,000, 3 failed, 4 cached, $0.2500" in ended.printed
    assert "━" in ended.printed
    assert "old: conversations read: 5, 7 results" in ended.printed
    assert ended.screen == ["then this"]
    assert ended.cursor_is_shown
    assert ended.code == 0


def test_what_user_code_prints_stays_whole_above_the_line() -> None:
    ended = on_terminal(f"""{BEFORE}
def work():
    for number in range(20):
        print("from a thread", number)
        time.sleep(0.02)

with resumable(), redirect_stdout(sys.stderr), ProgressLine() as line:
    for done in range(5):
        line(Progress("mining", done, 5))
        print("[bold]not markup[/bold] :smile:", done)
        time.sleep(0.15)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    print("word " * 60, file=sys.stderr)
    print("begun, ", end="")
    print("ended")
    print("flushed", end="", flush=True)
    print("left open", end="")
print("the result")
""")
    said = [f"[bold]not markup[/bold] :smile: {done}" for done in range(5)]
    threaded = [f"from a thread {number}" for number in range(20)]
    assert ended.screen == [
        *(*said, *threaded, ("word " * 60).strip()),
        *("begun, ended", "flushed", "left open", "the result"),
    ]
    assert "4 of 5" in ended.printed


def test_however_often_it_is_called_it_is_written_ten_times_a_second() -> None:
    ended = on_terminal(f"""{BEFORE}
start = time.monotonic()
with ProgressLine() as line:
    for done in range(10**6):
        line(Progress("reading", done))
        if time.monotonic() - start > 1:
            break
print(done)
""")
    assert int(ended.screen[-1]) > 1000
    assert 3 <= ended.printed.count("reading: ") <= 15


def test_a_lasting_message_stays() -> None:
    ended = on_terminal(f"""{BEFORE}
with resumable(), redirect_stdout(sys.stderr), ProgressLine() as line:
    line(Progress("libraries", 0, 1, note="making PyYAML ready"))
    line(Progress("PyYAML 6.0", 0, note="sandbox locked\\n  as nobody", lasting=True))
    line(Progress("PyYAML 6.0", 1, 2))
""")
    assert ended.screen == ["PyYAML 6.0: sandbox locked", "  as nobody"]
    assert "making PyYAML ready" in ended.printed


@pytest.mark.parametrize("columns", ["20", "50"])
def test_a_line_longer_than_the_terminal_is_cut_and_not_wrapped(columns: str) -> None:
    ended = on_terminal(
        f"""{BEFORE}
with ProgressLine() as line:
    for done in range(3):
        line(Progress("tuning", done, 3, note="best 0.5 (" + "hybrid, " * 30))
        time.sleep(0.15)
print("the result")
""",
        environment={"COLUMNS": columns},
    )
    assert ended.screen == ["the result"]
    assert "hybrid, " * 10 not in ended.printed


def test_an_error_begins_on_a_clean_line_with_the_cursor_shown() -> None:
    ended = on_terminal(f"""{BEFORE}
with resumable(), redirect_stdout(sys.stderr), ProgressLine() as line:
    line(Progress("mining", 1, 3))
    raise SystemExit("it went wrong")
""")
    assert (ended.code, ended.screen, ended.cursor_is_shown) == (1, ["it went wrong"], True)


def test_an_interrupt_leaves_its_sentence_alone_on_the_screen_and_later_reports_show_nothing() -> None:
    ended = on_terminal(
        f"""{BEFORE}
def work(line):
    for done in range(10**9):
        line(Progress("mining", done, 10**9))
        time.sleep(0.001)

try:
    with resumable(), redirect_stdout(sys.stderr), ProgressLine() as line:
        threading.Thread(target=work, args=[line], daemon=True).start()
        time.sleep(60)
finally:
    time.sleep(0.3)
""",
        signal=SIGINT,
        when="of 1,000,000,000",
    )
    assert ended.screen[0] == "interrupted; the answers so far are kept, and the same command goes on from there."
    assert not [line for line in ended.screen if "mining" in line]
    assert ended.cursor_is_shown


def test_a_killed_command_leaves_the_cursor_shown() -> None:
    program = f"""{BEFORE}
with ProgressLine() as line:
    line(Progress("mining", 1, 3))
    sys.stderr.write("waiting\\n")
    time.sleep(60)
"""
    ended = on_terminal(program, signal=SIGKILL, when="waiting")
    assert ended.code == -SIGKILL
    assert ended.cursor_is_shown


def test_a_result_that_goes_to_a_file_still_goes_there(tmp_path: Path) -> None:
    ended = on_terminal(
        f"""{BEFORE}
with ProgressLine() as line:
    line(Progress("mining", 1, 3))
    print("a row")
print("the result")
""",
        stdout=tmp_path / "out.txt",
    )
    assert (tmp_path / "out.txt").read_text() == "a row\nthe result\n"
    assert ended.screen == []


def test_without_a_terminal_only_lasting_messages_are_printed_and_rich_is_not_loaded() -> None:
    program = f"""{BEFORE}
with resumable(), redirect_stdout(sys.stderr), ProgressLine() as line:
    line(Progress("mining", 1, 3))
    line(Progress("PyYAML 6.0", 0, note="sandbox locked", lasting=True))
    line(Progress("mining", 3, 3))
print([name for name in sys.modules if name.partition(".")[0] == "rich"])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("[]\n", "PyYAML 6.0: sandbox locked\n")


def test_where_nothing_is_reported_for_two_seconds_the_line_says_what_runs_and_for_how_long() -> None:
    ended = on_terminal(f"""{BEFORE}
from goldproof.progress import step
with ProgressLine("eval") as line:
    time.sleep(2.8)
    line(Progress("bm25: questions", 1, 2))
    time.sleep(0.3)
    line(Progress("bm25: questions", 2, 2))
    time.sleep(0.3)
    with step("writing report.md", line):
        time.sleep(1.2)
print("the result")
""")
    assert "eval: 2 s" in ended.printed
    assert "1 of 2" in ended.printed
    assert "writing report.md: 1 s" in ended.printed
    assert ended.screen == ["the result"]


def test_quick_work_shows_no_line() -> None:
    ended = on_terminal(f"""{BEFORE}
with ProgressLine("eval"):
    time.sleep(0.5)
print("the result")
""")
    assert ended.printed == "the result\r\n"


def test_statistics_and_writing_of_an_evaluation_show_a_line_too(tmp_path: Path) -> None:
    arguments = ["eval", "--qrels", f"{tmp_path}/q.txt", "--run", f"a={tmp_path}/a.trec", "--out", f"{tmp_path}/o"]
    slowly = f"""{BEFORE}
import goldproof.jobs.evaluate.job as job
from goldproof.cli.main import main
def slow(function):
    def wrapped(*arguments, **named):
        time.sleep(2.8)
        return function(*arguments, **named)
    return wrapped
job.as_runs = slow(job.as_runs)
job.EvaluationResult.tables = slow(job.EvaluationResult.tables)
job.EvaluationResult.writers = slow(job.EvaluationResult.writers)
main({arguments!r})
"""
    (tmp_path / "q.txt").write_text("q1 0 d1 1\nq2 0 d2 1\n")
    (tmp_path / "a.trec").write_text("q1 Q0 d1 1 2.0 t\nq2 Q0 d1 1 2.0 t\n")
    ended = on_terminal(slowly, environment={"COLUMNS": "200"})
    assert ended.code == 0
    places = [ended.printed.find(f"{work}: 2 s") for work in ("eval", "intervals and tests", f"writing {tmp_path}/o")]
    assert -1 not in places
    assert places == sorted(places)


def test_long_work_is_cut_before_its_seconds() -> None:
    program = f"""{BEFORE}
with ProgressLine("writing " + "folder/" * 30):
    time.sleep(2.8)
print("the result")
"""
    ended = on_terminal(program, environment={"COLUMNS": "40"})
    assert "writing " in ended.printed
    assert "...: 2 s" in ended.printed
    assert ended.screen == ["the result"]

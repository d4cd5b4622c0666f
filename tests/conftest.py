"""Fixtures that every test may use."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Machines are shared and noisy: a slow example is not a wrong one. Derandomised, so that CI and a laptop try the same.
settings.register_profile("goldproof", deadline=None, derandomize=True)
settings.load_profile("goldproof")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session", autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep caches out of the user's own folder; one for all tests, so that nothing is embedded twice."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GOLDPROOF_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture
def open_databases(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """Return what names the databases that were opened since and are open still; Python 3.13 warns of them itself."""
    connect = sqlite3.connect
    opened: list[tuple[str, sqlite3.Connection]] = []

    def remember(database: object, *args: object, **settings: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(database, *args, **settings)  # type: ignore[call-overload]
        opened.append((Path(str(database)).name, connection))
        return connection

    monkeypatch.setattr(sqlite3, "connect", remember)
    monkeypatch.setattr(sqlite3.dbapi2, "connect", remember)  # SQLAlchemy's way to it
    return lambda: [name for name, connection in opened if _is_open(connection)]


def _is_open(connection: sqlite3.Connection) -> bool:
    try:
        connection.cursor()
    except sqlite3.ProgrammingError:
        return False
    return True


@pytest.fixture(scope="session")
def repo() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def realdata() -> Path:
    """The folder of real datasets; tests that use it are marked `realdata`."""
    folder = Path(os.environ.get("GOLDPROOF_REALDATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder}; set GOLDPROOF_REALDATA")
    return folder


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None]:
    """End with the one command that installs what skipped tests lacked."""
    yield  # the list of what was skipped, and why
    skipped = terminalreporter.stats.get("skipped", [])
    if any("make system-deps" in str(report.longrepr) for report in skipped):
        terminalreporter.write_line("Tests were skipped for want of a system package; install it: make system-deps")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With GOLDPROOF_NO_SKIP, as in CI, a skipped test is a failure: it may hide a missing install step."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("GOLDPROOF_NO_SKIP") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED

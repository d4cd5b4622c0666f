"""Fixtures that every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def repo() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def realdata() -> Path:
    """The folder of real datasets; tests that use it are marked `realdata`."""
    folder = Path(os.environ.get("KARAT_REALDATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        reason = f"no real data at {folder}; set KARAT_REALDATA"
        if os.environ.get("KARAT_NO_SKIP"):
            pytest.fail(f"{reason} (KARAT_NO_SKIP is set)")
        pytest.skip(reason)
    return folder

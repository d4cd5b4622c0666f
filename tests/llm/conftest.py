"""Every test has an empty cache, no key of the user's, and short waits before something is tried again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.llm import client

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(client, "FIRST_WAIT", 0.01)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "GOOGLE_API_KEY", "GEMINI_API_KEY", "GOLDPROOF_MODEL_KEY"):
        monkeypatch.delenv(name, raising=False)

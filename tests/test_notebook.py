"""The notebook runs from top to bottom, and shows what is stored in it."""

from __future__ import annotations

import warnings
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import nbformat
import pytest
from nbclient import NotebookClient

if TYPE_CHECKING:
    from pathlib import Path

NAME = "evaluate_retrieval.ipynb"


@pytest.fixture
def stored(repo: Path) -> Any:  # noqa: ANN401 - nbformat has no types
    return nbformat.read(repo / "examples" / NAME, as_version=4)  # type: ignore[no-untyped-call]


def printed(notebook: Any) -> list[str]:  # noqa: ANN401
    """Return what each cell of code prints; what it warns of is the machine's, not the notebook's."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return ["".join(out.text for out in cell.outputs if out.get("name") == "stdout") for cell in cells]


@pytest.mark.slow
def test_the_notebook_shows_what_it_prints_when_it_is_run(
    stored: Any,  # noqa: ANN401
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    fresh = deepcopy(stored)
    for cell in fresh.cells:
        cell.outputs = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Jupyter's own: event loops, transports
        NotebookClient(fresh, timeout=300, kernel_name="python3").execute(cwd=str(tmp_path))
    assert printed(fresh) == printed(stored)


def test_the_notebook_is_stored_clean(stored: Any) -> None:  # noqa: ANN401
    nbformat.validate(stored)
    code = [cell for cell in stored.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert all(out.output_type == "stream" and out.name == "stdout" for cell in code for out in cell.outputs)
    assert all(cell.metadata == {} for cell in stored.cells)
    assert "better" in "".join(printed(stored))
    assert "RETRIEVAL_QUERY" in "".join(cell.source for cell in stored.cells)

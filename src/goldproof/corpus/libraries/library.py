"""A library under test: an environment with one version installed. The forms of a spec:

google-adk==1.20.0              made by Goldproof, from wheels only, and kept in GOLDPROOF_HOME/libraries
google-adk[eval]==1.20.0,httpx==0.28.0    several distributions in one environment, the first gives the name
google-adk                      the version installed beside Goldproof
google-adk @ /path/to/venv      an existing environment
dist/google_adk-2.0-py3-none-any.whl      a wheel file
./checkout, google-adk @ ./checkout       a source tree, pure Python: a snapshot, never built
git+file:///path/repo@main      a repository at a commit, then like a source tree
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from goldproof.sandbox import Interpreter

Origin = Literal["wheels", "installed", "environment", "wheel file", "source tree", "repository"]


@dataclass(frozen=True, slots=True)
class Library:
    """One version of a library, ready to be run.

    label: how reports call it, `google-adk==1.20.0`; the same on every machine. name, version: of the distribution
    under test. distributions: every installed distribution -> version, dependencies among them. import_names: the
    outermost names of the distributions that were asked for, not of their dependencies; public ones first.
    under_test: the names of those distributions. search_path: the folders in which the interpreter looks for modules.
    """

    label: str
    name: str
    version: str
    origin: Origin
    interpreter: Interpreter
    import_names: tuple[str, ...]
    distributions: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    under_test: tuple[str, ...] = ()
    search_path: tuple[Path, ...] = ()

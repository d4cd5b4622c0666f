"""Which repository a SWE-QA record is about, and at which commit.

The name is in the record (`repo`), else it is the file's (`flask.jsonl`, `scikit_learn-00000-of-00001.parquet`). The
commit is in the record (`commit_id`), else in `repo_commit.txt` beside the files (`https://github.com/pallets/flask
85c5d93`), else the one published with the dataset, whose hub version lacks that file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.jobs.build.adapters.record_fields import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from goldproof.jobs.build.adapters.adapter import JsonObject, Place

COMMIT_FILE = "repo_commit.txt"
_PUBLISHED = """
    astropy/astropy 0a041d3  django/django 14fc2e9  pallets/flask 85c5d93  matplotlib/matplotlib a5e1f60
    pylint-dev/pylint 44740e5  pytest-dev/pytest 5989efe  psf/requests 46e939b  scikit-learn/scikit-learn adb1ae7
    sphinx-doc/sphinx 6c9e320  sqlfluff/sqlfluff db9801b  sympy/sympy 3c817ed  pydata/xarray 40119bf
    conan-io/conan 52f43d9  reflex-dev/reflex fe0f946  streamlink/streamlink ab1f365
"""
_PIN = re.compile(r"(?:https?://[^/\s]+/)?([\w.-]+/[\w.-]+?)(?:\.git)?/?\s+([0-9a-f]{7,40})(?![\w/])")
_NAME = re.compile(r"\w[\w.-]*/\w[\w.-]*")
_PARTS = re.compile(r"(?:-\d+-of-\d+)?(?:\.\w+)*$")


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository on GitHub (`owner/name`) at a commit, which is "" where nothing says it."""

    name: str
    commit: str = ""

    def document(self, path: str) -> str:
        """Return the id of one of its files."""
        return f"{self.name}@{self.commit}/{path}" if self.commit else f"{self.name}/{path}"


def read_repositories(folders: Iterable[Path]) -> dict[str, Repository]:
    """Return the repositories by their short name: the published ones, and over them those of the commit files."""
    texts = [_PUBLISHED]
    for folder in folders:
        path = folder / COMMIT_FILE
        if path.is_file():
            texts.append(path.read_text(encoding="utf-8", errors="replace"))
    pins = (match.groups() for text in texts for match in _PIN.finditer(text))
    return {_short(name): Repository(name, commit) for name, commit in pins}


def repository_of(record: JsonObject, place: Place, *, known: Mapping[str, Repository]) -> Repository | None:
    """Return the repository that a record is about, None where nothing says it."""
    given = text_of(record.get("repo")) or text_of(record.get("repository"))
    listed = known.get(_short(given or _PARTS.sub("", place.path.name)))
    commit = text_of(record.get("commit_id")) or text_of(record.get("commit"))
    if _NAME.fullmatch(given):
        same = listed is not None and listed.name.casefold() == given.casefold()
        return Repository(given, commit or (listed.commit if listed and same else ""))
    return Repository(listed.name, commit or listed.commit) if listed else None


def _short(name: str) -> str:
    return name.rpartition("/")[2].casefold().replace("_", "-")

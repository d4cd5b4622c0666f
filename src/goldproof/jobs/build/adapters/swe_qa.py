"""SWE-QA: questions about a repository, with answers in prose that cite files and lines.

A record is `{question, answer}`. The repository is in the record (`repo`), else it is the file's name (`flask.jsonl`,
`scikit_learn-00000-of-00001.parquet`). The commit is in the record (`commit_id`), else in `repo_commit.txt` beside the
files (`https://github.com/pallets/flask 85c5d93`), else the one published with the dataset, whose hub version lacks
that file.

There is no context: gold are the files that the answer cites, `<owner>/<name>@<commit>/<path>`, which is as much as the
dataset says. `goldproof.jobs.build.adapters.cited_files` says which file a citation means; citations without a file are
in the metadata (`unresolved`), and a record of which no citation could be resolved is dropped.

With the option `checkouts` (a folder with a working copy of each repository) the documents have their text and cited
lines are evidence; without it only their names are known, and retrieval is scored over an index of that commit. Some
answers end with a stray `</start_of_answer>`, which is cut.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from goldproof.errors import FileFormatError, InputError
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.record_files import read_records
from goldproof.jobs.build.adapters.adapter import (
    Adapt,
    Adapter,
    AdapterInfo,
    JsonObject,
    LocalSource,
    RecordPlace,
    content_id,
    safe_id,
    text_of,
)
from goldproof.jobs.build.adapters.cited_files import (
    Checkout,
    CitedDocument,
    CitedFiles,
    KnownPaths,
    cited_document,
    find_checkout,
    resolve,
)
from goldproof.jobs.build.records import Dropped, Example
from goldproof.records.entities import Document
from goldproof.text.citations import citations
from goldproof.text.languages import detect_language

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

INFO = AdapterInfo(
    name="swe-qa",
    title="SWE-QA",
    doc_type="code_config",
    hub_id="swe-qa/SWE-QA-Benchmark",
    revision="07e206aa29fdad0cf3f1d532ff077f9705387348",
    hub_files=("data/*.jsonl",),
    licence="Apache-2.0",
    citation="Peng et al. (2025). SWE-QA: Can Language Models Answer Repository-level Code Questions? "
    "arXiv:2509.14635.",
    homepage="https://github.com/peng-weihan/SWE-QA-Bench",
    needs=(frozenset({"question", "answer"}),),
)
_STRAY = "</start_of_answer>"


def open_source(source: LocalSource) -> Adapt:
    """Read commits and checkouts, or all cited paths, of a source, and return the function for its records."""
    repositories = read_repositories(dict.fromkeys([source.root, *(path.parent for path in source.files)]))
    folder = source.options.get("checkouts")
    files_of = cited_in(source, repositories) if folder is None else checked_out_in(folder)

    def adapt(record: JsonObject, place: RecordPlace) -> Iterator[Example | Dropped]:
        repository = repository_of(record, place, known=repositories)
        files = files_of(repository) if repository else None
        if repository is None:
            yield Dropped("repository not known", detail=f"file {place.path.name}")
        elif files is None:
            yield Dropped("no checkout of its repository", detail=repository.name)
        else:
            yield _example(record, repository, files=files)

    return adapt


def _example(record: JsonObject, repository: Repository, *, files: RepositoryFiles) -> Example | Dropped:
    question, answer = text_of(record.get("question")), text_of(record.get("answer")).removesuffix(_STRAY).rstrip()
    if not (question and answer):
        return Dropped("no answer" if question else "no question")
    original_id = content_id(question, answer)
    cited = citations(answer)
    meant = resolve(cited, files.known)
    if not meant.lines:
        unknown = "cited file does not exist" if files.checkout else "cited files only by their bare names"
        reason = unknown if cited else "answer cites no file"
        return Dropped(reason, detail=", ".join(meant.unresolved), original_id=original_id)
    documents = _documents(meant, repository, checkout=files.checkout)
    return Example(
        original_id=original_id,
        question=question,
        answer=answer,
        documents=tuple(each.document for each in documents),
        gold=tuple(each.document.id for each in documents),
        evidence=tuple(dict.fromkeys(span for each in documents for span in each.evidence)),
        metadata={
            "repo": repository.name,
            "commit": repository.commit,
            **_first_file(documents[0].document),
            "citations": _listed(meant),
            "unresolved": list(meant.unresolved),
        },
    )


def _first_file(document: Document) -> dict[str, object]:
    """Return metadata on the file that is cited first; its length only where its text is known."""
    known = {key: value for key, value in document.metadata.items() if key in ("language", "code_length")}
    return {"file_path": document.title, "language": detect_language(file_path=document.title), **known}


def _documents(meant: CitedFiles, repository: Repository, *, checkout: Checkout | None) -> list[CitedDocument]:
    documents: list[CitedDocument] = []
    for path, lines in meant.lines.items():
        document = safe_id(repository.document(path))
        if checkout is None:
            documents.append(CitedDocument(Document(document, title=path), ()))
        else:
            code = checkout.read(path)
            documents.append(cited_document(document, path=path, repo=repository.name, code=code, lines=lines))
    return documents


def _listed(meant: CitedFiles) -> list[dict[str, object]]:
    return [
        {"path": path, "first": each.first if each else None, "last": each.last if each else None}
        for path, ranges in meant.lines.items()
        for each in ranges or (None,)
    ]


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
    """A repository on GitHub (`owner/name`) at a commit, "" where that is not known."""

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


def repository_of(record: JsonObject, place: RecordPlace, *, known: Mapping[str, Repository]) -> Repository | None:
    """Return the repository that a record is about, None where it is not known."""
    name = text_of(record.get("repo")) or text_of(record.get("repository"))
    listed = known.get(_short(name or _PARTS.sub("", place.path.name)))
    commit = text_of(record.get("commit_id")) or text_of(record.get("commit"))
    if _NAME.fullmatch(name):
        same = listed is not None and listed.name.casefold() == name.casefold()
        return Repository(name, commit or (listed.commit if listed and same else ""))
    return Repository(listed.name, commit or listed.commit) if listed else None


def _short(name: str) -> str:
    return name.rpartition("/")[2].casefold().replace("_", "-")


class RepositoryFiles(NamedTuple):
    """The known paths of a repository, and its checkout where there is one."""

    known: KnownPaths
    checkout: Checkout | None = None


def checked_out_in(folder: object) -> Callable[[Repository], RepositoryFiles | None]:
    """Return a function from a repository to its files in a folder of checkouts, None where it is not there."""
    root = Path(folder) if isinstance(folder, str | Path) else None
    if root is None or not root.is_dir():
        raise InputError(f"swe-qa: checkouts is {folder!r}, expected a folder that holds a checkout per repository.")

    @cache
    def files_of(repository: Repository) -> RepositoryFiles | None:
        checkout = find_checkout(root, repo=repository.name, commit=repository.commit)
        return RepositoryFiles(KnownPaths(checkout.files, complete=True), checkout) if checkout else None

    return files_of


def cited_in(source: LocalSource, repositories: Mapping[str, Repository]) -> Callable[[Repository], RepositoryFiles]:
    """Return the function that gives the paths that the source's answers cite for a repository."""
    cited: dict[str, set[str]] = {}
    for path in source.files:
        try:
            for number, record in read_records(path, Diagnostics(path, keep=0)):
                repository = repository_of(record, RecordPlace(path, number), known=repositories)
                if repository:
                    paths = (citation.path for citation in citations(text_of(record.get("answer"))))
                    cited.setdefault(repository.name, set()).update(path for path in paths if "/" in path)
        except FileFormatError:
            continue  # reported when the file is read for its records
    known = {name: RepositoryFiles(KnownPaths(paths)) for name, paths in cited.items()}
    return lambda repository: known.get(repository.name, RepositoryFiles(KnownPaths()))


ADAPTER = Adapter(INFO, open_source, options=frozenset({"checkouts"}), path_options=frozenset({"checkouts"}))

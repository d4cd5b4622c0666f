"""SWE-QA: questions about a repository, with answers in prose that cite files and lines.

A record is `{question, answer}`; `goldproof.jobs.build.adapters.swe_qa_repositories` says which repository it is about.
There is no context: gold are the files that the answer cites, `<owner>/<name>@<commit>/<path>`, which is as much as the
dataset says. `goldproof.jobs.build.adapters.cited_files` says which file a citation means; what could not be told is in
the metadata (`unresolved`), and a record of which nothing could be told is dropped.

With the option `checkouts` (a folder with a working copy of each repository) the documents have their text and cited
lines are evidence; without it only their names are known, and retrieval is scored over an index of that commit. Some
answers end with a stray `</start_of_answer>`, which is cut.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.build.adapters.adapter import Adapt, Adapter, AdapterInfo, JsonObject, LocalSource, Place
from goldproof.jobs.build.adapters.cited_files import CitedDocument, CitedFiles, cited_document, resolve
from goldproof.jobs.build.adapters.ids import content_id, safe_id
from goldproof.jobs.build.adapters.record_fields import text_of
from goldproof.jobs.build.adapters.swe_qa_files import Files, checked_out_in, cited_in
from goldproof.jobs.build.adapters.swe_qa_repositories import Repository, read_repositories, repository_of
from goldproof.jobs.build.example import Dropped, Example
from goldproof.records.entities import Document
from goldproof.text.citations import citations
from goldproof.text.languages import detect_language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.jobs.build.adapters.checkouts import Checkout

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
    """Look once at what belongs to the source: commits, checkouts, or all the paths that are cited in it."""
    repositories = read_repositories(dict.fromkeys([source.root, *(path.parent for path in source.files)]))
    folder = source.options.get("checkouts")
    files_of = cited_in(source, repositories) if folder is None else checked_out_in(folder)

    def adapt(record: JsonObject, place: Place) -> Iterator[Example | Dropped]:
        repository = repository_of(record, place, known=repositories)
        files = files_of(repository) if repository else None
        if repository is None:
            yield Dropped("repository not known", detail=f"file {place.path.name}")
        elif files is None:
            yield Dropped("no checkout of its repository", detail=repository.name)
        else:
            yield _example(record, repository, files=files)

    return adapt


def _example(record: JsonObject, repository: Repository, *, files: Files) -> Example | Dropped:
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
    found = _documents(meant, repository, checkout=files.checkout)
    return Example(
        original_id=original_id,
        question=question,
        answer=answer,
        documents=tuple(each.document for each in found),
        gold=tuple(each.document.id for each in found),
        evidence=tuple(dict.fromkeys(span for each in found for span in each.evidence)),
        metadata={
            "repo": repository.name,
            "commit": repository.commit,
            **_first_file(found[0].document),
            "citations": _listed(meant),
            "unresolved": list(meant.unresolved),
        },
    )


def _first_file(document: Document) -> dict[str, object]:
    """Return what is known of the file that is cited first; its length only where its text is."""
    known = {key: value for key, value in document.metadata.items() if key in ("language", "code_length")}
    return {"file_path": document.title, "language": detect_language(file_path=document.title), **known}


def _documents(meant: CitedFiles, repository: Repository, *, checkout: Checkout | None) -> list[CitedDocument]:
    found: list[CitedDocument] = []
    for path, lines in meant.lines.items():
        document = safe_id(repository.document(path))
        if checkout is None:
            found.append(CitedDocument(Document(document, title=path), ()))
        else:
            code = checkout.read(path)
            found.append(cited_document(document, path=path, repo=repository.name, code=code, lines=lines))
    return found


def _listed(meant: CitedFiles) -> list[dict[str, object]]:
    return [
        {"path": path, "first": each.first if each else None, "last": each.last if each else None}
        for path, ranges in meant.lines.items()
        for each in ranges or (None,)
    ]


ADAPTER = Adapter(INFO, open_source, options=frozenset({"checkouts"}), path_options=frozenset({"checkouts"}))

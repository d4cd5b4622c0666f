"""Corpus, the registry of its kinds, `open_corpus()`, and documents made in Python.

A document that is a piece of a larger source says so in its metadata: `source` (a path or a module), `start` and `end`
(characters of the source, so that `text == source_text[start:end]`). Gold that is kept as spans of sources survives
another way of cutting (`goldproof.corpus.gold_spans`).

    package:NAME[==VERSION]   a Python package, read without importing it (`goldproof.corpus.packages`)
    folder:DIR                files, cut into chunks (`goldproof.corpus.folder`); a single file will do
    beir:DIR                  corpus.jsonl of a BEIR folder
    jsonl:FILE                records with an id and a text: JSON lines or array, CSV, TSV, Parquet
    cranfield:DIR             the Cranfield collection
    dataset:DIR_OR_FILE       the documents of any dataset that `goldproof eval` reads, `goldproof build`'s among them
    PATH                      any of these, recognised by the files that are there

Options follow a `#`. Other kinds enter as plug-ins: entry points `corpus.NAME` for a function that takes what follows
the colon and the options (name -> text) and returns a `Corpus`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from goldproof.errors import FileFormatError, InputError, kind_of
from goldproof.io.datasets.beir import find_part
from goldproof.io.datasets.cranfield import is_cranfield
from goldproof.io.datasets.dataset import locate_dataset
from goldproof.io.record_files import record_format
from goldproof.io.text_files import near_names
from goldproof.plugins import Registry, split_options
from goldproof.records.entities import Document
from goldproof.records.keys import canonical_json, plain_value
from goldproof.text.languages import language_of_file

_OPTIONS = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS | orjson.OPT_APPEND_NEWLINE
_FIELDS = (("id", str, "text"), ("text", str, "text"), ("title", str, "text"), ("metadata", Mapping, "a mapping"))


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Documents, each with an id of its own.

    name: the spec that opens it again (`folder:docs/`). facts: its entry on a card (versions, counts, chunking).
    remarks: sentences on what was skipped.
    """

    name: str
    documents: tuple[Document, ...]
    facts: Mapping[str, object] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.documents)

    def key(self) -> str:
        """Return the sha256 of all that can be searched: ids, titles, texts, metadata."""
        return documents_key(self.documents)


def documents_key(documents: Iterable[Document]) -> str:
    """Return the sha256 (hex) of documents, in their order: the same in any process.

    Metadata may hold dates, bytes, sets and numbers of any size. What has no form of its own is refused.
    """
    digest = hashlib.sha256()
    for document in documents:
        digest.update(_line(document))
    return digest.hexdigest()


def _line(document: Document) -> bytes:
    values = [document.id, document.title, document.text, dict(document.metadata)]
    try:
        return orjson.dumps(values, default=plain_value, option=_OPTIONS)
    except TypeError:  # perhaps half a surrogate pair, or a number beyond 64 bits, which the slower one can write
        pass
    try:
        return canonical_json(values).encode() + b"\n"
    except (TypeError, ValueError) as error:
        raise InputError(
            f"document {document.id!r}: its metadata cannot be serialised ({error}); expected text, numbers, dates, "
            "lists and mappings with names for keys."
        ) from error


CorpusKind = Callable[[str, Mapping[str, str]], Corpus]
CORPORA: Registry[CorpusKind] = Registry("corpus")


for _name, _target in {
    "beir": "goldproof.corpus.records:beir_corpus",
    "cranfield": "goldproof.corpus.records:cranfield_corpus",
    "dataset": "goldproof.corpus.records:dataset_corpus",
    "folder": "goldproof.corpus.folder:folder_corpus",
    "jsonl": "goldproof.corpus.records:jsonl_corpus",
    "package": "goldproof.corpus.packages:package_corpus",
}.items():
    CORPORA.register(_name, _target)


_PREFIX = re.compile(r"([A-Za-z][\w-]+):(?!//)(.*)", re.DOTALL)  # one letter is a drive of Windows
_DATA = ("json", "csv")


def open_corpus(spec: str | Path | Corpus | Iterable[Document]) -> Corpus:
    """Open a corpus by its spec; documents, or a corpus, are taken as they are."""
    if isinstance(spec, Corpus):
        return spec
    if isinstance(spec, Document) or not isinstance(spec, str | Path | Iterable):
        raise InputError(
            f"a corpus cannot be {kind_of(spec)}; expected a spec, a path, or a list of goldproof.Document."
        )
    if not isinstance(spec, str | Path):
        return given_documents(spec)
    written = str(spec)
    if not written.strip():
        raise InputError("the corpus spec is empty; expected KIND:PLACE, such as folder:docs/, or a path.")
    rest, options = split_options(written) if not Path(written).exists() else (written, {})
    prefix = None if isinstance(spec, Path) else _PREFIX.fullmatch(rest)
    if prefix is None or (prefix[1] not in CORPORA and Path(rest).exists()):
        return _open_path(rest, options)
    kind = CORPORA.get(prefix[1])
    if not prefix[2]:
        raise InputError(f"{written}: nothing follows {prefix[1]}:; expected a path or name, as in {prefix[1]}:NAME.")
    return kind(prefix[2], options)


def _open_path(place: str, options: Mapping[str, str]) -> Corpus:
    path = Path(place)
    if not path.exists():
        near = near_names(path.name, path.parent)
        hint = f"Did you mean {' or '.join(near)}?" if near else f"Kinds of corpora: {', '.join(CORPORA)}."
        raise FileFormatError(path, "no such file or folder, and no KIND:PLACE.", hint=hint)
    return CORPORA.get(_kind_of(path))(place, options)


def _kind_of(path: Path) -> str:
    if path.is_dir():
        if find_part(path, "corpus.jsonl"):
            return "beir"
        if is_cranfield(path):
            return "cranfield"
        return "dataset" if locate_dataset(path).kind == "file" else "folder"
    if path.suffix.lower() in (".yaml", ".yml"):
        return "dataset"
    language = language_of_file(path.name.removesuffix(".gz"))
    if language is not None and language not in _DATA:
        return "folder"
    return "jsonl" if record_format(path) is not None else "folder"


def given_documents(documents: Iterable[Document]) -> Corpus:
    """Return documents made in Python as a corpus."""
    seen: dict[str, Document] = {}
    for position, document in enumerate(documents, start=1):
        _check_document(document, position)
        if document.id in seen:
            raise FileFormatError("documents", f"document {document.id!r} occurs twice.", hint="Keep one of them.")
        seen[document.id] = document
    if not seen:
        raise FileFormatError("documents", "there are none.")
    unique = tuple(seen.values())
    facts: dict[str, object] = {"kind": "documents", "documents": len(unique), "sha256": documents_key(unique)}
    return Corpus("documents", unique, facts, corpus_remarks(unique))


def _check_document(document: object, position: int) -> None:
    if not isinstance(document, Document):
        raise InputError(
            f"documents: number {position} is a {type(document).__name__}, expected goldproof.Document(id, text); "
            "a file or folder is opened by its name, such as 'folder:docs/'."
        )
    for name, kind, wanted in _FIELDS:
        if not isinstance(value := getattr(document, name), kind):
            raise InputError(f"document {document.id!r}: its {name} is a {type(value).__name__}, expected {wanted}.")


def corpus_remarks(documents: tuple[Document, ...]) -> tuple[str, ...]:
    """Return notes on a corpus: documents without text."""
    empty = [document.id for document in documents if not document.text.strip()]
    if not empty:
        return ()
    verb = "document has" if len(empty) == 1 else "documents have"
    return (f"{len(empty)} {verb} no text ({'' if len(empty) == 1 else 'the first: '}{empty[0]}).",)

"""Corpora by name: a spec such as `folder:docs/#size=1200` becomes documents.

    package:NAME[==VERSION]   a Python package, read without importing it (`goldproof.corpus.packages`)
    folder:DIR                files, cut into chunks (`goldproof.corpus.folder`); a single file will do
    beir:DIR                  corpus.jsonl of a BEIR folder
    jsonl:FILE                records with an id and a text: JSON lines or array, CSV, TSV, Parquet
    cranfield:DIR             the Cranfield collection
    dataset:DIR_OR_FILE       the documents of any dataset that `goldproof eval` reads, `goldproof build`'s among them
    PATH                      what a path stands for is seen from what is there

Options follow a `#`. Other kinds enter as plug-ins: entry points `corpus.NAME` for a function that takes what follows
the colon and the options (name -> text) and returns a `Corpus`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from goldproof.core.errors import FileFormatError, InputError
from goldproof.core.records import Document
from goldproof.core.registry import Registry
from goldproof.core.spec_options import split_options
from goldproof.corpus.corpus import Corpus
from goldproof.corpus.records import given_documents
from goldproof.io.beir import find_part
from goldproof.io.cranfield import is_cranfield
from goldproof.io.dataset_files import locate_dataset
from goldproof.io.opening import near_names
from goldproof.io.records import record_format
from goldproof.text.languages import language_of_file

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
            f"a corpus is no {type(spec).__name__}; expected a spec, a path, or a list of goldproof.Document."
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

"""A folder of files as chunks with stable ids.

    guide/install.md#from-source      a section, by its heading as GitHub links to it (the second of one name: -1)
    guide/install.md                  the text before the first heading; in Python the beginning of the module
    src/app.py#Server.start           a method; a function or class likewise
    notes.txt#first-words-of-it       a paragraph
    guide/install.md#from-source~2    the second part of a piece that was too long

An id depends on its own piece, and on pieces of the same name before it, not on the rest of the file. Blanks in a path
are written %20 in the id, since a TREC run has no way to hold them.

The title is the context of a chunk that its text does not have: the headings above a section (of its second
part, its own too), the symbol, else the path of the file.

Metadata: `source` (the path within the folder, with `/`), `start` and `end` (`text == source_text[start:end]`, counted
in characters without a byte-order mark), `first_line`, `last_line`, `kind`, `language`, and `headings` or `symbol`. For
HTML the source text is the readable text (`goldproof.corpus.html_text`), not the markup.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, cast

from goldproof.corpus.corpus import Corpus
from goldproof.corpus.folder_files import LARGEST, SkippedFiles, SourceFile, check_folder, decode, folder_files
from goldproof.corpus.html_text import readable_text
from goldproof.errors import FileFormatError, InputError, counted
from goldproof.plugins import check_options
from goldproof.records.entities import Document
from goldproof.records.keys import content_key
from goldproof.text.chunk_boundaries import LineNumbers
from goldproof.text.chunks import DEFAULT_SIZE, By, Chunk, Cutting, cut_source
from goldproof.text.languages import language_of_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


OPTIONS = ("size", "overlap", "by", "files", "largest")


def folder_corpus(rest: str, options: Mapping[str, str]) -> Corpus:
    """Open `folder:DIR`; a single file will do."""
    check_options(options, OPTIONS, of="folder:")
    cutting = Cutting(
        size=_whole_number(options, "size", DEFAULT_SIZE),
        overlap=_whole_number(options, "overlap", 0),
        by=cast("By", options.get("by", "auto")),
    )
    path, skipped = Path(rest), SkippedFiles()
    pattern, largest = options.get("files", ""), _whole_number(options, "largest", LARGEST)
    files = (
        _one_file(path)
        if path.is_file()
        else folder_files(check_folder(path), skipped, pattern=pattern, largest=largest)
    )
    reader = _FolderReader(cutting, skipped)
    for file in files:
        reader.read(file)
    if not reader.documents:
        raise FileFormatError(path, _nothing(skipped, pattern))
    facts: dict[str, object] = {
        "kind": "folder",
        "files": len(reader.hashes),
        "documents": len(reader.documents),
        "sha256": content_key(reader.hashes),
        "by": cutting.by,
        "size": cutting.size,
        "overlap": cutting.overlap,
        "pattern": pattern,
    }
    fragment = "#" + ",".join(f"{name}={value}" for name, value in options.items()) if options else ""
    remarks = (*_cut_remarks(rest, len(reader.hashes), len(reader.documents), by=cutting.by), *skipped.remarks())
    return Corpus(f"folder:{rest}{fragment}", tuple(reader.documents), facts, remarks)


def _cut_remarks(place: str, files: int, documents: int, *, by: By) -> tuple[str, ...]:
    """Note that files were cut, unless the way of cutting was chosen."""
    if documents <= files or by != "auto":
        return ()
    keep = "keeps it whole" if files == 1 else "keeps them whole"
    were = counted(files, "file was", "files were")
    return (f"{were} cut into {documents:,} documents ({Path(place).name or place}#by=file {keep}).",)


def source_text(path: Path, language: str | None = None) -> str:
    """Return the text to which the spans of a file's chunks refer: decoded, and readable where it is HTML."""
    text = decode(path.read_bytes()).text
    return readable_text(text) if (language or language_of_file(path.name)) == "html" else text


def _one_file(path: Path) -> list[SourceFile]:
    return [SourceFile(path, path.name, language_of_file(path.name) or "text")]


def _nothing(skipped: SkippedFiles, pattern: str) -> str:
    if skipped.counts:
        reasons = "; ".join(skipped.remarks()).rstrip(".")
        return f"holds no file that can be read: {reasons}."
    if pattern:
        return f"holds no file named {pattern}."
    return "the folder is empty: it holds no text, no code and no HTML."


class _FolderReader:
    """Reads files one after the other into documents."""

    def __init__(self, cutting: Cutting, skipped: SkippedFiles) -> None:
        self.cutting = cutting
        self.skipped = skipped
        self.documents: list[Document] = []
        self.hashes: dict[str, str] = {}
        self._names = UniqueIds()

    def read(self, file: SourceFile) -> None:
        """Read a file, or count it as skipped with the reason."""
        try:
            data = file.path.read_bytes()
        except OSError as error:
            self.skipped.add("cannot be read", f"{file.relative}, {error.strerror}")
            return
        text, encoding = decode(data)
        if not encoding:
            self.skipped.add("binary, or not in the encoding that it says", file.relative)
        elif not text.strip():
            self.skipped.add("empty", file.relative)
        else:
            self.hashes[file.relative] = hashlib.sha256(data).hexdigest()
            self._cut(file, text, encoding=encoding)

    def _cut(self, file: SourceFile, text: str, *, encoding: str) -> None:
        if encoding == "latin-1":
            self.skipped.note("read as Latin-1, not being UTF-8", file.relative)
        readable = readable_text(text) if file.language == "html" else text
        language = "markdown" if file.language == "html" else file.language
        chunks = cut_source(readable, language, cutting=self.cutting)
        if not chunks:
            self.skipped.add("empty", file.relative)
        if file.language == "python" and any(chunk.kind == "block" for chunk in chunks):
            self.skipped.note("cut at blank lines, since it does not parse as Python", file.relative)
        self.documents += chunk_documents(readable, chunks, file=file, names=self._names)


class UniqueIds:
    """Makes ids unique; a repeated one is numbered from 1, as anchors are."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._next: dict[str, int] = {}

    def take(self, wanted: str) -> str:
        """Return the id, or the first free one after it."""
        name = wanted
        while name in self._taken:
            number = self._next.get(wanted, 1)
            self._next[wanted] = number + 1
            name = f"{wanted}-{number}"
        self._taken.add(name)
        return name


def chunk_documents(
    text: str, chunks: Iterable[Chunk], *, file: SourceFile, names: UniqueIds | None = None
) -> list[Document]:
    """Turn the chunks of a file into documents."""
    names, line_of = names or UniqueIds(), LineNumbers(text)
    place = re.sub(r"\s", lambda blank: f"%{ord(blank[0]):02X}", file.relative)
    documents: list[Document] = []
    piece = ""
    for chunk in chunks:
        if chunk.part == 1:
            piece = names.take(f"{place}#{chunk.name}" if chunk.name else place)
        name = piece if chunk.part == 1 else names.take(f"{piece}~{chunk.part}")
        lines = (line_of(chunk.start), line_of(chunk.end - 1))
        documents.append(_document(name, text, chunk, file=file, lines=lines))
    return documents


def _document(name: str, text: str, chunk: Chunk, *, file: SourceFile, lines: tuple[int, int]) -> Document:
    is_prose = chunk.kind in ("section", "front matter", "text")
    named: dict[str, object] = {}
    if chunk.path:
        named = {"headings": list(chunk.path)} if is_prose else {"symbol": ".".join(chunk.path)}
    return Document(
        id=name,
        text=text[chunk.start : chunk.end],
        title=_title(chunk, is_prose=is_prose) or file.relative,
        metadata={
            "source": file.relative,
            "start": chunk.start,
            "end": chunk.end,
            "first_line": lines[0],
            "last_line": lines[1],
            "kind": chunk.kind,
            "language": file.language,
            **named,
        },
    )


def _title(chunk: Chunk, *, is_prose: bool) -> str:
    if not is_prose:
        return ".".join(chunk.path)
    # A section begins with its own heading: with that in the title too, it would be searched twice.
    begins_with_heading = chunk.kind == "section" and chunk.part == 1
    return " > ".join(chunk.path[:-1] if begins_with_heading else chunk.path)


def _whole_number(options: Mapping[str, str], name: str, default: int) -> int:
    """Return an option that is a whole number, not negative."""
    value = options.get(name)
    if value is None:
        return default
    if not (value.isascii() and value.isdigit()):
        raise InputError(f"{name}={value}: expected a whole number, such as {name}={default}.")
    return int(value)

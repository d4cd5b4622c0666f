"""Programming languages: recognised by name, file or content, with their comment syntax.

A language is known by the name used after a Markdown fence ("python", "cpp", "yaml"). It comes from the dataset's own
field, else the file name, else the content, else it is "text". A file name counts by its whole name or by its real
suffix, the part after the last point: `x.c` is C and `x.cpp` is not. A field that names a language which is not listed
here is taken at its word.

By content. A few signs per language that prose and other languages do not show: better no answer than a wrong one. Only
the beginning is looked at, in the order of the list; JSON and TOML must parse.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass

TEXT = "text"


@dataclass(frozen=True, slots=True)
class Comment:
    """How a comment is written: to the end of the line, or up to `closing` where there is one."""

    opening: str
    closing: str = ""


# name | comment | suffixes (upper case means just that) and whole file names | other names
_TABLE = """
    bash         | #        | .sh .bash .zsh .ksh .bashrc .zshrc .profile .env .envrc    | shell sh zsh shellscript
    batchfile    | REM      | .bat .cmd                                                  | batch bat
    c            | //       | .c .h                                                      |
    clojure      | ;;       | .clj .cljs .cljc .edn                                      |
    cmake        | #        | .cmake CMakeLists.txt                                      |
    coffeescript | #        | .coffee                                                    |
    cpp          | //       | .cpp .cc .cxx .c++ .C .hpp .hh .hxx .h++ .H .ipp .inl      | c++ cplusplus
    csharp       | //       | .cs .csx                                                   | c# cs
    css          | /* */    | .css                                                       |
    csv          |          | .csv .tsv                                                  |
    cuda         | //       | .cu .cuh                                                   |
    cython       | #        | .pyx .pxd .pxi                                             |
    dart         | //       | .dart                                                      |
    diff         |          | .diff .patch                                               | patch
    dockerfile   | #        | .dockerfile Dockerfile Containerfile                       | docker
    elixir       | #        | .ex .exs                                                   |
    elm          | --       | .elm                                                       |
    erlang       | %        | .erl .hrl                                                  |
    fortran      | !        | .f90 .f95 .f03 .f08                                        |
    fsharp       | //       | .fs .fsx .fsi                                              | f#
    go           | //       | .go go.mod                                                 | golang
    graphql      | #        | .graphql .gql                                              |
    groovy       | //       | .groovy .gradle Jenkinsfile                                |
    haskell      | --       | .hs                                                        |
    hcl          | #        | .tf .tfvars .hcl                                           | terraform
    html         | <!-- --> | .html .htm .xhtml                                          | xhtml
    ini          | ;        | .ini .cfg .conf .editorconfig .gitconfig                   | cfg conf config
    java         | //       | .java                                                      |
    javascript   | //       | .js .mjs .cjs .jsx                                         | js jsx node nodejs
    jinja        | {# #}    | .j2 .jinja .jinja2                                         | jinja2
    json         |          | .json .jsonl .ndjson .ipynb .webmanifest                   | jsonl ndjson jupyter-notebook
    jsonc        | //       | .jsonc .json5                                              | json5
    julia        | #        | .jl                                                        |
    kotlin       | //       | .kt .kts                                                   | kt
    latex        | %        | .tex .sty .cls                                             | tex
    less         | //       | .less                                                      |
    lua          | --       | .lua                                                       |
    makefile     | #        | .mk .mak Makefile makefile GNUmakefile                     | make
    markdown     | <!-- --> | .md .markdown .mdx                                         | md
    matlab       | %        |                                                            |
    nim          | #        | .nim                                                       |
    objectivec   | //       | .m .mm                                                     | objective-c objc
    ocaml        | (* *)    | .ml .mli                                                   |
    perl         | #        | .pl .pm                                                    |
    php          | //       | .php .phtml                                                |
    powershell   | #        | .ps1 .psm1 .psd1                                           | pwsh
    properties   | #        | .properties                                                |
    protobuf     | //       | .proto                                                     | proto
    python       | #        | .py .pyi .pyw .bzl SConstruct BUILD WORKSPACE              | py python2 python3 py3
    r            | #        | .r .R                                                      | rlang
    rst          | ..       | .rst                                                       | restructuredtext
    ruby         | #        | .rb .rake .gemspec Gemfile Rakefile Vagrantfile            | rb
    rust         | //       | .rs                                                        | rs
    sass         | //       | .sass                                                      |
    scala        | //       | .scala .sc .sbt                                            |
    scss         | //       | .scss                                                      |
    solidity     | //       | .sol                                                       |
    sql          | --       | .sql .ddl .dml                                             | mysql postgresql tsql plsql
    svelte       | <!-- --> | .svelte                                                    |
    swift        | //       | .swift                                                     |
    text         |          | .txt .text .log README LICENSE                             | txt plain plaintext
    toml         | #        | .toml Pipfile                                              |
    tsx          | //       | .tsx                                                       |
    typescript   | //       | .ts .mts .cts                                              | ts
    vb           | '        | .vb .vbs                                                   | visual-basic vbnet
    vue          | <!-- --> | .vue                                                       |
    xml          | <!-- --> | .xml .xsd .xsl .xslt .svg .plist .csproj .pom              |
    yaml         | #        | .yml .yaml .clang-format                                   | yml
    zig          | //       | .zig                                                       |
"""

_NOT_A_NAME = frozenset({"", "-", "n/a", "na", "nan", "none", "null", "other", "undefined", "unknown"})

_NAME = re.compile(r"[\w.+#-]+")

_LINE_REFERENCE = re.compile(r"[:#]L?\d+(?:-L?\d+)?$")

_COMMENTS: dict[str, Comment] = {}

_FILES: dict[str, str] = {}

_NAMES: dict[str, str] = {}

for _line in _TABLE.strip().splitlines():
    _name, _comment, _files, _aliases = (part.split() for part in _line.split("|"))
    if _comment:
        _COMMENTS[_name[0]] = Comment(*_comment)
    _FILES |= dict.fromkeys(_files, _name[0])
    _NAMES |= dict.fromkeys([*_name, *_aliases], _name[0])


def comment_of(language: str) -> Comment | None:
    """Return how the language writes a comment; None where it has none, or none that is known."""
    return _COMMENTS.get(language)


def detect_language(name: object = None, *, file_path: str = "", content: str = "") -> str:
    """Return the language by the dataset's own word, else by file name, else by content, else "text"."""
    named = language_of_name(name) if isinstance(name, str) else None
    return named or language_of_file(file_path) or language_of_content(content) or TEXT


def language_of_name(name: str) -> str | None:
    """Return the language that a dataset calls so ("C++", "golang", "Shell"); None where it names none."""
    slug = "-".join(name.casefold().split())
    if slug in _NOT_A_NAME or not _NAME.fullmatch(slug):
        return None
    return _NAMES.get(slug, slug)


def language_of_file(file_path: str) -> str | None:
    """Return the language of a file by its name; None where the name says nothing."""
    name = _LINE_REFERENCE.sub("", re.split(r"[/\\]", file_path.strip())[-1])
    if name in _FILES:
        return _FILES[name]
    stem, point, suffix = name.rpartition(".")
    if not point:
        return None
    first = stem.partition(".")[0]
    exact = _FILES.get(f".{suffix}") or _FILES.get(f".{suffix.casefold()}")
    # Dockerfile.dev and Makefile.am are named after their kind, not by a suffix.
    return exact or (_FILES.get(first) if first else None)


_LOOKED_AT = 8000

_PARSED = 1_000_000

_SHEBANG = re.compile(r"#![ \t]*(?:\S*/)?(?:env[ \t]+(?:-\S+[ \t]+)*)?(?:\S*/)?([A-Za-z]+)")

_INTERPRETERS = {
    "bash": "bash", "sh": "bash", "zsh": "bash", "dash": "bash", "ksh": "bash",
    "node": "javascript", "deno": "typescript",
    "python": "python", "pypy": "python", "perl": "perl", "php": "php", "ruby": "ruby", "lua": "lua", "Rscript": "r",
}  # fmt: skip

# Each language with the patterns that must all be found; lines are matched from their beginning (MULTILINE).
_SIGNS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("php", (r"\A\s*<\?php",)),
    ("xml", (r"\A\s*<\?xml\s",)),
    ("html", (r"(?i)\A\s*<(?:!doctype\s+html|html)\b",)),
    ("diff", (r"^(?:diff --git |--- \S+\n\+\+\+ \S)", r"^@@ ")),
    ("dockerfile", (r"\A(?:\s*#.*\n|ARG .*\n|\s*\n)*FROM \S+", r"^(?:RUN|CMD|COPY|ADD|ENTRYPOINT|WORKDIR|ENV) ")),
    ("cpp", (r"^\s*#\s*include\s*[<\"]", r"\bstd::|^\s*(?:class|namespace|template)\b|<iostream>")),
    ("c", (r"^\s*#\s*include\s*[<\"]",)),
    ("go", (r"^package \w+\s*$", r"^(?:func|import|type|var|const)\b")),
    ("csharp", (r"^\s*using [A-Z][\w.]*;", r"\b(?:namespace|class|interface|struct|var)\b")),
    ("java", (r"^\s*(?:package|import)(?: static)? [\w.]+(?:\.\*)?;",)),
    ("java", (r"^\s*(?:public|private|protected)\s+(?:(?:static|final|abstract)\s+)*(?:class|interface|enum)\s+\w+",)),
    ("java", (r"^\s*(?:public|private|protected)\s+(?:(?:static|final)\s+)*[\w<>\[\], ]+\s\w+\([^)]*\)[^;]*\{",)),
    ("rust", (r"^\s*(?:pub(?:\([\w ]+\))? )?(?:async )?fn \w+", r"->|let mut |&(?:mut )?self|^use [\w:]+::|println!")),
    ("kotlin", (r"^\s*(?:(?:private|public|internal|override|suspend) )*fun (?:<\w+> )?[\w.]+\(",)),
    ("swift", (r"^\s*(?:(?:private|public|override) )*func \w+\(", r"->|\blet \w+|^import [A-Z]")),
    ("scala", (r"^\s*(?:case class|object|trait) \w+", r"\bdef \w+|\bval \w+|extends ")),
    ("typescript", (r"^\s*(?:export )?(?:interface \w+[^;]*\{|type \w+(?:<.*>)? = )", r"^\s*\S+\??: \S+|=>|\|")),
    ("typescript", (r"\b(?:const|let|function)\b", r"\w\??: (?:string|number|boolean|void|any)\b")),
    ("ruby", (r"^\s*(?:def [\w.?!=]+|class [A-Z]\w*(?: < \S+)?$|module [A-Z])", r"^\s*end\s*$")),
    ("python", (r"^\s*(?:async\s+)?def\s+\w+\s*\([^{}]*?\)\s*(?:->[^:\n]+)?:",)),
    ("python", (r"^\s*class\s+\w+\s*(?:\([^)]*\))?:\s*(?:#.*)?$",)),
    ("python", (r"^from\s+[\w.]+\s+import\s+[\w(*]",)),
    ("python", (r"^import\s+[\w.]+(?:\s+as\s+\w+)?\s*$", r"\A(?![\s\S]*[{;]\s*$)")),
    ("javascript", (r"^\s*(?:export )?(?:default )?(?:async )?function\b\s*\*?\s*\w*\s*\([^)]*\)\s*\{",)),
    ("javascript", (r"^\s*(?:const|let|var)\s+[\w{\[$][^=\n]*=", r";\s*$|=>|require\(|function")),
    ("javascript", (r"^\s*(?:import .+ from ['\"]|(?:module\.)?exports(?:\.\w+)? = )",)),
    ("sql", (r"\A\s*(?:--.*\n\s*)*(?:SELECT\s[\s\S]+?\sFROM|INSERT\s+INTO|UPDATE\s+\S+\s+SET|DELETE\s+FROM)\s",)),
    ("sql", (r"\A\s*(?:--.*\n\s*)*(?:CREATE|ALTER|DROP)\s+(?:OR REPLACE\s+)?(?:TABLE|VIEW|INDEX|FUNCTION)\s",)),
    ("css", (r"\A\s*(?:/\*[\s\S]*?\*/\s*)?[.#@:\w][^{};]*\{\s*[\w-]+\s*:\s*[^;{}]+;",)),
)  # fmt: skip

_PATTERNS = tuple((language, tuple(re.compile(sign, re.MULTILINE) for sign in signs)) for language, signs in _SIGNS)

_YAML_LINE = re.compile(r"---\s*$|\s*#|\s*- |\s*-$|\s*[\w.\"'/-]+:(?:\s|$)|\s{2,}\S")

_YAML_KEY = re.compile(r"^\s*(?:- )?[\w.\"'/-]+:(?:\s|$)", re.MULTILINE)

_SECTION = re.compile(r"^\[[^\]\n]+\]\s*$", re.MULTILINE)

_ASSIGNMENT = re.compile(r"^[\w.-]+\s*=", re.MULTILINE)


def language_of_content(content: str) -> str | None:
    """Return the language that the content shows plainly, or None."""
    head = content[:_LOOKED_AT].lstrip("\ufeff")
    if not head.strip():
        return None
    return _by_shebang(head) or _json(content) or _by_signs(head) or _configuration(content[:_PARSED]) or _yaml(head)


def _by_shebang(head: str) -> str | None:
    match = _SHEBANG.match(head)
    return _INTERPRETERS.get(match[1]) if match else None


def _by_signs(head: str) -> str | None:
    for language, signs in _PATTERNS:
        if all(sign.search(head) for sign in signs):
            return language
    return None


def _json(content: str) -> str | None:
    if len(content) > _PARSED or content.strip()[:1] not in {"{", "["}:
        return None
    try:
        json.loads(content)
    except (ValueError, RecursionError):
        return None
    return "json"


def _configuration(content: str) -> str | None:
    if not (_SECTION.search(content) and _ASSIGNMENT.search(content)):
        return None
    try:
        tomllib.loads(content.replace("\r\n", "\n"))
    except (ValueError, RecursionError):
        return "ini"
    return "toml"


def _yaml(head: str) -> str | None:
    lines = [line for line in head.splitlines() if line.strip()]
    if not all(_YAML_LINE.match(line) for line in lines):
        return None
    keys = len(_YAML_KEY.findall(head))
    return "yaml" if keys >= 2 or (keys and lines[0].startswith("---")) else None

"""Languages of code and configuration: what they are called, how their files are named, how they write a comment.

A language is known by the name used after a Markdown fence ("python", "cpp", "yaml"). It comes from the dataset's own
field, else the file name, else the content (`goldproof.text.language_signs`), else it is "text". A file name counts by
its whole name or by its real suffix, the part after the last point: `x.c` is C and `x.cpp` is not. A field that names a
language which is not listed here is taken at its word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from goldproof.text.language_signs import language_of_content

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


def known_languages() -> tuple[str, ...]:
    """Return the languages of the table, sorted."""
    return tuple(sorted(set(_NAMES.values())))


def detect_language(name: object = None, *, file_path: str = "", content: str = "") -> str:
    """Return the language by the dataset's own word, else by file name, else by content, else "text"."""
    found = language_of_name(name) if isinstance(name, str) else None
    return found or language_of_file(file_path) or language_of_content(content) or TEXT


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

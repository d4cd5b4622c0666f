"""The language of a snippet by its content, where neither the dataset nor a file name says it.

A few signs per language that prose and other languages do not show: better no answer than a wrong one. Only the
beginning is looked at, in the order of the list; JSON and TOML must parse.
"""

from __future__ import annotations

import json
import re
import tomllib

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

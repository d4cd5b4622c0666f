"""CodeRepoQA, in both shapes that it is met in.

- `{question, answer, code, file_path, repo, language}`: a question about a piece of code (`snippet` is read where
  `code` is absent or blank; either may be a list of lines). The document is the code in a fence with its header
  (`goldproof.text.code_blocks`), known by its content: the same code of the same file is one document.
- A GitHub issue with its comments, as published: `goldproof.jobs.build.adapters.coderepoqa_issues`.

`repo` is in the metadata of every example ("" where nothing says it), since most issues are of a few repositories and
a recipe will want to spread over it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.build.adapters.adapter import Adapter, AdapterInfo, JsonObject, Place, without_options
from goldproof.jobs.build.adapters.coderepoqa_issues import issue_example
from goldproof.jobs.build.adapters.ids import content_id, passage_id
from goldproof.jobs.build.adapters.record_fields import record_id, text_of
from goldproof.jobs.build.example import Dropped, Example
from goldproof.records.entities import Document
from goldproof.text.code_blocks import code_context
from goldproof.text.languages import detect_language
from goldproof.text.symbols import enclosing_symbol

if TYPE_CHECKING:
    from collections.abc import Iterator

INFO = AdapterInfo(
    name="coderepoqa",
    title="CodeRepoQA",
    doc_type="code_config",
    licence="not stated",
    citation="Hu et al. (2024). CodeRepoQA: A Large-scale Benchmark for Software Engineering Question Answering. "
    "arXiv:2412.14764.",
    homepage="https://github.com/kinesiatricssxilm14/CodeRepoQA",
    needs=(
        frozenset({"question", "answer", "code"}),
        frozenset({"question", "answer", "snippet"}),
        frozenset({"title", "comments_details"}),
    ),
)


def adapt(record: JsonObject, _place: Place) -> Iterator[Example | Dropped]:
    """Yield the record's example, or why there is none."""
    yield issue_example(record) if "comments_details" in record else code_example(record)


def code_example(record: JsonObject) -> Example | Dropped:
    """Return a question about a piece of code."""
    question, answer = text_of(record.get("question")), text_of(record.get("answer"))
    code = _code(record.get("code")) or _code(record.get("snippet"))
    given = {"question": question, "answer": answer, "code": code}
    if missing := next((name for name, value in given.items() if not value), ""):
        return Dropped(f"no {missing}", original_id=record_id(record))
    file_path, repo = text_of(record.get("file_path")), text_of(record.get("repo"))
    language = detect_language(record.get("language"), file_path=file_path, content=code)
    symbol = enclosing_symbol(code, language)
    text = code_context(code, language=language, file_path=file_path, repo=repo).text
    document = passage_id(INFO.name, title=file_path, text=text)
    return Example(
        original_id=record_id(record) or content_id(question, answer, repo, file_path, code),
        question=question,
        answer=answer,
        documents=(Document(document, text, title=file_path),),
        gold=(document,),
        metadata={
            "repo": repo,
            "file_path": file_path or None,
            "language": language,
            "code_length": len(code),
            "function": symbol.name if symbol and symbol.kind == "function" else None,
            "class": symbol.name if symbol and symbol.kind == "class" else None,
        },
    )


def _code(value: object) -> str:
    if isinstance(value, list):
        lines = [line for line in value if isinstance(line, str)]
        value = "\n".join(line.removesuffix("\n") for line in lines)
    return value if isinstance(value, str) and value.strip() else ""


ADAPTER = Adapter(INFO, without_options(adapt))

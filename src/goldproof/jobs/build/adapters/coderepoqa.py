"""CodeRepoQA in both published shapes: questions about a piece of code, and GitHub issues.

`{question, answer, code, file_path, repo, language}` is a question about a piece of code (`snippet` is read where
`code` is absent or blank; either may be a list of lines). The document is the code in a fence with its header
(`goldproof.text.code_blocks`), identified by its content: the same code of the same file is one document.

A record with `comments_details` is a GitHub issue with its comments:
- Question: see `goldproof.jobs.build.adapters.github_issues`.
- Answer: the first comment, by time, with substance whose author has written code for the repository (OWNER,
  MEMBER, COLLABORATOR, CONTRIBUTOR), is no bot and is not the asker. The records do not name the asker; where `user` is
  absent, a comment with the same association as the issue may be the asker's own and is not taken.
- Document: the code blocks of the body, each in a fence with its language, then the comments of people, one after the
  other. Title and prose of the body are the question: with them the document would be found by its own words. The
  evidence is the answering comment.
- Dropped: pull requests, duplicates, issues without comments or with comments by bots only, those without such an
  answer, and those whose document would be the answer and nothing else: a search in it would be trivial.

`repo` is in the metadata of every example ("" where it is not known), since most issues are of a few repositories and
a recipe will want to spread over it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.build.adapters.adapter import (
    Adapter,
    AdapterInfo,
    JsonObject,
    RecordPlace,
    content_id,
    number_of,
    passage_id,
    record_id,
    safe_id,
    text_of,
    without_options,
)
from goldproof.jobs.build.adapters.github_issues import (
    Comment,
    has_substance,
    is_duplicate,
    is_pull_request,
    issue_id,
    label_names,
    question_text,
    read_comments,
)
from goldproof.jobs.build.records import Dropped, Evidence, Example
from goldproof.records.entities import Document
from goldproof.text.citations import citations
from goldproof.text.code_blocks import Code, code_context, fenced_blocks, without_html_comments
from goldproof.text.languages import detect_language
from goldproof.text.symbols import enclosing_symbol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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


def adapt(record: JsonObject, _place: RecordPlace) -> Iterator[Example | Dropped]:
    """Yield the record's example, or why there is none."""
    yield issue_example(record) if "comments_details" in record else code_example(record)


def code_example(record: JsonObject) -> Example | Dropped:
    """Return a question about a piece of code."""
    question, answer = text_of(record.get("question")), text_of(record.get("answer"))
    code = _code(record.get("code")) or _code(record.get("snippet"))
    needed = {"question": question, "answer": answer, "code": code}
    if missing := next((name for name, value in needed.items() if not value), ""):
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


INSIDERS = frozenset({"OWNER", "MEMBER", "COLLABORATOR", "CONTRIBUTOR"})
_BETWEEN = "\n\n---\n\n"


def issue_example(record: JsonObject) -> Example | Dropped:
    """Return the question that an issue asks and answers, or why it does not."""
    original_id = issue_id(record)
    question = question_text(text_of(record.get("title")), text_of(record.get("body")))
    comments = read_comments(record.get("comments_details"))
    people = [comment for comment in comments if not comment.bot]
    answer = next((comment for comment in people if _may_answer(comment, record)), None)
    checks = {
        "no repository or number": not original_id,
        "pull request": is_pull_request(record),
        "duplicate of another issue": is_duplicate(record),
        "no question": not question,
        "no comment": not comments,
        "only bots commented": not people,
    }
    reason = next((reason for reason, holds in checks.items() if holds), "")
    if reason or answer is None:
        return Dropped(reason or "no answer by a maintainer", original_id=original_id or None)
    code = code_of(record.get("body"))
    if not code and all(comment.text == answer.text for comment in people):
        return Dropped("the answer is the whole document", original_id=original_id)
    return _example(record, original_id=original_id, question=question, code=code, people=people, answer=answer)


def _may_answer(comment: Comment, record: JsonObject) -> bool:
    user = record.get("user")
    asker = text_of(user.get("login")) if isinstance(user, dict) else ""
    if asker and comment.login:
        own = comment.login.casefold() == asker.casefold()
    else:
        own = comment.association == text_of(record.get("author_association")).upper()
    return comment.association in INSIDERS and not own and has_substance(comment.text)


def code_of(body: object) -> list[Code]:
    """Return the code blocks that are not empty, unindented; none for a body that is no text."""
    written = body if isinstance(body, str) else ""
    text = without_html_comments(written.replace("\r\n", "\n").replace("\r", "\n"))
    blocks = [(block.own_code.removesuffix("\n"), block.info.split()) for block in fenced_blocks(text)]
    return [
        Code(code, detect_language(info[0] if info else None, content=code)) for code, info in blocks if code.strip()
    ]


def _example(
    record: JsonObject,
    *,
    original_id: str,
    question: str,
    code: Sequence[Code],
    people: Sequence[Comment],
    answer: Comment,
) -> Example:
    shown = [code_context(block.code, language=block.language).text for block in code]
    comments = [comment.text for comment in people]
    before = [*shown, *comments[: people.index(answer)]]
    start = sum(len(part) + len(_BETWEEN) for part in before)
    document = safe_id(original_id)
    text = _BETWEEN.join([*shown, *comments])
    return Example(
        original_id=original_id,
        question=question,
        answer=answer.text,
        documents=(Document(document, text, title=original_id),),
        gold=(document,),
        evidence=(Evidence(document, start, start + len(answer.text)),),
        metadata={
            "repo": original_id.partition("#")[0],
            **code_facts(answer.text, thread=_BETWEEN.join(comments), asked=code),
            "number": number_of(record.get("number")),
            "title": text_of(record.get("title")),
            "labels": label_names(record.get("labels")),
            "html_url": text_of(record.get("html_url")) or None,
            "created_at": text_of(record.get("created_at")) or None,
            "state": text_of(record.get("state")) or None,
            "comments": len(people),
        },
    )


def code_facts(answer: str, *, thread: str, asked: Sequence[Code]) -> dict[str, object]:
    """Return metadata on the code of the answer, else of the thread, else of the asker, and the length of all code."""
    blocks = [block for text in (answer, thread) for block in fenced_blocks(text) if block.code.strip()]
    code = blocks[0].code if blocks else asked[0].code if asked else ""
    info = blocks[0].info.split() if blocks else [asked[0].language] if asked else []
    cited = [citation.path for citation in citations(answer) if "/" in citation.path]
    language = detect_language(info[0] if info else None, file_path=cited[0] if cited else "", content=code)
    symbol = enclosing_symbol(code, language)
    shown = [*(snippet.code for snippet in asked), *(block.code for block in fenced_blocks(thread))]
    return {
        "file_path": cited[0] if cited else None,
        "language": language,
        "code_length": sum(len(code) for code in shown),
        "function": symbol.name if symbol and symbol.kind == "function" else None,
        "class": symbol.name if symbol and symbol.kind == "class" else None,
    }


ADAPTER = Adapter(INFO, without_options(adapt))

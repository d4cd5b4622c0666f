"""CodeRepoQA in both shapes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.io.record_files import read_records
from goldproof.jobs.build.adapters.adapter import LocalSource, RecordPlace
from goldproof.jobs.build.adapters.coderepoqa import ADAPTER, adapt
from goldproof.jobs.build.records import Dropped, Example
from goldproof.text.code_blocks import Code, read_code_context

if TYPE_CHECKING:
    from collections.abc import Mapping

FIXTURES = Path(__file__).parent / "fixtures"
CODE, ISSUES = "synthetic_coderepoqa.jsonl", "synthetic_coderepoqa_issues.jsonl"
HERE = RecordPlace(Path("x.jsonl"), 1)
METADATA = ("repo", "file_path", "language", "code_length", "function", "class")


def results(name: str) -> list[Example | Dropped]:
    path = FIXTURES / name
    read = ADAPTER.open(LocalSource(FIXTURES, (path,)))
    return [each for number, record in read_records(path) for each in read(record, RecordPlace(path, number))]


def example(name: str, position: int) -> Example:
    found = results(name)[position]
    assert isinstance(found, Example), found
    return found


def adapted(record: Mapping[str, object]) -> Example | Dropped:
    [found] = adapt(record, HERE)
    return found


def facts(found: Example) -> tuple[object, ...]:
    return tuple(found.metadata[name] for name in METADATA)


def test_the_first_code_question_exactly() -> None:
    found = example(CODE, 0)
    assert found.question == "What does the authenticate function return?"
    assert found.answer == "A signed token if the credentials are valid, None otherwise."
    [document] = found.documents
    assert document.text == (
        "```python\n# File: src/auth/login.py\n# Repository: example/webapp\n\n"
        "def authenticate(username, password):\n\tuser = find(username)\n\tif user and user.check(password):\n"
        "\t\treturn sign(user)\n\treturn None\n\n```"
    )
    assert document.title == "src/auth/login.py"
    assert found.gold == (document.id,)
    assert facts(found) == ("example/webapp", "src/auth/login.py", "python", 129, "authenticate", None)


def test_json_has_its_header_above_the_fence() -> None:
    text = example(CODE, 1).documents[0].text
    assert text.startswith("File: config/server.json\nRepository: example/webapp\n\n```json\n{\n")


def test_a_snippet_stands_in_for_absent_or_blank_code() -> None:
    assert facts(example(CODE, 2)) == ("example/webapp", "Dockerfile", "dockerfile", 43, None, None)
    assert example(CODE, 5).documents[0].text == "```yaml\nretries: 5\nbackoff: 2s\n\n```"


def test_repo_is_always_there_and_what_is_unknown_is_not_written_into_the_context() -> None:
    found = example(CODE, 5)
    assert facts(found) == ("", None, "yaml", 23, None, None)
    assert "unknown" not in found.documents[0].text


def test_fences_and_line_ends_in_the_code_survive() -> None:
    nested, windows = example(CODE, 3).documents[0].text, example(CODE, 4)
    assert nested.startswith("`````python\n")
    assert read_code_context(nested) == Code(
        "TEXT = '''\n````text\nnested\n````\n'''\n", "python", "docs/render.py", "example/docs"
    )
    assert "    public V get(K key) {\r\n" in windows.documents[0].text
    assert facts(windows) == ("example/cache", None, "java", 117, None, "Cache")


def test_code_questions_that_cannot_be_used_have_their_reason() -> None:
    dropped = [each.reason for each in results(CODE) if isinstance(each, Dropped)]
    assert dropped == ["no question", "no answer", "no code"]


def test_code_may_be_a_list_of_lines_and_an_own_id_is_kept() -> None:
    found = adapted({"id": 7, "question": "a?", "answer": "b", "code": ["x = 1\n", "y = 2\n"]})
    assert isinstance(found, Example)
    assert found.original_id == "7"
    assert "x = 1\ny = 2\n```" in found.documents[0].text


def test_the_same_code_is_one_document_and_other_code_of_the_file_another() -> None:
    record = {"question": "a?", "answer": "b", "code": "x = 1", "file_path": "a.py"}
    first, again, other = (adapted(record | change) for change in ({}, {"question": "c?"}, {"code": "x = 2"}))
    assert isinstance(first, Example)
    assert isinstance(again, Example)
    assert isinstance(other, Example)
    assert first.gold == again.gold != other.gold
    assert len({first.original_id, again.original_id, other.original_id}) == 3


def test_the_first_issue_exactly() -> None:
    found = example(ISSUES, 0)
    answer = (
        "Pass `header=None`, and give the names of the columns yourself:\n\n```python\ndef read_plain(path):\n"
        "    return parser.read(path, header=None, names=['a', 'b'])\n```"
    )
    assert (found.original_id, found.question) == ("example/parser#1", "How do I parse a file without a header?")
    assert found.answer == answer
    [document] = found.documents
    asked = "```python\nparser.read('a.csv')\n```"
    assert document.text == f"{asked}\n\n---\n\n{answer}\n\n---\n\nThanks, that works."
    [evidence] = found.evidence
    assert document.text[evidence.start : evidence.end] == answer
    assert found.metadata == {
        "repo": "example/parser",
        "file_path": None,
        "language": "python",
        "code_length": 102,  # the answer's 82 and the asker's 20
        "function": "read_plain",
        "class": None,
        "number": 1,
        "title": "How do I parse a file without a header?",
        "labels": ["question"],
        "html_url": "https://github.com/example/parser/issues/1",
        "created_at": "2023-04-01T09:00:00Z",
        "state": "closed",
        "comments": 2,
    }


def test_an_asking_back_is_passed_over_and_evidence_points_to_the_answer() -> None:
    found = example(ISSUES, 1)
    assert found.question == "read() fails on an empty file. Is that intended?"
    [evidence] = found.evidence
    text = found.documents[0].text
    assert text.startswith("Which version is it?\n\n---\n\n")
    assert text[evidence.start : evidence.end] == found.answer
    assert found.metadata["file_path"] == "src/parser/reader.py"


def test_every_issue_becomes_an_example_or_a_reason() -> None:
    found = dict(enumerate(results(ISSUES), start=1))
    assert {number: each.reason for number, each in found.items() if isinstance(each, Dropped)} == {
        3: "the answer is the whole document",
        4: "no question",
        5: "the answer is the whole document",
        6: "pull request",
        7: "no comment",
        8: "only bots commented",
        9: "duplicate of another issue",
        10: "no answer by a maintainer",
        11: "no answer by a maintainer",
        12: "the answer is the whole document",
        13: "no repository or number",
    }


def test_the_document_does_not_hold_the_question_itself() -> None:
    for each in results(ISSUES):
        if isinstance(each, Example):
            assert str(each.metadata["title"]) not in each.documents[0].text + each.documents[0].title


SAID = "Set the option `strict` to false, then the parser accepts such a line."
ASKED = "I tried:\r\n\r\n```python\r\nparser.read('a')\r\n```\r\n"
SHOWN = "```python\nparser.read('a')\n```"


def issue(**changes: object) -> dict[str, object]:
    comment = {"user": {"login": "ada", "type": "User"}, "author_association": "MEMBER", "body": SAID}
    base = {
        "title": "How do I accept such a line?",
        "body": ASKED,
        "number": 5,
        "author_association": "NONE",
        "html_url": "https://github.com/o/n/issues/5",
        "comments_details": [comment | {"created_at": "2024-01-02T00:00:00Z"}],
    }
    return base | changes


def comment(body: str, *, at: int = 1, login: str = "bob", association: str = "NONE", kind: str = "User") -> object:
    created = f"2024-01-{at:02}T00:00:00Z"
    return {"user": {"login": login, "type": kind}, "author_association": association, "body": body} | {
        "created_at": created
    }


ANSWER = comment(SAID, at=5, login="ada", association="MEMBER")


def thread(found: Example | Dropped) -> str:
    """The document, after a look at what holds for every one of an issue."""
    assert isinstance(found, Example), found
    [document], [evidence] = found.documents, found.evidence
    assert document.text[evidence.start : evidence.end] == found.answer == SAID
    assert document.text != found.answer
    assert found.gold == (document.id,)
    return document.text


def test_the_document_is_the_code_of_the_body_and_the_thread() -> None:
    said = issue(comments_details=[ANSWER, comment("Thanks.", at=9), comment("Which version is it?", at=2)])
    assert thread(adapted(said)) == f"{SHOWN}\n\n---\n\nWhich version is it?\n\n---\n\n{SAID}\n\n---\n\nThanks."


def test_the_prose_of_the_body_stays_out_of_the_document() -> None:
    body = f"Reading a line fails for me.\n\n{SHOWN}\n\nWhat can I do about it?"
    assert thread(adapted(issue(title="read() fails", body=body))) == f"{SHOWN}\n\n---\n\n{SAID}"


WHOLE = Dropped("the answer is the whole document", original_id="o/n#5")


@pytest.mark.parametrize(
    "body",
    [
        None,
        "",
        "I tried `parser.read('a')`.",
        "```python\n\n```",
        "<!--\n```python\npaste your code here\n```\n-->\nNothing works.",
        "<!-- never closed\n```\nx = 1\n```",
    ],
)
def test_an_answer_alone_without_code_is_dropped(body: str | None) -> None:
    assert adapted(issue(body=body, comments_details=[ANSWER])) == WHOLE


def test_bots_and_repeated_answers_do_not_make_a_thread() -> None:
    bot = comment("I am a bot, and this is all that I say.", login="triage", kind="Bot")
    assert adapted(issue(body=None, comments_details=[bot, ANSWER, ANSWER])) == WHOLE


def test_a_thread_of_several_comments_needs_no_code() -> None:
    assert thread(adapted(issue(body=None, comments_details=[ANSWER, comment("Thanks.", at=9)]))) == (
        f"{SAID}\n\n---\n\nThanks."
    )


@pytest.mark.parametrize(
    ("body", "blocks"),
    [
        ("~~~py\nx = 1\n~~~", ["```python\nx = 1\n```"]),
        ("`````\n```\nkept\n```\n`````", ["````text\n```\nkept\n```\n````"]),
        ("1. so:\r\n   ```python\r\n   if x:\r\n       y()\r\n   ```", ["```python\nif x:\n    y()\n```"]),
        ("- ```python\n  x = 1\n\n  y = 2\n  ```", ["```python\nx = 1\n\ny = 2\n```"]),
        ("\t```python\n\tif x:\n\t\ty()\n\t```", ["```python\nif x:\n\ty()\n```"]),
        ("> ```python\n> x = 1\n> ```", ["```python\nx = 1\n```"]),
        ("```python\nx = 1\nnever closed", ["```python\nx = 1\nnever closed\n```"]),
        ("```json\n{}\n```\nand\n```sh\nls\n```", ["```json\n{}\n```", "```bash\nls\n```"]),
        ("```html\n<!-- kept -->\n```", ["```html\n<!-- kept -->\n```"]),
        ("the mark `<!--` is code\n```python\nx = 1\n```", ["```python\nx = 1\n```"]),
    ],
)
def test_code_of_the_body_is_fenced_with_its_language_at_the_margin(body: str, blocks: list[str]) -> None:
    assert thread(adapted(issue(body=body))) == "\n\n---\n\n".join([*blocks, SAID])


def said_by(**changes: object) -> dict[str, object]:
    comment = {"user": {"login": "ada", "type": "User"}, "author_association": "MEMBER", "body": SAID}
    return issue(comments_details=[comment | changes])


def test_the_asker_s_code_tells_the_language_where_nobody_else_shows_any() -> None:
    found = adapted(issue(body="So:\r\n```ts\r\nfunction run(a: string) {\r\n}\r\n```\r\n"))
    assert isinstance(found, Example)
    assert facts(found) == ("o/n", None, "typescript", 27, "run", None)


@pytest.mark.parametrize("association", ["OWNER", "MEMBER", "COLLABORATOR", "CONTRIBUTOR"])
def test_people_who_write_the_code_can_answer(association: str) -> None:
    assert isinstance(adapted(said_by(author_association=association)), Example)


@pytest.mark.parametrize("association", ["NONE", "FIRST_TIME_CONTRIBUTOR", "FIRST_TIMER", "MANNEQUIN", None])
def test_others_cannot(association: str | None) -> None:
    assert adapted(said_by(author_association=association)) == Dropped("no answer by a maintainer", original_id="o/n#5")


@pytest.mark.parametrize("user", [{"login": "triage", "type": "Bot"}, {"login": "triage[bot]", "type": "User"}])
def test_bots_are_known_by_type_or_name(user: object) -> None:
    assert adapted(said_by(user=user)) == Dropped("only bots commented", original_id="o/n#5")


def test_the_asker_s_own_comment_is_no_answer() -> None:
    asked_by_ada = issue(user={"login": "Ada"}, author_association="MEMBER")
    asked_by_bob = issue(user={"login": "bob"}, author_association="MEMBER")
    assert isinstance(adapted(asked_by_ada), Dropped)
    assert isinstance(adapted(asked_by_bob), Example)
    assert isinstance(adapted(issue(author_association="MEMBER")), Dropped)


def test_the_earliest_answer_by_time_is_taken_in_any_order_of_the_list() -> None:
    late = {"author_association": "OWNER", "body": f"Later: {SAID}", "created_at": "2024-02-01T00:00:00Z"}
    early = {"author_association": "OWNER", "body": f"Early: {SAID}", "created_at": "2024-01-01T00:00:00Z"}
    found = adapted(issue(comments_details=[late, early]))
    assert isinstance(found, Example)
    assert found.answer.startswith("Early")


@pytest.mark.parametrize(
    "mark", [{"issue_or_pr": "pr"}, {"issue_or_pr": "pull_request"}, {"pull_request": {"url": "x"}}]
)
def test_pull_requests_are_known_by_each_mark(mark: dict[str, object]) -> None:
    assert adapted(issue(**mark)) == Dropped("pull request", original_id="o/n#5")


@pytest.mark.parametrize(
    ("duplicate", "kept"),
    [(None, True), ([], True), ("", True), (False, True), ("[]", True), ([3], False), (True, False), ("#3", False)],
)
def test_duplicates_are_known_by_their_field(duplicate: object, kept: bool) -> None:
    assert isinstance(adapted(issue(duplicate=duplicate)), Example if kept else Dropped)


def test_a_whole_issue_in_one_json_file_is_one_record(tmp_path: Path) -> None:
    path = tmp_path / "5.json"
    path.write_bytes((FIXTURES / ISSUES).read_bytes().splitlines()[0])
    [(_, record)] = read_records(path)
    assert isinstance(adapted(record), Example)


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=20)
    | st.sampled_from([SAID, "```\nx\n```", "a?", "#"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["login", "type", "body"]), inner),
    max_leaves=6,
)
comments = st.lists(
    st.fixed_dictionaries(
        {"body": values, "author_association": st.sampled_from(["MEMBER", "NONE", 3])}, optional={"user": values}
    ),
    max_size=3,
)


@given(
    st.dictionaries(st.sampled_from(["title", "body", "number", "html_url", "labels", "user", "duplicate"]), values),
    comments,
)
def test_odd_issues_never_raise(changes: dict[str, object], said: list[dict[str, object]]) -> None:
    found = adapted(issue(comments_details=said) | changes)
    if isinstance(found, Example):
        [document], [evidence] = found.documents, found.evidence
        assert document.text[evidence.start : evidence.end] == found.answer
        assert found.metadata["repo"]
    else:
        assert found.reason


@given(
    st.dictionaries(st.sampled_from(["question", "answer", "code", "snippet", "file_path", "repo", "language"]), values)
)
def test_odd_code_records_never_raise(record: dict[str, object]) -> None:
    found = adapted(record)
    assert "repo" in found.metadata if isinstance(found, Example) else found.reason

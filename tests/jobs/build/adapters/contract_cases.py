"""A record of every dataset in each shape in which it is met: what the contract of adapters is held against."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

Record = dict[str, Any]
Way = tuple[str | int, ...]
Ways = tuple[Way, ...]

PAGE_FIELDS = frozenset({"file_name", "page_number"})
QUESTION, ANSWER = ("question",), ("answer",)


@dataclass(frozen=True, slots=True)
class Case:
    """A record of a dataset in one of its shapes.

    question, answer: the places that hold them; all have to be blank for nothing to be asked or answered.
    checkouts: files of repositories that the option `checkouts` is to find. fields: metadata that this shape has.
    """

    adapter: str
    record: Record
    file: str = "data.jsonl"
    question: Ways = (QUESTION,)
    answer: Ways = (ANSWER,)
    checkouts: tuple[tuple[str, str], ...] = ()
    fields: frozenset[str] = frozenset()


def as_json_text(record: Record, *keys: str) -> Record:
    """The record as a flat table holds it: nested columns are JSON texts."""
    return record | {key: json.dumps(record[key]) for key in keys}


HOTPOT: Record = {
    "_id": "h1",
    "question": "In which year was the maker of the Otter founded?",
    "answer": "1928",
    "context": [["Otter", ["The Otter is a boat.", " Vik makes it."]], ["Vik", ["Founded in 1928."]], ["Elk", ["No."]]],
    "supporting_facts": [["Otter", 1], ["Vik", 0]],
}
HOTPOT_HUB: Record = {
    "id": "h1",
    "question": HOTPOT["question"],
    "answer": HOTPOT["answer"],
    "context": {
        "title": ["Otter", "Vik", "Elk"],
        "sentences": [["The Otter is a boat.", " Vik makes it."], ["Founded in 1928."], ["No."]],
    },
    "supporting_facts": {"title": ["Otter", "Vik"], "sent_id": [1, 0]},
}
WIKI = HOTPOT | {"type": "compositional", "evidences": [["Otter", "maker", "Vik"], ["Vik", "inception", "1928"]]}
MUSIQUE: Record = {
    "id": "2hop__1_2",
    "question": "When was the maker of the Otter founded?",
    "answer": "1928",
    "answer_aliases": ["in 1928"],
    "answerable": True,
    "paragraphs": [
        {"idx": 0, "title": "Otter", "paragraph_text": "The Otter is made by Vik.", "is_supporting": True},
        {"idx": 1, "title": "Elk", "paragraph_text": "The elk is large.", "is_supporting": False},
        {"idx": 2, "title": "Vik", "paragraph_text": "Vik was founded in 1928.", "is_supporting": True},
    ],
    "question_decomposition": [
        {"id": 1, "question": "Otter >> maker", "answer": "Vik", "paragraph_support_idx": 0},
        {"id": 2, "question": "#1 >> inception", "answer": "1928", "paragraph_support_idx": 2},
    ],
}
RAGBENCH: Record = {
    "id": "1",
    "question": "How is the pump reset?",
    "documents": ["Title: Pump\nPassage: Hold the red key. The lamp goes out.", "The fan is quiet."],
    "response": "Hold the red key.",
    "generation_model_name": "some-model",
    "dataset_name": "emanual_test",
    "adherence_score": True,
    "documents_sentences": [
        [["0a", "Title: Pump"], ["0b", "Passage: Hold the red key."], ["0c", "The lamp goes out."]],
        [["1a", "The fan is quiet."]],
    ],
    "all_relevant_sentence_keys": ["0b"],
}
RAGBENCH_PLAIN: Record = {
    "id": "1",
    "question": "What was revenue in 2019?",
    "documents": ['[["", "2019"], ["Revenue", "12"]]', "Revenue grew."],
    "response": "12",
}
LOGQA: Record = {
    "Question": "Which host was refused?",
    "Answer": "10.0.0.7",
    "RawLog": "sshd: refused 10.0.0.7 port 22\nsshd: closed",
}
LOGQA_LINES: Record = {
    "question": LOGQA["Question"],
    "answer": LOGQA["Answer"],
    "raw_log": ["sshd: refused 10.0.0.7 port 22\r\n", "sshd: closed\n"],
}
FINQA: Record = {
    "id": "ACME/2019/page_12.pdf-1",
    "filename": "ACME/2019/page_12.pdf",
    "pre_text": ["acme makes anvils ."],
    "post_text": ["see note 3 ."],
    "table": [["", "2019", "2018"], ["net sales", "$ 120", "$ 100"]],
    "qa": {
        "question": "what was the growth of net sales?",
        "answer": "20%",
        "exe_ans": 0.2,
        "program": "subtract(120, 100), divide(#0, 100)",
        "gold_inds": {"table_1": "the net sales of 2019 is $ 120 ;", "text_1": "see note 3 ."},
    },
}
TATQA: Record = {
    "table": {"uid": "t1", "table": [["", "2019", "2018"], ["Sales", "$120", "$100"]]},
    "paragraphs": [
        {"uid": "p1", "order": 1, "text": "Sales (in millions):"},
        {"uid": "p2", "order": 2, "text": "Note"},
    ],
    "questions": [
        {
            "uid": "q1",
            "question": "What was the change in sales?",
            "answer": 20,
            "derivation": "120 - 100",
            "answer_type": "arithmetic",
            "answer_from": "table-text",
            "rel_paragraphs": ["1"],
            "scale": "million",
        }
    ],
}
PANDAS = "|    |       |   2019 |   2018 |\n|---:|:------|-------:|-------:|\n|  0 | sales |    120 |    100 |"
T2_FINQA: Record = {
    "id": "finqa_dev_7",
    "context_id": "finqa_dev_ctx_3",
    "question": "What was the growth of net sales of Acme in 2019?",
    "program_answer": "0.2",
    "original_answer": "20%",
    "context": f"acme makes anvils ._{PANDAS}_see note 3 .",
    "table": PANDAS,
    "pre_text": "acme makes anvils .",
    "post_text": "see note 3 .",
    "file_name": "pdf/ACME/2019/page_12.pdf",
    "company_name": "Acme Inc.",
    "report_year": 2019,
    "page_number": 12,
}
T2_GLUED = {key: value for key, value in T2_FINQA.items() if key not in ("table", "pre_text", "post_text")}
T2_TATDQA: Record = {
    "id": "tatqa_dev_9",
    "context_id": "0123456789abcdef0123456789abcdef",
    "question": "What were the sales of Acme in 2019?",
    "program_answer": "533000000.0",
    "original_answer": "['$533 million']",
    "context": "Sales:\n\n| | 2019 |\n|---|---|\n| Sales | 533 |\n\nCost:\n\n| | 19 |\n|---|---|\n| a | 1 |",
    "file_name": "raw/acme_2019.pdf",
    "report_year": "2019",
}
T2_LISTS: Record = {
    "question": "What was the percentage change in revenue from 2019 to 2020?",
    "program_answer": "15.2",
    "original_answer": "15.2%",
    "context": "The following table shows revenue.",
    "table": [["Year", "Revenue"], ["2019", "$10.5B"], ["2020", "$12.1B"]],
    "file_name": "annual_report_2020.pdf",
    "page_number": 42,
}
CODE: Record = {
    "question": "What does authenticate return?",
    "answer": "A token.",
    "code": "def authenticate(user):\n    return token(user)\n",
    "file_path": "src/auth.py",
    "repo": "example/webapp",
    "language": "python",
}
SNIPPET: Record = {
    "question": CODE["question"],
    "answer": CODE["answer"],
    "snippet": ["def authenticate(user):", "    return token(user)", ""],
    "file_path": "src/auth.py",
    "repo": "example/webapp",
}
ISSUE: Record = {
    "title": "How do I read a file without a header?",
    "body": "I tried this:\r\n\r\n```python\r\nread(path)\r\n```\r\n",
    "number": 1,
    "author_association": "NONE",
    "html_url": "https://github.com/example/parser/issues/1",
    "repository_url": "https://api.github.com/repos/example/parser",
    "comments_details": [
        {
            "user": {"login": "ada", "type": "User"},
            "author_association": "MEMBER",
            "body": "Pass `header=None` and give the names of all columns yourself, see `src/read.py`:\r\n\r\n"
            "```python\r\nread(path, header=None)\r\n```",
            "created_at": "2023-04-01T12:00:00Z",
        }
    ],
    "issue_or_pr": "issue",
    "duplicate": [],
}
SWE_QA: Record = {
    "repo": "acme/tool",
    "commit_id": "1234567",
    "question": "What does the tool run?",
    "answer": "`src/tool/run.py` (lines 2-3) calls `help()`.",
}
OWN: Record = {"id": "7", "question": "Who fixes the pump?", "answer": "Ada", "context": "Ada fixes the pump."}
OWN_GOLD: Record = {
    "query": "Who fixes the pump?",
    "reference": ["Ada", "Ada L."],
    "contexts": [
        {"id": "page 1", "title": "Pump", "text": "Ada fixes it."},
        {"id": "page 2", "title": "Fan", "text": "Bob cleans it."},
    ],
    "gold": ["page 1"],
    "team": "plant",
}

OF_QA: Ways = (("qa", "question"),)
TO_QA: Ways = (("qa", "answer"), ("qa", "exe_ans"))
OF_FIRST: Ways = (("questions", 0, "question"),)
TO_FIRST: Ways = (("questions", 0, "answer"),)
TWO_ANSWERS: Ways = (("program_answer",), ("original_answer",))

CASES: Mapping[str, Case] = {
    "2wiki": Case("2wiki", WIKI),
    "2wiki of the hub": Case("2wiki", as_json_text(WIKI, "context", "supporting_facts", "evidences")),
    "coderepoqa code": Case("coderepoqa", CODE),
    "coderepoqa snippet": Case("coderepoqa", SNIPPET),
    "coderepoqa issue": Case(
        "coderepoqa",
        ISSUE,
        question=(("title",), ("body",)),
        answer=(("comments_details", 0, "body"),),
    ),
    "finqa": Case("finqa", FINQA, question=OF_QA, answer=TO_QA, fields=PAGE_FIELDS),
    "finqa flat": Case(
        "finqa", as_json_text(FINQA, "pre_text", "post_text", "table", "qa"), question=OF_QA, answer=TO_QA
    ),
    "hotpotqa": Case("hotpotqa", HOTPOT),
    "hotpotqa of the hub": Case("hotpotqa", HOTPOT_HUB),
    "logqa": Case("logqa", LOGQA, question=(("Question",),), answer=(("Answer",),)),
    "logqa lines": Case("logqa", LOGQA_LINES),
    "musique": Case("musique", MUSIQUE),
    "musique flat": Case("musique", as_json_text(MUSIQUE, "paragraphs", "question_decomposition", "answer_aliases")),
    "ragbench": Case("ragbench", RAGBENCH, answer=(("response",),)),
    "ragbench unmarked": Case("ragbench", RAGBENCH_PLAIN, file="hagrid.jsonl", answer=(("response",),)),
    "ragbench table": Case("ragbench", RAGBENCH_PLAIN, file="tatqa.jsonl", answer=(("response",),)),
    "swe-qa": Case("swe-qa", SWE_QA),
    "swe-qa checked out": Case(
        "swe-qa", SWE_QA, checkouts=(("tool/src/tool/run.py", "import os\ndef run():\n    help()\n"),)
    ),
    "swe-qa by file": Case(
        "swe-qa", {"question": SWE_QA["question"], "answer": "See `src/flask/app.py`."}, file="flask.jsonl"
    ),
    "t2-ragbench finqa": Case("t2-ragbench", T2_FINQA, answer=TWO_ANSWERS, fields=PAGE_FIELDS),
    "t2-ragbench glued": Case("t2-ragbench", T2_GLUED, answer=TWO_ANSWERS, fields=PAGE_FIELDS),
    "t2-ragbench tat-dqa": Case("t2-ragbench", T2_TATDQA, answer=TWO_ANSWERS, fields=frozenset({"file_name"})),
    "t2-ragbench lists": Case("t2-ragbench", T2_LISTS, answer=TWO_ANSWERS, fields=PAGE_FIELDS),
    "table": Case("table", OWN),
    "table with gold": Case("table", OWN_GOLD, question=(("query",),), answer=(("reference",),)),
    "tatqa": Case("tatqa", TATQA, question=OF_FIRST, answer=TO_FIRST),
    "tatqa flat": Case(
        "tatqa", as_json_text(TATQA, "table", "paragraphs", "questions"), question=OF_FIRST, answer=TO_FIRST
    ),
}

"""Sources made up for tests, in the shapes of the real ones: as many records as wanted, the same for the same number.

Names come from syllables, so that each record speaks of its own people, films, companies and services.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_FIRST = (
    "Bel",
    "Cor",
    "Dar",
    "Fen",
    "Gal",
    "Hul",
    "Jor",
    "Kes",
    "Lam",
    "Mir",
    "Nor",
    "Ost",
    "Pel",
    "Quin",
    "Ros",
    "Sel",
)
_SECOND = ("a", "en", "i", "or", "u", "an", "el", "o")
_THIRD = (
    "bach",
    "dane",
    "field",
    "gard",
    "holm",
    "kirk",
    "land",
    "mere",
    "ness",
    "port",
    "stead",
    "ton",
    "wick",
    "worth",
)
_WORK = ("harbour", "orchard", "lantern", "glacier", "meadow", "archive", "compass", "furnace", "sparrow", "quarry")


def name(number: int, *, salt: int = 0) -> str:
    """Return a made-up proper name; different numbers (below 1,700) give different names."""
    number += salt * 577
    first, rest = number % len(_FIRST), number // len(_FIRST)
    second, third = rest % len(_SECOND), rest // len(_SECOND) % len(_THIRD)
    return _FIRST[first] + _SECOND[second] + _THIRD[third]


def hotpotqa(n: int) -> list[dict[str, object]]:
    """Return questions over a film and its director, or over two films."""
    return [_comparison(i) if i % 4 == 3 else _bridge(i) for i in range(n)]


def _passages(i: int) -> dict[str, list[str]]:
    person, city, film = (
        f"{name(i)} {name(i, salt=1)}",
        name(i, salt=2),
        f"The {name(i, salt=3)} {_WORK[i % 10].title()}",
    )
    year = 1920 + i % 90
    return {
        person: [
            f"{person} (born {year - 31}) is a film director from {city}.",
            f" {person} moved to {name(i + 1, salt=2)} in {year - 5} and studied painting there for {2 + i % 5} years.",
            *[
                f" Later work took {person} to {name(i + k, salt=4)}, where critics wrote about it."
                for k in range(i % 6)
            ],
        ],
        film: [
            f"{film} is a film of {year} directed by {person}.",
            f" It was produced in {name(i + 7, salt=2)} and ran for {80 + i % 60} minutes.",
        ],
    }


def _bridge(i: int) -> dict[str, object]:
    passages = {**_passages(i), **_passages(i + 5000)}
    person, film = list(passages)[:2]
    asked = (
        (f"In which city was the director of the film {film} born?", name(i, salt=2), [[film, 0], [person, 0]]),
        (
            f"When did the director of {film} move to {name(i + 1, salt=2)}?",
            str(1920 + i % 90 - 5),
            [[film, 0], [person, 1]],
        ),
        (f"How did {person} spend the years after {1920 + i % 90 - 5}?", "studied painting", [[person, 1]]),
    )
    question, answer, facts = asked[i % 3]
    return _hotpot(i, question, answer, facts, passages)


def _comparison(i: int) -> dict[str, object]:
    passages = {**_passages(i), **_passages(i + 401)}
    film, other = list(passages)[1], list(passages)[3]
    first = film if i % 90 <= (i + 401) % 90 else other
    question = f"Which film was released first, {film} or {other}?"
    return _hotpot(i, question, first, [[film, 0], [other, 0]], passages)


def _hotpot(
    i: int, question: str, answer: str, facts: list[list[object]], passages: dict[str, list[str]]
) -> dict[str, object]:
    return {
        "_id": f"generated{i:06d}",
        "question": question,
        "answer": answer,
        "supporting_facts": facts,
        "context": [[title, sentences] for title, sentences in passages.items()],
        "type": "comparison" if "first," in question else "bridge",
        "level": "medium",
    }


def logqa(n: int) -> list[dict[str, object]]:
    """Return questions over a few lines of a log."""
    records: list[dict[str, object]] = []
    for i in range(n):
        service, host, code = f"{name(i).lower()}d", f"node-{name(i, salt=5).lower()}", 400 + i % 90
        day = f"{2001 + i % 20}-{1 + i % 12:02d}-{1 + i % 28:02d}"
        lines = [
            f"{day} 08:{i % 60:02d}:01 {host} {service}[{1000 + i}]: started on port {8000 + i % 1000}",
            f"{day} 08:{i % 60:02d}:44 {host} {service}[{1000 + i}]: ERROR {code} reading volume {name(i, salt=6)}",
            *[f"{day} 09:{k:02d}:00 {host} {service}[{1000 + i}]: retry {k} of {i % 9}" for k in range(i % 9)],
        ]
        asked = (
            (f"Which port did the service {service} start on in {2001 + i % 20}?", str(8000 + i % 1000)),
            (f"Which error did {service} report on {host}?", f"ERROR {code}"),
            (
                f"How does the service {service} handle the unreadable volume {name(i, salt=6)}?",
                f"retry {max(i % 9 - 1, 0)}",
            ),
        )
        question, answer = asked[i % 3]
        records.append({"Question": question, "Answer": answer, "RawLog": "\n".join(lines)})
    return records


def t2_ragbench(n: int) -> list[dict[str, object]]:
    """Return questions over a table of a made-up company, answered by numbers, in the shape of the design document."""
    records: list[dict[str, object]] = []
    for i in range(n):
        company, year = f"{name(i)} {('Holdings', 'Group', 'Industries')[i % 3]}", 2004 + i % 15
        sales, costs = 1000 + 37 * i % 5000, 400 + 11 * i % 900
        table = [
            ["", str(year), str(year - 1)],
            ["net sales", f"$ {sales}", f"$ {sales - 50}"],
            ["operating costs", str(costs), str(costs + 8)],
        ]
        asked = (
            (
                f"What was the percentage change in net sales of {company} from {year - 1} to {year}?",
                str(50 / (sales - 50)),
            ),
            (f"What were the operating costs of {company} in {year}?", str(costs)),
            (f"Were the operating costs of {company} higher in {year} or in {year - 1}, in comparison?", str(year - 1)),
        )
        question, answer = asked[(0, 0, 1, 2, 0, 1, 1, 2)[i % 8]]
        filler = " ".join(f"Segment {k} of {company} is described in note {k}." for k in range(i % 40))
        records.append(
            {
                "id": f"generated_{i}",
                "question": question,
                "program_answer": answer,
                "original_answer": answer,
                "context": f"{company} recognises revenue on transfer of control, as in {year}. {filler}",
                "table": table,
                "file_name": f"pdf/{name(i).upper()}/{year}/page_{i}.pdf",
                "page_number": i,
                "company_name": company,
            }
        )
    return records


def tatqa(n: int) -> list[dict[str, object]]:
    """Return pages of a made-up company, a table and two paragraphs each; one of four questions asks for a policy."""
    records: list[dict[str, object]] = []
    for i in range(n):
        company, year = f"{name(i, salt=9)} {('Partners', 'Works', 'Lines')[i % 3]}", 2015 + i % 5
        leases, rents = 20 + i % 70 + 0.5, 90 + 3 * i % 400
        way = f"the {_WORK[i % 10]} method of {name(i, salt=10)}"
        rows = [
            ["", "Years Ended June 30,", ""],
            ["", str(year), str(year - 1)],
            ["Leases", f"$ {leases}", f"$ {leases + 4}"],
            ["Rents", str(rents), str(rents - 12)],
        ]
        texts = [
            f"{company} measures its inventories with {way}, which is applied to all years up to {year}.",
            f"The table below presents what {company} paid (in millions):",
        ]
        records.append(
            {
                "table": {"uid": f"table-{i}", "table": rows},
                "paragraphs": [
                    {"uid": f"paragraph-{i}-{order}", "order": order, "text": text}
                    for order, text in enumerate(texts, start=1)
                ],
                "questions": [
                    _tatqa_question(
                        f"question-{i}-1",
                        f"Which accounting policy does {company} follow for its inventories in {year}?",
                        [way],
                        answer_from="text",
                        rel_paragraphs=["1"],
                    ),
                    _tatqa_question(
                        f"question-{i}-2",
                        f"What were the rents of {company} in {year}?",
                        [str(rents)],
                        scale="million",
                    ),
                    _tatqa_question(
                        f"question-{i}-3",
                        f"In which year were the leases of {company} larger, {year} or {year - 1}?",
                        [str(year - 1)],
                        derivation=f"{leases + 4}>{leases}",
                        req_comparison=True,
                    ),
                    _tatqa_question(
                        f"question-{i}-4",
                        f"What is the change in rents of {company} from {year - 1} to {year}?",
                        12,
                        answer_type="arithmetic",
                        derivation=f"{rents}-{rents - 12}",
                        scale="million",
                    ),
                ],
            }
        )
    return records


def _tatqa_question(uid: str, question: str, answer: object, **more: object) -> dict[str, object]:
    usual: dict[str, object] = {
        "derivation": "",
        "answer_type": "span",
        "answer_from": "table-text",
        "rel_paragraphs": ["2"],
        "req_comparison": False,
        "scale": "",
    }
    return {"uid": uid, "order": int(uid[-1]), "question": question, "answer": answer, **usual, **more}


def coderepoqa(n: int) -> list[dict[str, object]]:
    """Return questions over a function, in the shape of the design document."""
    records: list[dict[str, object]] = []
    for i in range(n):
        function, kind = f"load_{name(i).lower()}", f"{name(i, salt=1)}Store"
        body = "\n".join(f"    step_{k} = self.read({k})" for k in range(i % 30))
        head = f"class {kind}:\n    def {function}(self, path):\n        '''Load a {_WORK[i % 10]} file.'''\n"
        code = f"{head}{body}\n        return path\n"
        asked = (
            (f"How do I load a {_WORK[i % 10]} file with `{kind}.{function}`?", f"Call `{function}` with its path."),
            (f"What does the method `{function}` of `{kind}` return?", "The path it was given."),
            (f"Where is the method `{function}` of `{kind}` defined?", f"In src/{name(i).lower()}.py."),
            (
                f"Why does `{kind}.{function}` raise an error for a missing {_WORK[i % 10]} file?",
                "It reads the path first.",
            ),
        )
        question, answer = asked[(0, 1, 0, 2, 1, 0, 3, 1, 2, 0)[i % 10]]
        records.append(
            {
                "question": question,
                "answer": answer,
                "code": code,
                "file_path": f"src/{name(i).lower()}.py",
                "repo": f"{name(i % 12, salt=8).lower()}/{_WORK[i % 7]}",
                "language": "python",
            }
        )
    return records


def write_json(path: Path, records: Iterable[dict[str, object]]) -> Path:
    """Write records as one array."""
    path.write_text(json.dumps(list(records), ensure_ascii=False), encoding="utf-8")
    return path


def write_jsonl(path: Path, records: Iterable[dict[str, object]]) -> Path:
    """Write records one a line."""
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records), encoding="utf-8")
    return path

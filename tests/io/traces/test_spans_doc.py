"""What docs/reference/spans.md says is what is done: its tables are the tables, its example gives what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from goldproof.io.traces.span_export import KINDS, SpanKind
from goldproof.io.traces.span_results import DOCUMENT_KEYS
from goldproof.io.traces.span_values import ATTRIBUTES
from tests.io.traces.span_exports import read_text, shown

DOC = (Path(__file__).resolve().parents[3] / "docs" / "reference" / "spans.md").read_text("utf-8")
ROWS = dict(re.findall(r"^\| (\w+) \| (.*) \|$", DOC, flags=re.MULTILINE))


def names(role: str) -> tuple[str, ...]:
    return tuple(re.findall(r"`([^`]+)`", ROWS[role]))


@pytest.mark.parametrize("role", [role for role in ATTRIBUTES if role != "tool"])
def test_the_names_of_attributes_are_documented(role: str) -> None:
    assert names(role) == ATTRIBUTES[role]


def test_the_names_of_tools_are_documented() -> None:
    assert f"| tool | {', '.join(f'`{name}`' for name in ATTRIBUTES['tool'])} |" in DOC


@pytest.mark.parametrize("column", sorted(DOCUMENT_KEYS))
def test_the_keys_of_documents_are_documented(column: str) -> None:
    assert names(column) == DOCUMENT_KEYS[column]


@pytest.mark.parametrize("kind", list(KINDS))
def test_the_kinds_of_spans_are_documented(kind: SpanKind) -> None:
    (row,) = [row for row in re.findall(rf"^\| {kind.value} \| (.*) \|$", DOC, flags=re.MULTILINE) if "." not in row]
    assert set(re.findall(r"`(\w+)`", row)) == KINDS[kind]


def test_the_example_gives_what_the_page_says(tmp_path: Path) -> None:
    (text,) = re.findall(r"^```json file=spans\.jsonl\n(.*?)^```$", DOC, flags=re.DOTALL | re.MULTILINE)
    (table,) = read_text(tmp_path, text)
    (found,) = shown(table)
    saml = "How to set up SAML."
    assert found == {
        "conversation": "s1",
        "cluster": None,
        "question": "s1",
        "text": "Which plan has single sign-on?",
        "failed": None,
        "iterations": [
            [
                (
                    "single sign-on",
                    False,
                    [
                        {
                            "id": "d1",
                            "title": "Plans",
                            "snippet": "The Team plan has single sign-on.",
                            "type": "passage",
                            "gain": 4,
                            "fields": None,
                        },
                        {"id": "d2", "title": "SAML", "snippet": saml, "type": "passage", "gain": 2, "fields": None},
                    ],
                ),
                ("SAML", False, [{"id": "d2", "snippet": saml, "type": "passage", "gain": -1, "fields": None}]),
            ],
            [
                (
                    "team plan price",
                    False,
                    [
                        {"title": "Prices", "url": "https://example.org/prices", "gain": 1, "fields": None},
                        {"title": "Offers", "url": "https://example.org/offers", "gain": -1, "fields": None},
                    ],
                )
            ],
        ],
    }
    assert table.results_by_iteration.tolist() == [0, 3, 5]

"""Files and options that are wrong, damaged or odd: one sentence or a counted drop, never a crash or a wrong number."""

from __future__ import annotations

import gzip
import json
import os
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import InputError
from goldproof.io import read_card
from goldproof.jobs.build import build, check_benchmark
from goldproof.jobs.build.recipe_file import quick_recipe

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.jobs.build import BuildResult

WORDS = ("colour", "price", "height", "owner", "origin", "purpose")
ROWS = [
    {
        "id": str(number),
        "question": f"What is the {word} of item{number}?",
        "answer": f"value{number} {word}",
        "context": f"The {word} of item{number} is value{number} {word}. Nothing more is known.",
    }
    for number, word in enumerate(WORDS)
]
ROW = {
    "id": "odd",
    "question": "Who repairs the harbour crane?",
    "answer": "Mira Dane",
    "context": "Mira Dane repairs it.",
}
LINES = "".join(json.dumps(row) + "\n" for row in ROWS)


def built(path: Path, content: bytes | str) -> BuildResult:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return build(quick_recipe(sources=[f"table={path}"], quotas=["clean_text=20"]))


def counts(result: BuildResult) -> dict[str, int]:
    return dict(result.card().counts)


@pytest.mark.parametrize(
    "line",
    [
        '{"id": "z", "question": "Q \\ud800?", "answer": "a", "context": "c"}',
        '{"id": "z", "question": "Q?", "answer": "a", "context": "c", "note\\udfff": 1}',
        f'{{"id": "z", "question": "Q?", "answer": {"9" * 5000}, "context": "c"}}',
        f'{{"id": "z", "question": "Q?", "answer": "a", "context": {"[" * 100_000}{"]" * 100_000}}}',
        '{"id": "z", "question": "Q\x01?", "answer": "a", "context": "c"}',
        '{"id": "z", "question": "Q?", "answer": "a" "context": "c"}',
        '["Q?", "a", "c"]',
        "garbage",
    ],
    ids=["surrogate", "surrogate key", "5000 digits", "deep", "control", "no comma", "list", "garbage"],
)
def test_a_line_that_is_no_record_is_dropped_and_counted_and_costs_no_other(tmp_path: Path, line: str) -> None:
    found = counts(built(tmp_path / "t.jsonl", LINES + line + "\n"))
    # 6 rows and the bad one: 7 read = 6 usable + 1 dropped.
    assert (found["table: records read"], found["table: usable"], found["samples"]) == (7, 6, 6)
    assert found["table: dropped: record cannot be read"] == 1


@pytest.mark.parametrize("value", [None, "", "  ", [], {}, {"a": 1}, [None]], ids=repr)
@pytest.mark.parametrize("key", ["question", "answer", "context"])
def test_a_row_without_a_needed_value_is_dropped_with_that_reason(tmp_path: Path, key: str, value: object) -> None:
    found = counts(built(tmp_path / "t.jsonl", LINES + json.dumps({**ROW, key: value}) + "\n"))
    assert (found["table: records read"], found["table: usable"]) == (7, 6)
    assert found[f"table: dropped: no {key}"] == 1


@pytest.mark.parametrize(
    "name", ["a b", "a\nb", "a\tb", "../../x", "/abs", "😀", "\u202eabc", "\0", "x" * 10_000, 'a"b', "a,b", "e\u0301"]
)
def test_any_id_becomes_one_that_every_file_can_hold(tmp_path: Path, name: str) -> None:
    result = built(tmp_path / "t.jsonl", LINES + json.dumps({**ROW, "id": name}) + "\n")
    (sample,) = (one for one in result if one.original_id == name)
    assert not any(char.isspace() or ord(char) < 32 for char in sample.id)
    assert check_benchmark(result.save(tmp_path / "out")).ok


def test_controls_breaks_and_foreign_scripts_in_texts_come_through_all_files(tmp_path: Path) -> None:
    odd = "\x01\x1b[31m\x7f\x85\u2028\r\n|a|`b`\n```\n\u202eאב"
    row = {key: f"{value} {odd} end" for key, value in ROW.items()}
    result = built(tmp_path / "t.jsonl", LINES + json.dumps(row) + "\n")
    (sample,) = (one for one in result if odd in one.question)
    assert odd in sample.ground_truth
    assert odd in sample.contexts[0]
    assert check_benchmark(result.save(tmp_path / "out")).ok


def test_bom_line_ends_gzip_and_the_form_of_the_json_change_no_sample(tmp_path: Path) -> None:
    forms: dict[str, bytes] = {
        "plain.jsonl": LINES.encode(),
        "bom.jsonl": b"\xef\xbb\xbf" + LINES.encode(),
        "crlf.jsonl": LINES.replace("\n", "\r\n").encode(),
        "packed.jsonl": gzip.compress(LINES.encode()),
        "array.json": json.dumps(ROWS).encode(),
        "pretty.json": json.dumps(ROWS, indent=2).encode(),
        "inside.json": json.dumps({"version": 1, "data": ROWS}).encode(),
    }
    samples = [list(built(tmp_path / name, content)) for name, content in forms.items()]
    assert len(samples[0]) == 6
    assert all(one == other for one, other in pairwise(samples))


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("t.json", json.dumps(ROWS)[:-5], "cut off"),
        ("t.json", json.dumps(ROWS) + "x", "goes on with 'x'"),
        ("t.json", json.dumps({"data": ROWS})[:-4], "cut off"),
        ("t.jsonl", gzip.compress(LINES.encode() * 50)[:-20], "gzip data is cut off"),
        ("t.jsonl", gzip.compress(LINES.encode()) + b"junk", "gzip data is damaged"),
        ("t.jsonl", LINES.encode("utf-16"), "UTF-16"),
        ("t.jsonl", LINES.encode("utf-16-le"), "NUL"),
        ("t.csv", 'id,question,answer,context\n1,"open,a,c\n', "quote"),
        ("t.csv", "question,question,answer\n1,2,3\n", "occurs twice"),
        ("t.parquet", b"PAR1" + b"\0" * 100 + b"PAR1", "Parquet"),
        ("t.json", "[]", "no record"),
        ("t.json", "null", "no file of records"),
        ("t.json", "", "empty"),
    ],
)
def test_a_file_that_is_damaged_as_a_whole_stops_the_build(
    tmp_path: Path, name: str, content: bytes | str, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        built(tmp_path / name, content)


def test_a_pipe_a_device_and_a_link_to_nowhere_are_refused_and_not_waited_for(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "a.jsonl").write_text(LINES, "utf-8")
    odd = folder / "b.jsonl"
    os.mkfifo(odd)
    with pytest.raises(InputError, match="is a pipe"):
        build(quick_recipe(sources=[f"table={folder}"], quotas=["clean_text=2"]))
    odd.unlink()
    odd.symlink_to("nowhere")
    with pytest.raises(InputError, match="is a link to nowhere"):
        build(quick_recipe(sources=[f"table={folder}"], quotas=["clean_text=2"]))
    with pytest.raises(InputError, match="is a device"):
        build(quick_recipe(sources=["table=/dev/null"], quotas=["clean_text=2"]))


@pytest.mark.parametrize("text", ["0", "-1", "1e3", "5.0", "x", "\u0661", "1_0", "+5", "5%"])
def test_a_quota_is_a_whole_number_above_0(text: str) -> None:
    with pytest.raises(InputError, match=r"quotas: clean_text(: the quota)? is"):
        quick_recipe(sources=["table=t.csv"], quotas=[f"clean_text={text}"])


@pytest.mark.parametrize("text", ["1/0", "nan", "inf", "-1%", "101%", "%", "0.5%%", "1e400%"])
def test_a_share_is_between_0_and_1(text: str) -> None:
    with pytest.raises(InputError, match="is not a share"):
        quick_recipe(sources=["table=t.csv"], quotas=["clean_text=5"], unanswerable=text)


def test_a_quota_far_beyond_the_pool_is_a_shortfall_and_costs_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(LINES, "utf-8")
    result = build(quick_recipe(sources=[f"table={path}"], quotas=["clean_text=1000000000"]))
    total = result.report.distribution.total
    assert (total.target, total.actual, total.shortfall) == (10**9, 6, 10**9 - 6)
    assert len(result.shortfalls) == 1


def test_every_byte_of_every_file_counts_when_a_benchmark_is_checked(tmp_path: Path) -> None:
    folder = built(tmp_path / "t.jsonl", LINES).save(tmp_path / "out")
    for name in read_card(folder / "card.json").outputs:
        path = folder / name
        content = path.read_bytes()
        for tampered in (content + b"\n", content[:-1], b"", bytes([content[0] ^ 1]) + content[1:]):
            path.write_bytes(tampered)
            assert not check_benchmark(folder).ok, name
        path.unlink()
        assert not check_benchmark(folder).ok, name
        path.write_bytes(content)
    assert check_benchmark(folder).ok

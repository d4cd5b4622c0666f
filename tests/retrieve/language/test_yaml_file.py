"""YAML gives the same expressions as the text form, and its mistakes have a file and a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.errors import FileFormatError
from goldproof.retrieve.language import parse, read_pipelines

if TYPE_CHECKING:
    from pathlib import Path


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("yaml", "text"),
    [
        ("bm25", "bm25"),
        ("bm25 | top(5)", "bm25 | top(5)"),
        ("- bm25\n- top: 5", "bm25 | top(5)"),
        ("- bm25 | floor(3)\n- top(5)", "bm25 | floor(3) | top(5)"),
        ("- bm25:\n- top: 5", "bm25 | top(5)"),
        ("- dense: minilm\n- floor: 0.3", "dense(minilm) | floor(0.3)"),
        ("- bm25: {k1: 0.9, stem: english}", "bm25(k1=0.9, stem=english)"),
        ("- bm25\n- decay: {kind: exp, half_life: 10}", "bm25 | decay(kind=exp, half_life=10)"),
        ("- bm25\n- decay: {of: [exp], half_life: 7d}", "bm25 | decay(exp, half_life=7d)"),
        ("- bm25\n- decay: [linear]", "bm25 | decay(linear)"),
        (
            "- hybrid: {of: [bm25, {dense: minilm}], method: rrf}\n- floor: 0.3\n- decay: {of: [exp], rate: 10}",
            "hybrid(bm25, dense(minilm), method=rrf) | floor(0.3) | decay(exp, rate=10)",
        ),
        ("- hybrid: [bm25, {dense: minilm}]", "hybrid(bm25, dense(minilm))"),
        ("- hybrid: ['expand(minilm) | bm25', dense(minilm)]", "hybrid(expand(minilm) | bm25, dense(minilm))"),
        ("- hybrid: [[{expand: minilm}, bm25], dense]", "hybrid(expand(minilm) | bm25, dense)"),
        ("- hybrid: {of: [bm25, dense], weights: [0.7, 0.3]}", "hybrid(bm25, dense, weights=[0.7, 0.3])"),
        ("- bm25\n- floor: {least: 0.3, of: score}", "bm25 | floor(least=0.3, of=score)"),
        (
            "- bm25\n- filter_from_query: role\n- recent_from_query",
            "bm25 | filter_from_query(role) | recent_from_query",
        ),
        ("- bm25\n- filter_from_query: [role, meta.turn]", "bm25 | filter_from_query(role, meta.turn)"),
        (
            "- bm25\n- filter_from_query: {of: [role], pronouns: false}\n- recent_from_query: {by: age, depth: 5}",
            "bm25 | filter_from_query(role, pronouns=false) | recent_from_query(by=age, depth=5)",
        ),
        ("- bm25\n- filter: {lang: [en, de], v: 1.10}", "bm25 | filter(lang=[en, de], v=1.10)"),
        ("- bm25\n- filter: {title: a | b, ok: true, no: ~}", 'bm25 | filter(title="a | b", ok=true, no=none)'),
        ("- bm25\n- filter: {year: {gte: 2019, lte: 2021}}", "bm25 | filter(year=2019..2021)"),
        ("- bm25\n- filter: {year: {gte: 2019}, day: {lte: 2020-05-01}}", "bm25|filter(year=2019.., day=..2020-05-01)"),
        ("- bm25\n- filter: {my field: x}", 'bm25 | filter("my field"=x)'),
        ("- run: C:\\runs\\a b.trec", 'run("C:\\runs\\a b.trec")'),
        ("- http: {of: ['https://a.b/c?d=e'], timeout: 5}", "http(https://a.b/c?d=e, timeout=5)"),
        ("- my.module:thing\n- top: 5", "my.module:thing | top(5)"),
        ("- bm25\n- rerank: llm:google:gemini-3-pro-preview", "bm25 | rerank(llm:google:gemini-3-pro-preview)"),
    ],
)
def test_both_forms_give_the_same_expression(tmp_path: Path, yaml: str, text: str) -> None:
    assert read_pipelines(written(tmp_path, yaml)) == {"mine": parse(text)}


def test_several_pipelines_are_read_by_name(tmp_path: Path) -> None:
    path = written(
        tmp_path, "retrievers:\n  a: bm25 | top(5)\n  b:\n    - dense: minilm\n    - top: 5\n  c: {dense: minilm}\n"
    )
    assert read_pipelines(str(path)) == {
        "a": parse("bm25 | top(5)"),
        "b": parse("dense(minilm) | top(5)"),
        "c": parse("dense(minilm)"),
    }


@pytest.mark.parametrize(
    ("yaml", "line", "problem"),
    [
        ("retriever: {a: bm25}", 1, "unknown key 'retriever'; did you mean 'retrievers'?"),
        ("retrievers: {}", 1, "retrievers names no pipeline."),
        ("retrievers: bm25", 1, "retrievers is 'bm25', expected a mapping."),
        ("retrievers: {a: bm25}\nother: 1", 2, "unknown key 'other'; known: retrievers."),
        ("retrievers:\n  a: bm25 |", 2, "a: pipeline: nothing follows the bar"),
        ("retrievers:\n  a:\n", 2, "a: found nothing, expected a pipeline: a text or a list of steps."),
        ("retrievers:\n  a: []", 2, "a: found [], expected a pipeline: a text or a list of steps."),
        (
            "retrievers:\n  a:\n    - bm25\n    - floor: 0.3\n      top: 5",
            4,
            "a: a step is one name with its arguments, found floor, top; begin each step with '- '.",
        ),
        ("- bm25\n- [top, 5]", None, "found ['top', '5'], expected a step such as top: 5."),
        ("- bm25\n- hybrid:\n    of: ['dense(']", 2, "pipeline: the bracket opened at 6 is never closed."),
        ("- bm25\n- two words: 5", 2, "'two words' cannot be the name of a stage."),
        ("- bm25\n- two words:", 2, "'two words' is not a single word; put it in quotes."),
        ("~", None, "found nothing, expected a pipeline: a text or a list of steps."),
        ("", None, "the file is empty."),
        ("retrievers:\n  a:\n    - bm25\n    - top: 5\n  b: bm25 |", 5, "b: pipeline: nothing follows the bar"),
        ("''", None, "pipeline: the text is empty"),
        ("a: {b: 1, b: 2}", 1, "key 'b' occurs twice."),
        ("- top: " + "[" * 60 + "]" * 60, 1, "is nested more than 50 deep."),
        ("- top: " + "{a: " * 120 + "}" * 120, 1, "is nested more than 50 deep."),
    ],
)
def test_a_mistake_has_its_file_and_line(tmp_path: Path, yaml: str, line: int | None, problem: str) -> None:
    path = written(tmp_path, yaml)
    with pytest.raises(FileFormatError) as error:
        read_pipelines(path)
    assert error.value.line == line
    assert error.value.problem.startswith(problem)


def test_aliases_that_double_a_pipeline_again_and_again_are_refused(tmp_path: Path) -> None:
    doubled = (f"  r{n}: &r{n} {{hybrid: [*r{n - 1}, *r{n - 1}]}}\n" for n in range(1, 28))
    path = written(tmp_path, "retrievers:\n  r0: &r0 {hybrid: [bm25, bm25]}\n" + "".join(doubled))
    with pytest.raises(FileFormatError, match="has more than 10,000 stages and lists"):
        read_pipelines(path)

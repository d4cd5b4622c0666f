"""From expressions to stages: arguments find their parameters, stages their places, and mistakes their sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

import pytest

from goldproof.errors import InputError
from goldproof.records.entities import Hit
from goldproof.retrieve.external.user_retriever import UserRetriever
from goldproof.retrieve.language import Call, Object, Pipe, Word, build, parse
from goldproof.retrieve.stage import STAGES, kind_of
from goldproof.retrieve.stages.cutoff import Floor, Top
from goldproof.retrieve.stages.decay import Decay, Recency
from goldproof.retrieve.stages.expand import Expand
from goldproof.retrieve.stages.filters import Filter
from goldproof.retrieve.stages.hybrid import Hybrid

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from goldproof.retrieve.stage import Stage


class Echo:
    """A retriever of a user's."""

    def __init__(self, name: str = "d", *, times: int = 1) -> None:
        self.name = name
        self.times = times

    def search(self, query: str, k: int, filters: object = None) -> list[Hit]:  # noqa: ARG002
        return [Hit(f"{self.name}{i}", 1.0) for i in range(self.times)]


class Probe:
    """A stage with a parameter of every type."""

    kind: ClassVar[Literal["source", "step", "query step"]] = "source"

    def __init__(
        self,
        text: str = "",
        *,
        whole: int = 0,
        number: float = 0.0,
        flag: bool = False,
        choice: Literal["a", "none", 3] = "a",
        maybe: str | None = "x",
        mixed: float | str | None = None,
        several: Sequence[int] = (),
        pairs: tuple[float, ...] = (),
        unknown: NotImported | None = None,  # type: ignore[name-defined]  # noqa: F821
        function: str | Callable[..., object] = "",
        anything: Any = None,  # noqa: ANN401
    ) -> None:
        self.got = {name: value for name, value in locals().items() if name != "self"}


@pytest.fixture(autouse=True)
def plug_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    targets = {**STAGES._targets, "probe": Probe, "echo": Echo, "ready": Echo("r")}
    monkeypatch.setattr(STAGES, "_targets", targets)


def made(text: str) -> Any:  # noqa: ANN401
    return build(parse(text))


def problem(text: str) -> str:
    with pytest.raises(InputError) as error:
        made(text)
    return str(error.value)


def test_every_step_holds_the_stage_before_it() -> None:
    last = made("hybrid(recency, recency | top(3)) | floor(0.3, of=score) | decay(exp, half_life=10) | top(5)")
    assert isinstance(last, Top)
    assert isinstance(last.source, Decay)
    assert isinstance(last.source.source, Floor)
    fused = last.source.source.source
    assert isinstance(fused, Hybrid)
    assert [type(member) for member in fused.members] == [Recency, Top]
    assert (last.k, last.source.half_life, last.source.source.least) == (5, 10.0, 0.3)


def test_query_steps_wrap_the_source_and_steps_wrap_both(tmp_path: Path) -> None:
    (tmp_path / "synonyms.yaml").write_text("car: [automobile]\n", encoding="utf-8")
    last = made(f"expand('{tmp_path}/synonyms.yaml') | recency | top(5)")
    assert isinstance(last, Top)
    assert isinstance(last.source, Expand)
    assert isinstance(last.source.source, Recency)


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("minilm", "minilm"),
        ('"new york"', "new york"),
        ("5", "5"),
        ("text=true", "true"),
        ("whole=5", 5),
        ("whole=5.0", 5),
        ("number=5", 5.0),
        ("number=0.30", 0.3),
        ("number=.5", 0.5),
        ("flag=true", True),
        ("flag=False", False),
        ("choice=none", "none"),
        ("choice=3", 3),
        ("maybe=none", None),
        ('maybe="none"', "none"),
        ("maybe=null", None),
        ("mixed=7d", "7d"),
        ("mixed=7", 7.0),
        ("mixed=none", None),
        ("several=[1, 2]", [1, 2]),
        ("several=[]", []),
        ("pairs=[1, 0.5]", (1.0, 0.5)),
        ("unknown=word", "word"),
        ("unknown=none", None),
        ("function=module:name", "module:name"),
        ("anything=[1, a, true, none]", [1, "a", True, None]),
        ("anything=1.10", "1.10"),
        ('anything="5"', "5"),
    ],
)
def test_arguments_become_what_the_parameter_takes(argument: str, value: object) -> None:
    name = argument.partition("=")[0] if "=" in argument else "text"
    got = made(f"probe({argument})").got[name]
    assert got == value
    assert type(got) is type(value)


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("whole=2.5", "whole is 2.5, expected a whole number"),
        ('whole="2"', 'whole is "2", expected a whole number'),
        ("number=many", "number is many, expected a number"),
        ("number=true", "number is true, expected a number"),
        ("number=1e999", "number is 1e999, expected a number"),
        ("flag=1", "flag is 1, expected true or false"),
        ("choice=b", "choice is b, expected a, none or 3"),
        ("several=1", "several is 1, expected a list such as [1, 2]"),
        ("several=[a]", "several is [a], expected a list such as [1, 2]"),
        ("text=[a]", "text is [a], expected text"),
        ("text=top(5)", "text is top(5), expected text (text with brackets or bars needs quotes)"),
        ("unknown=a | b", "unknown is a | b, expected none or a value (text with brackets or bars needs quotes)"),
        ("mixed=[1]", "mixed is [1], expected none, a number or text"),
        ("anything=a | b", "anything is a | b, expected a value (text with brackets or bars needs quotes)"),
        ("a, text=b", "text is given twice, without and with its name"),
        ("a, b", "takes one argument without a name; b is one too many"),
    ],
)
def test_an_argument_that_does_not_fit_is_named_with_what_was_expected(argument: str, said: str) -> None:
    assert problem(f"probe({argument})").startswith(f"probe: {said}; it is written probe(text='', *, whole=0, ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("recency | floor", "floor: least is missing; it is written floor(least, *, of=None)."),
        ("recency | floor(0.3, off=score)", "unknown parameter of floor 'off'; did you mean 'of'?"),
        ("recency | floor(0.3, source=recency)", "unknown parameter of floor 'source'; known: least, of."),
        ("recency | floors(0.3)", "unknown stage 'floors'; did you mean 'floor'?"),
        ("BM25", "unknown stage 'BM25'; names are lower case: bm25."),
        ("dense:minilm", "dense:minilm is not a stage; write dense(minilm)."),
        ("runs/a.trec", "runs/a.trec is not a stage; a run file is written run:runs/a.trec."),
        (
            "a:b:c",
            "unknown stage 'a:b:c'; a retriever of your own is written package.module:object, an embedder dense(",
        ),
        ("hybrid(recency, minilm)", "unknown stage 'minilm'; write dense(minilm)."),
        ("recency | limit(5)", "unknown stage 'limit'; write top(5)."),
        ("top(5)", "top(5) needs a retriever before it, such as bm25 | top(5)."),
        ("top(5) | recency", "top(5) needs a retriever before it, such as bm25 | top(5)."),
        ("expand(minilm)", "expand(minilm) changes the query for the retriever after it, but none follows"),
        ("expand(minilm) | top(5)", "top(5) needs a retriever before it"),
        (
            "recency | top(5) | dense(minilm)",
            "dense(minilm) cannot follow recency, since each searches by itself; to search with both use hybrid(",
        ),
        (
            "recency | expand(minilm)",
            "expand(minilm) changes the query, so it goes before the retriever: expand(minilm) | recency.",
        ),
        ("hybrid(recency, 5)", "found 5 where a stage belongs; expected a name such as bm25 or dense(minilm)."),
        ("hybrid(recency, [recency])", "found [recency] where a stage belongs"),
        ("recency" + " | top(5)" * 100, "a pipeline of 101 stages is too long; at most 100 may follow each other."),
    ],
)
def test_a_stage_at_the_wrong_place_or_of_no_known_name_is_told_what_to_do(text: str, said: str) -> None:
    assert problem(text).startswith(said)


def test_a_filter_takes_any_field_even_one_called_source() -> None:
    last = made("recency | filter(source=wiki, year=2019..2021, lang=[en, de], self=1)")
    assert isinstance(last, Filter)
    assert last.filters == {"source": "wiki", "year": {"gte": 2019, "lte": 2021}, "lang": ["en", "de"], "self": 1}


def bare(text: str) -> tuple[str, Any]:
    from goldproof.retrieve.language.builder import named_stage

    written = parse(text)
    assert isinstance(written, Word | Call)
    return text, str(named_stage(written))


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("my.module:thing", "own(my.module:thing)"),
        ("module:Class.method", "own(module:Class.method)"),
        ("module:make(timeout=5)", "own(module:make, timeout=5)"),
        ("https://host/search", "http(https://host/search)"),
        ("http://host:8080/search(timeout=5)", "http(http://host:8080/search, timeout=5)"),
        ("run:runs/bm25.trec", "run(runs/bm25.trec)"),
        ("run:a:b.trec", "run(a:b.trec)"),
        ("bm25", "bm25"),
    ],
)
def test_bare_forms_stand_for_stages(text: str, means: str) -> None:
    assert bare(text)[1] == means


def test_a_plug_in_without_a_kind_is_a_retriever_of_the_users() -> None:
    for text in ("echo", "echo(x, times=2)", "ready"):
        assert isinstance(made(text), UserRetriever)
    assert "unknown parameter of echo 'time'; did you mean 'times'?" in problem("echo(time=2)")


def test_a_python_object_may_stand_anywhere() -> None:
    fused = build(Call("hybrid", (Object(Echo()), Word("recency"))))
    assert isinstance(fused, Hybrid)
    assert isinstance(fused.members[0], UserRetriever)
    piped = build(Pipe((Object(Echo()), parse("top(5)"))))
    assert isinstance(piped, Top)
    assert isinstance(piped.source, UserRetriever)


def test_a_python_object_that_is_a_stage_is_taken_as_it_is() -> None:
    stage: Stage = Recency()
    assert build(Object(stage)) is stage


def test_a_python_object_as_an_argument_is_passed_on() -> None:
    thing = object()
    assert build(Call("probe", (), (("anything", Object(thing)),))).got["anything"] is thing  # type: ignore[attr-defined]


def test_every_built_in_is_there_and_says_its_kind() -> None:
    for name in STAGES:
        if name not in ("probe", "echo", "ready"):
            assert kind_of(STAGES.get(name)) in ("source", "step", "query step"), name


def test_a_word_too_long_for_the_name_of_a_file_is_an_unknown_stage() -> None:
    with pytest.raises(InputError, match="unknown stage 'a/bbb"):
        build(Word("a/" + "b" * 5000))

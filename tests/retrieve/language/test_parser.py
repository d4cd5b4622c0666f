"""The text form: what it means, that it prints back, and that every mistake gets its own sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.retrieve.language import Call, Expression, List, Number, Object, Pipe, Text, Word, parse, parse_value
from goldproof.retrieve.language.expression import call, is_word, literal, unquoted

words = st.from_regex(r"[a-z][a-z0-9_./:@+%~-]{0,8}", fullmatch=True).map(Word)
names = words.map(str)
numbers = st.one_of(st.integers(-(10**15), 10**15), st.floats(allow_nan=False, allow_infinity=False)).map(Number)
texts = st.text(max_size=12).map(literal)
urls = st.sampled_from(["https://host:80/a&d=%20", "HTTP://x/"]).map(Word)


def calls(values: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    keys = st.one_of(names, st.text(max_size=6))
    named = st.dictionaries(keys, values, max_size=2).map(lambda found: tuple(found.items()))
    return st.builds(call, names, st.lists(values, max_size=3).map(tuple), named)


def pipes(stages: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.lists(stages, min_size=2, max_size=3).map(lambda parts: Pipe(tuple(parts)))


values: st.SearchStrategy[Expression] = st.recursive(
    st.one_of(words, numbers, texts, urls),
    lambda inner: st.one_of(
        calls(inner), pipes(st.one_of(words, calls(inner))), st.lists(inner, max_size=3).map(lambda x: List(tuple(x)))
    ),
    max_leaves=8,
)
pipelines = st.one_of(words, urls, calls(values), pipes(st.one_of(words, urls, calls(values))))


@given(pipelines)
def test_a_printed_pipeline_is_read_as_the_same_pipeline(expression: Expression) -> None:
    assert parse(str(expression)) == expression


def test_a_name_that_is_an_address_is_printed_in_quotes() -> None:
    expression = Call("f", (), (("http://a", Word("b")),))
    assert str(expression) == 'f("http://a"=b)'
    assert parse(str(expression)) == expression


@given(values)
def test_a_printed_argument_is_read_as_the_same_argument(expression: Expression) -> None:
    assert parse_value(str(expression)) == expression


@given(st.text(alphabet="ab1.|(),=[]\"'\\ \n<", max_size=30))
def test_any_text_is_read_or_refused_with_a_sentence(text: str) -> None:
    found: Expression | str
    try:
        found = parse(text)
    except InputError as error:
        found = str(error)
    assert found.startswith("pipeline: ") if isinstance(found, str) else parse(str(found)) == found


def test_the_pipeline_of_the_documentation() -> None:
    assert parse("hybrid(bm25, dense(minilm)) | floor(0.3) | decay(exp, half_life=10) | top(5)") == Pipe(
        (
            Call("hybrid", (Word("bm25"), Call("dense", (Word("minilm"),)))),
            Call("floor", (Number(0.3),)),
            Call("decay", (Word("exp"),), (("half_life", Number(10)),)),
            Call("top", (Number(5),)),
        )
    )


def test_a_pipeline_may_stand_inside_the_arguments() -> None:
    inner = Pipe((Call("expand", (Word("minilm"),)), Word("bm25")))
    assert parse("hybrid(expand(minilm) | bm25, dense)") == Call("hybrid", (inner, Word("dense")))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bm25()", "bm25"),
        (" bm25\n\t| top( 5 )", "bm25|top(5)"),
        ('dense("minilm")', "dense(minilm)"),
        ("dense('minilm')", "dense(minilm)"),
        ('filter("lang"=en)', "filter(lang=en)"),
        ('http("https://a.b/c?d=e")', "http(https://a.b/c?d=e)"),
    ],
)
def test_the_same_meaning_is_the_same_expression(one: str, other: str) -> None:
    assert parse(one) == parse(other)


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("5", Number(5)),
        ("-0.5", Number(-0.5)),
        ("0.30", Word("0.30")),
        ("1.10", Word("1.10")),
        ("01", Word("01")),
        ("7d", Word("7d")),
        ("2019..2021", Word("2019..2021")),
        ("9" * 5000, Word("9" * 5000)),
        ("1e999", Word("1e999")),
        ("google:gemini-embedding-001", Word("google:gemini-embedding-001")),
        ("true", Word("true")),
        ('"true"', Text("true")),
        ('"5"', Text("5")),
        ('""', Text("")),
        (r'"C:\new\a b.trec"', Text(r"C:\new\a b.trec")),
        ('"say ""yes"""', Text('say "yes"')),
        ("'it''s'", Text("it's")),
        ("größe", Word("größe")),
        ("[]", List(())),
        ("[1, [a]]", List((Number(1), List((Word("a"),))))),
    ],
)
def test_values(text: str, means: Expression) -> None:
    assert parse_value(text) == means


def test_an_address_ends_at_a_blank_comma_bar_or_bracket() -> None:
    assert parse("hybrid(http://a/?x=1,bm25)|top(5)") == Pipe(
        (Call("hybrid", (Word("http://a/?x=1"), Word("bm25"))), Call("top", (Number(5),)))
    )


def test_an_address_is_printed_without_its_query() -> None:
    expression = parse("hybrid(http://a/b?x=1,http('http://a/?x=1,2'))|top(5)")
    assert str(expression) == 'hybrid(http://a/b, http("http://a/")) | top(5)'
    assert str(parse("http://a/b?x=1(timeout=5)")) == "http://a/b(timeout=5)"
    assert str(parse("filter(note='is it http://a/b? yes')")) == 'filter(note="is it http://a/b? yes")'


@pytest.mark.parametrize(
    ("text", "problem", "place"),
    [
        ("hybrid(bm25, dense(minilm)", "the bracket opened at 7 is never closed.", 7),
        ("hybrid(bm25, ", "the bracket opened at 7 is never closed.", 7),
        ("f([1, 2", "the bracket opened at 3 is never closed.", 3),
        ("bm25 |", "nothing follows the bar; add a stage, or remove the bar.", 6),
        ("hybrid(bm25 |)", "nothing follows the bar; add a stage, or remove the bar.", 13),
        ("bm25 || top(5)", "two bars with nothing between them; remove one.", 7),
        ("bm25 | floor 0.3", "found '0.3' after floor; put an argument in brackets: floor(0.3).", 14),
        (
            "hybrid(bm25 dense)",
            "found 'dense' after bm25; put a comma between them, or an argument in brackets: bm25(dense).",
            13,
        ),
        ("bm25 & x", "found '&', which means nothing here; text that holds it needs quotes.", 6),
        ("dense(“minilm”)", "found '“'; quotes are straight here: \" or '.", 7),
        ('run("abc', "the quote opened at 5 is never closed.", 5),
        ("bm25)", "found ')', but no bracket is open.", 5),
        ("f(a]", "found ']', expected a comma or ')'.", 4),
        ("f(a=1, 2)", "f: an argument without a name follows a named one.", 8),
        ("f(a=1, a=2)", "f: a is given twice.", 8),
        ("f(a,)", "found ')', expected a value or a stage.", 5),
        ("f(k=)", "found ')', expected a value or a stage.", 5),
        ("0.3 | top(5)", "0.3 is a number, not the name of a stage.", 1),
        ("f(5 | top(5))", "5 is a number, not the name of a stage.", 3),
        ("'bm25'", "found the quoted text 'bm25', expected a stage; the name of a stage has no quotes.", 1),
        ("k=5", "found '=' outside brackets; named arguments go inside, as in decay(exp, half_life=10).", 2),
        (
            "run(C:\\a)",
            "found '\\': a path with backslashes needs quotes, such as run(\"C:\\runs\\bm25.trec\").",
            7,
        ),
    ],
)
def test_a_mistake_is_shown_where_it_is(text: str, problem: str, place: int) -> None:
    with pytest.raises(InputError) as error:
        parse(text)
    assert str(error.value) == f"pipeline: {problem}\n  {text}\n  {' ' * (place - 1)}^"


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_text_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="the text is empty; a pipeline begins with a retriever, such as bm25"):
        parse(text)


@pytest.mark.parametrize("opening", ["f(", "f([", "[", "("])
def test_ten_thousand_brackets_are_refused_not_a_crash(opening: str) -> None:
    with pytest.raises(InputError, match=r"nested more than 50 deep|expected the name of a stage"):
        parse(opening * 10_000)


def test_a_mistake_in_a_long_text_shows_the_part_around_it() -> None:
    text = "bm25" + " | top(5)" * 100 + " & " + "| top(5)" * 100
    with pytest.raises(InputError) as error:
        parse(text)
    _, line, caret = str(error.value).split("\n")
    assert line[caret.index("^")] == "&"
    assert len(line) < 120


def test_a_mistake_in_a_later_line_shows_that_line() -> None:
    with pytest.raises(InputError) as error:
        parse("bm25\n| floor(0.3)\n| top 5\n")
    assert str(error.value).endswith("\n  | top 5\n        ^")


def test_a_python_object_prints_as_its_type_and_is_not_read_back() -> None:
    printed = str(Pipe((Object(test_values), Object(object()))))
    assert printed.endswith("test_values> | <builtins:object>")
    with pytest.raises(InputError, match="name it as module:object"):
        parse(printed)


def test_nodes_refuse_what_could_not_be_read_back() -> None:
    with pytest.raises(InputError, match="put it in quotes"):
        Word("two words")
    with pytest.raises(InputError, match="cannot be the name of a stage"):
        Call("a b", (Word("x"),))
    with pytest.raises(InputError, match="finite"):
        Number(float("inf"))


@given(st.text(max_size=20))
def test_text_keeps_its_meaning_without_quotes_only_where_it_is_a_plain_word(text: str) -> None:
    node = literal(text)
    assert (node.text if isinstance(node, Word) else node.value) == text
    if is_word(text) and isinstance(node, Word):
        assert unquoted(text) == node

"""Which keyword is taken."""

from __future__ import annotations

import pytest

from goldproof.jobs.verify.rules.keyword_rule import RULE
from tests.jobs.verify.rules.proving import prover

YAML, PYDANTIC, HTTPX = "PyYAML", "pydantic", "httpx"
MEANING = "keyword (meaning)"


@pytest.mark.parametrize(
    ("library", "question", "options", "expected"),
    [
        (YAML, "Which keyword does `yaml.dump_all` accept?", ("sort_keys", "order_keys", "indent=4"),
         "A confirmed, B refuted, C confirmed"),
        (YAML, "Which of the following is a valid parameter of `yaml.dump_all`?", ("`width`", "`columns`"),
         "A confirmed, B refuted"),
        (YAML, "Which of the following is NOT a valid parameter of `yaml.dump_all`?", ("`width`", "`columns`"),
         "A refuted, B confirmed"),
        (HTTPX, "Which arguments does `httpx.Client` take?", ("`base_url`", "`root`"), "A confirmed, B refuted"),
        (YAML, "Which parameter of `yaml.dump_all` controls the order of keys?", ("sort_keys", "ordered"),
         "A supported, B refuted"),
        (YAML, "Which `yaml.dump_all` argument is used to set the line width?", ("`width=80`", "`columns=80`"),
         "A supported, B refuted"),
        (HTTPX, "Which argument of `httpx.Client` sets the base address?",
         ("`httpx.Client(base_url='x')`", "`httpx.Client(root_url='x')`"), "A supported, B refuted"),
        (HTTPX, "When creating an `httpx.Client`, which parameter should you set to follow redirects?",
         ("Set `follow_redirects` to it.", "Use the `redirects` argument."), "A supported, B refuted"),
        (HTTPX, "You use `httpx.Client` and want a limit. Which parameter should you set?",
         ("Pass `timeout=5` to `httpx.Client`.", "Pass `deadline=5` to the constructor"), "A supported, B refuted"),
        (YAML, "What is the name of the parameter of `yaml.dump_all` that sets the indentation?",
         ("indent=2, width=80", "indent=2, columns=80"), "A supported, B refuted"),
        (PYDANTIC, "Which parameter of `Field` sets another name?", ("alias", "other_name"), "A supported, B refuted"),
        (YAML, "Which parameter of `yaml.dump` controls the order of keys?", ("sort_keys", "ordered"),
         "A supported, B refuted"),
    ],
)  # fmt: skip
def test_keywords_are_really_given(library: str, question: str, options: tuple[str, ...], expected: str) -> None:
    assert prover(library).standings(RULE, question, *options) == expected


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("What is the purpose of the `indent` parameter of `yaml.dump`?", ("indent", "width")),
        ("Which parameter should you set to get wide lines?", ("width", "columns")),  # of whom is not said
        ("Which parameter of `yaml.dump_all` does not serve to set the width?", ("width", "indent")),
        ("Which parameter of `make_dump` sets the width?", ("width", "columns")),  # not of the library
        ("Which parameter of `make_dump` sets the width in `yaml.dump_all`?", ("width", "columns")),
        ("Which parameter connects `yaml.dump_all` and `yaml.load_all`?", ("width", "columns")),  # perhaps of a third
        ("You use `yaml.dump_all`. Which parameter should you set for wide lines?", ("width", "columns")),
        ("Which argument of `yaml.dump_all` matters?", ("Use the `side_effect=True` decorator.", "None of the above")),
        ("Which argument of `yaml.dump_all` matters?", ("`columns` is not supported", "It raises an error for `a=1`")),
    ],
)
def test_the_rule_is_silent(question: str, options: tuple[str, ...]) -> None:
    assert prover(YAML).proofs(RULE, question, *options) == []


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Does `yaml.dump_all` accept the keyword argument `width`?", "A confirmed, B refuted"),
        ("Does the function `yaml.dump_all` take a parameter called `columns`?", "A refuted, B confirmed"),
        ("Is `columns` a valid keyword argument for `yaml.dump_all`?", "A refuted, B confirmed"),
        ("Can the `indent` argument be passed to `dump_all()`?", "A confirmed, B refuted"),
        ("Can `deprecated` be given to the `yaml.dump_all` function as a keyword?", "A refuted, B confirmed"),
        # Of what is passed on nothing is known; a value, an attribute, a purpose or a condition is something else.
        ("Does `yaml.dump_all` accept `None`?", ""),
        ("Does `yaml.SafeLoader` have `stream`?", ""),
        ("Does `make_dump` accept the keyword argument `width`?", ""),
        ("Does `yaml.dump_all` accept the keyword argument `width` before version 5?", ""),
        ("Why does `yaml.dump_all` accept the keyword argument `width`?", ""),
        ("Does `yaml.dump_all` need the keyword argument `width`?", ""),
    ],
)
def test_whether_a_keyword_is_taken_is_answered_with_yes_or_no(question: str, expected: str) -> None:
    assert prover(YAML).standings(RULE, question, "Yes", "No.", "Yes, but only for streams") == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            ("`yaml.YAMLObject.to_yaml`", "`yaml.dump_all`", "`yaml.SafeLoader.compose_node`"),
            "",
        ),  # members, no keywords
        (("`yaml.dump_all.width`", "`yaml.dump_all.columns`"), "A confirmed, B refuted"),
    ],
)
def test_a_dotted_name_is_a_keyword_only_where_it_is_no_function(options: tuple[str, ...], expected: str) -> None:
    assert prover(YAML).standings(RULE, "Which of these keyword arguments exists in `yaml`?", *options) == expected


@pytest.mark.parametrize(
    ("question", "rule", "power"),
    [
        ("Which keyword does `yaml.dump_all` accept?", "keyword", "decides"),
        ("Which parameter of `yaml.dump_all` controls the width?", MEANING, "refutes"),
        ("Which parameter of `yaml.dump_all` takes the width?", MEANING, "refutes"),
        ("Which parameter of `yaml.dump_all` accepts a number of columns?", MEANING, "refutes"),
        ("Which parameter of `yaml.dump_all` is required?", "keyword", "refutes"),  # that it is taken is no answer
    ],
)
def test_only_a_question_about_what_is_taken_is_decided_by_it(question: str, rule: str, power: str) -> None:
    (proof,) = prover(YAML).proofs(RULE, question, "width")
    assert (proof.rule, proof.power) == (rule, power)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which of the following accept a `width` argument?", "A confirmed, B refuted"),
        ("Which of these functions takes a parameter called `width`?", "A confirmed, B refuted"),
        ("Which function does NOT accept a `width` parameter?", "A refuted, B confirmed"),
        ("Which one has a `Loader` argument?", "A refuted, B confirmed"),
        # Another question is asked, or the word in backquotes is no keyword.
        ("Which of these functions accept a `width` value?", ""),
        ("Which of these functions should take a `width` argument?", ""),
        ("Which of these functions accept a `width` argument of 80?", ""),
        ("Why do these functions accept a `width` argument?", ""),
    ],
)
def test_who_takes_a_keyword(question: str, expected: str) -> None:
    assert prover(YAML).standings(RULE, question, "`yaml.dump_all`", "`yaml.load_all`", "Neither is right") == expected


@pytest.mark.parametrize(
    ("question", "options", "expected"),
    [
        ("Which argument configures a single proxy for an `httpx.Client`?", ("`proxies`", "`proxy`", "`http_proxy`"),
         "A refuted, B supported, C refuted"),
        ("Which keyword argument makes redirects work for the `httpx.Client` class?",
         ("`follow_redirects`", "`redirects`"), "A supported, B refuted"),
        ("What parameter changes how long one waits in `httpx.Client` as of version 0.28?", ("`timeout`", "`wait`"),
         "A supported, B refuted"),
        # None of them is taken: then it is somebody else whose argument is meant.
        ("Which argument configures a single proxy for an `httpx.Client`?", ("`proxies`", "`http_proxy`"),
         "A no verdict, B no verdict"),
        ("Which argument of a transport enables HTTP/2 for an `httpx.Client`?", ("`http2`", "`http_two`"), ""),
        ("Which argument of the helper sets `proxy` for an `httpx.Client`?", ("`proxies`", "`proxy`"), ""),
        ("Which argument really sets a single proxy for an `httpx.Client`, and why?", ("`proxies`", "`proxy`"), ""),
        ("Which argument configures a single proxy for an `httpx.Client`?", ("`proxy`", "It cannot be done"), ""),
        ("`Client.close()` only works if the client was created with", ("`trust_env=True`", "`closing=True`"),
         "A supported, B refuted"),
        ("`Client.close()` has no effect if the request was created with", ("`trust_env=True`", "`closing=True`"), ""),
        ("Select the setting that lets an `httpx.Client` follow redirects.",
         ("`httpx.Client(follow_redirects=True)`", "`httpx.Client(redirects=True)`"), "A supported, B refuted"),
        ("Select the option that lets an `httpx.Client` follow redirects.",
         ("`httpx.Client(follow_redirects=True)`", "`httpx.Client(redirects=True)`"), ""),
        ("Which hook can NOT be passed to `httpx.Client`?", ("`event_hooks`", "`request_hook`"),
         "A refuted, B confirmed"),
        ("Which of these is a callback that can be given to an `httpx.Client`?", ("`event_hooks`", "`request_hook`"),
         "A confirmed, B refuted"),
        ("Which value can NOT be passed to `httpx.Client`?", ("`event_hooks`", "`request_hook`"), ""),
        ("Which parameter is NOT part of `httpx.Client`?", ("`event_hooks`", "`request_hook`"),
         "A refuted, B confirmed"),
    ],
)  # fmt: skip
def test_keywords_of_whom_it_is_not_plainly_said(question: str, options: tuple[str, ...], expected: str) -> None:
    assert prover(HTTPX).standings(RULE, question, *options) == expected


def test_what_names_no_parameter_has_no_control_and_no_verdict() -> None:
    """`click.option` takes `*param_decls` and `**attrs` only: there is no keyword that is known to be taken."""
    found = prover("click").tried(
        RULE, "Which argument of `click.option` sets a default?", "`is_flag`", "`no_such_word`"
    )
    assert all(one.standing != "refuted" or one.control_run is not None for one in found)
    assert not any("IndexError" in f"{one.reason} {one.control}" for one in found)

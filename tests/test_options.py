"""Options are declared in the signature of a public function, once."""

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import pytest

import goldproof
from goldproof.jobs.evaluate import explain_question
from goldproof.jobs.retrieve import retrieve_questions
from goldproof.options import Option, declared

Shared = Annotated[int, Option("Seed.")]


def score(
    files: Annotated[object, Option("Files.", "FILE", flag="", type=list[str])],
    *more: object,
    seed: Shared = 0,
    labels: Annotated["Mapping[str, object] | None", Option("Labels.", flag="--qrels", type=Path)] = None,
    wide: Annotated[bool, Option("Wide.", flag="-w --wide")] = False,
    on_progress: object = None,
) -> None:
    """Only what has an Option is one."""


def explain(*, seed: Shared = 7, top: Annotated[int, Option("Rows.", minimum=1)] = 10) -> None:
    """The seed is declared twice: the first wins."""


def several(*, names: Annotated[object, Option("Names.", type=list[str])] = "all") -> None:
    """Several names, or a word for all of them."""


def test_what_has_an_option_is_one_and_the_first_declaration_wins() -> None:
    options = declared([score, explain])
    assert list(options) == ["files", "seed", "labels", "wide", "top"]
    assert options["seed"].parameter.default == 0


def test_the_type_on_the_command_line_is_the_one_named_there_or_that_of_python() -> None:
    options = declared([score])
    assert options["files"].type == list[str]
    assert options["labels"].type == Path | None  # its default is None
    assert options["seed"].type is int


def test_a_default_that_a_command_line_cannot_show_is_left_to_the_function() -> None:
    options = declared([score, several])
    assert (options["seed"].default, options["labels"].default) == (0, None)
    assert (options["names"].default, options["names"].type) == (None, list[str] | None)


def test_flags_follow_the_name_unless_others_are_given() -> None:
    flags = {name: option.flags for name, option in declared([score, explain]).items()}
    assert flags == {
        "files": (),
        "seed": ("--seed",),
        "labels": ("--qrels",),
        "wide": ("-w", "--wide"),
        "top": ("--top",),
    }


WITH_OPTIONS: tuple[Callable[..., Any], ...] = (
    *(goldproof.build, goldproof.calibrate_judge, goldproof.combine, goldproof.compare, goldproof.evaluate),
    goldproof.draft_questions,
    *(goldproof.mine, goldproof.replay, goldproof.run_memory, goldproof.score_traces, goldproof.tune_memory),
    *(goldproof.verify, explain_question, retrieve_questions),
)


@pytest.mark.parametrize("function", WITH_OPTIONS, ids=lambda function: function.__name__)
def test_every_job_declares_options_that_can_be_read_at_run_time_and_say_what_they_are(
    function: Callable[..., object],
) -> None:
    texts = [
        name
        for name, annotation in function.__annotations__.items()
        if name != "return" and isinstance(annotation, str)
    ]
    assert not texts, (
        f"{function.__module__} has `from __future__ import annotations`, so these cannot be options: {texts}"
    )
    options = declared([function])
    assert options
    assert all(option.option.help.endswith((".", ")")) for option in options.values())


@pytest.mark.parametrize("function", WITH_OPTIONS, ids=lambda function: function.__name__)
def test_help_shows_plain_types(function: Callable[..., object]) -> None:
    assert "Option(" not in str(inspect.signature(function))
    assert "Annotated" not in str(inspect.signature(function))

from __future__ import annotations

import re

from goldproof import errors
from goldproof.errors import (
    EmbeddingFailedError,
    FileFormatError,
    GoldproofError,
    InputError,
    MissingExtraError,
    ModelFailedError,
    NothingScoredError,
    UnknownNameError,
)


def test_a_file_error_names_file_line_and_next_step() -> None:
    error = FileFormatError("runs/a.trec", "score 'n/a' is not a number.", line=7, hint="Fix the line.")
    assert str(error) == "runs/a.trec:7: score 'n/a' is not a number.\n  Fix the line."


def test_an_unknown_name_lists_what_is_known_when_nothing_is_near() -> None:
    assert str(UnknownNameError("run", "zzz", ["bm25", "dense"])) == "unknown run 'zzz'; known: bm25, dense."


def test_a_missing_extra_says_what_to_install() -> None:
    assert str(MissingExtraError("dense retrieval", "dense")) == (
        "dense retrieval needs the extra 'dense': pip install 'goldproof[dense]'"
    )


def test_the_tree_that_is_drawn_is_the_tree_there_is() -> None:
    drawn = re.findall(r"^    ([│ ├└─]*)(\w+Error)\b", errors.__doc__ or "", re.MULTILINE)
    parents: list[str] = []
    for branches, name in drawn:
        depth = len(branches) // 4
        parents[depth:] = [name]
        assert getattr(errors, name).__base__.__name__ == (parents[depth - 1] if depth else "Exception")
    classes = {name for name, one in vars(errors).items() if isinstance(one, type) and issubclass(one, Exception)}
    assert {name for _, name in drawn} == classes


def test_a_failure_of_one_request_is_not_taken_for_wrong_input() -> None:
    assert not any(issubclass(one, InputError) for one in (EmbeddingFailedError, ModelFailedError))


def test_exit_codes_follow_the_design() -> None:
    assert GoldproofError.exit_code == 2
    assert EmbeddingFailedError.exit_code == 2
    assert NothingScoredError.exit_code == 3


def test_a_count_has_its_noun_in_the_singular_or_the_plural() -> None:
    assert [errors.counted(n, "query") for n in (0, 1, 2, 1000)] == [
        "0 queries",
        "1 query",
        "2 queries",
        "1,000 queries",
    ]
    assert errors.counted(1, "line has", "lines have") == "1 line has"
    assert errors.counted(3, "line has", "lines have") == "3 lines have"

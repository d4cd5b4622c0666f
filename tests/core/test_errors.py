from __future__ import annotations

from karat.core.errors import FileFormatError, KaratError, MissingExtraError, NothingScoredError, UnknownNameError


def test_a_file_error_names_file_line_and_next_step() -> None:
    error = FileFormatError("runs/a.trec", "score 'n/a' is not a number.", line=7, hint="Fix the line.")
    assert str(error) == "runs/a.trec:7: score 'n/a' is not a number.\n  Fix the line."


def test_an_unknown_name_lists_what_is_known_when_nothing_is_near() -> None:
    assert str(UnknownNameError("run", "zzz", ["bm25", "dense"])) == "unknown run 'zzz'; known: bm25, dense."


def test_a_missing_extra_says_what_to_install() -> None:
    assert str(MissingExtraError("dense retrieval", "dense")) == (
        "dense retrieval needs the extra 'dense': pip install 'karat[dense]'"
    )


def test_exit_codes_follow_the_design() -> None:
    assert KaratError.exit_code == 2
    assert NothingScoredError.exit_code == 3

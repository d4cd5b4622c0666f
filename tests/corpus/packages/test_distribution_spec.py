"""Specs of packages are read strictly, and print back."""

from __future__ import annotations

import pytest

from goldproof.corpus.corpus import open_corpus
from goldproof.corpus.packages import open_package
from goldproof.corpus.packages.distribution import parse_spec
from goldproof.errors import InputError, UnknownNameError


@pytest.mark.parametrize(
    ("rest", "options", "printed"),
    [
        ("google-adk", {}, "package:google-adk"),
        ("google-adk == 1.20.0", {"private": "False"}, "package:google-adk==1.20.0"),
        ("six", {"private": "true", "fields": "runtime"}, "package:six#private=true,fields=runtime"),
        ("six", {"python": "/opt/python"}, "package:six#python=/opt/python"),
    ],
)
def test_a_spec_prints_what_opens_it_again(rest: str, options: dict[str, str], printed: str) -> None:
    assert str(parse_spec(rest, options)) == printed


@pytest.mark.parametrize("rest", ["", "six==", "six>=1", "six[extra]", "a b", "six @ file:///x", "../six", "==1"])
def test_what_is_no_name_and_version_is_refused(rest: str) -> None:
    with pytest.raises(InputError, match=r"expected package:NAME or package:NAME==VERSION"):
        parse_spec(rest, {})


def test_options_are_checked() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'private'"):
        open_package("six#privat=true")
    with pytest.raises(InputError, match="private=maybe: expected true or false"):
        open_package("six#private=maybe")
    with pytest.raises(UnknownNameError, match="did you mean 'runtime'"):
        open_package("six#fields=run-time")


def test_a_corpus_spec_opens_a_package() -> None:
    corpus = open_corpus("package:annotated-types#private=true")
    assert corpus.name == "package:annotated-types#private=true"
    assert "annotated_types.Gt" in {document.id for document in corpus.documents}

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.corpus.libraries.name_index import KnownName
from goldproof.jobs.verify.trying import try_proof
from goldproof.jobs.verify.verdicts import SAME, distractor_remarks, judge_case, same_object_proofs
from tests.jobs.verify.hand_made import LIBRARY, NoNames, choice, tried, tries, yaml_sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.jobs.verify.finding import Remark
    from goldproof.sandbox import Sandbox

LOAD = KnownName("yaml.load", "yaml.load", "function")
NAMES = NoNames(
    load=(LOAD,),
    safe_load=(KnownName("yaml.safe_load", "yaml.safe_load", "function"),),
    Loader=(KnownName("yaml.Loader", "yaml.loader.Loader", "class"),),
)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with yaml_sandbox() as opened:
        yield opened


def told(remarks: tuple[Remark, ...]) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.kind, one.options) for one in remarks]


NOT_FOUND = {"kind": "name", "path": "yaml.lod", "found": False, "missing": "yaml.lod"}
ELSEWHERE = {"kind": "name", "path": "yaml.nodes.load", "found": False, "missing": "yaml.nodes.load"}
REJECTED = {"kind": "keyword", "path": "yaml.load", "keyword": "speed", "outcome": "rejected"}
NOWHERE = {"kind": "anywhere", "name": "Lodder", "found": []}
NO_PYTHON = {"kind": "code", "name": "x", "outcome": "raised", "exception": {"type": "SyntaxError", "in_proof": True}}
PLAIN = {"kind": "code", "name": "x", "outcome": "raised", "exception": {"type": "KeyError", "in_proof": True}}


@pytest.mark.parametrize(
    ("seen", "weak"),
    [(NOT_FOUND, True), (ELSEWHERE, False), (REJECTED, True), (NOWHERE, True), (NO_PYTHON, True), (PLAIN, False)],
)
def test_a_distractor_is_weak_that_names_nothing_or_is_no_python(seen: dict[str, object], weak: bool) -> None:
    given = [*tries(A="holds"), tried("B", "refuted", observations=(seen,))]
    finding = judge_case(choice("one", "two"), library=LIBRARY, tries=given, names=NAMES)
    assert told(finding.remarks) == ([("weak distractor", ("B",))] if weak else [])
    assert finding.verdict == "valid"


def test_neither_the_key_nor_what_is_open_is_a_weak_distractor() -> None:
    given = [tried("A", "refuted", observations=(NOWHERE,)), tried("B", "no verdict", observations=(NOWHERE,))]
    finding = judge_case(choice("one", "two"), library=LIBRARY, tries=given, names=NAMES)
    assert finding.remarks == ()


def test_without_the_names_of_the_library_only_a_search_tells_that_a_name_is_nowhere() -> None:
    for seen, weak in ((NOT_FOUND, 0), (NOWHERE, 1)):
        finding = judge_case(choice("one", "two"), library=LIBRARY, tries=[tried("B", "refuted", observations=(seen,))])
        assert len(finding.remarks) == weak


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("`load`", "load.", True),
        ("It returns  a list", "it returns a list.", True),
        ("Runner", "runner", False),  # two names
        ("`Runner` runs", "`runner` runs", False),
        ("'a'", '"a"', True),
        ("1", "1.0", False),
    ],
)
def test_options_that_read_the_same_are_confusable(one: str, other: str, same: bool) -> None:
    remarks = distractor_remarks(choice("key", one, other), ())
    assert told(remarks) == ([("confusable", ("B", "C"))] if same else [])


def test_options_that_are_one_object_are_confusable(sandbox: Sandbox) -> None:
    case = choice(
        "from yaml import Loader", "from yaml.loader import Loader", "from yaml import load", "`yaml` is fine"
    )
    made = [try_proof(one, sandbox.run) for one in same_object_proofs(case, NAMES)]
    assert [(one.proof.option, one.standing) for one in made] == [(SAME, "confirmed"), (SAME, "no verdict")]
    finding = judge_case(case, library=LIBRARY, tries=[*tries(A="holds"), *made])
    assert told(finding.remarks) == [("confusable", ("A", "B"))]
    assert [one.standing for one in finding.premises] == ["confirmed"]
    assert finding.verdict == "unproven"


def test_what_is_not_there_is_no_object() -> None:
    assert same_object_proofs(choice("prose here", "`load`"), NAMES) == ()
    assert same_object_proofs(choice("`load`", "`nothing_such`"), NAMES) == ()
    assert len(same_object_proofs(choice("`load`", "`safe_load`"), NAMES)) == 1


def test_two_paths_that_both_lead_nowhere_are_not_the_same(sandbox: Sandbox) -> None:
    case = choice("from yaml import lod", "from yaml.nodes import lod")
    (made,) = (try_proof(one, sandbox.run) for one in same_object_proofs(case, NAMES))
    assert made.standing == "no verdict"

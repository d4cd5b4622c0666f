from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.jobs.verify.api_understanding import api_proofs
from goldproof.jobs.verify.trying import Runs, try_proof
from goldproof.jobs.verify.verdicts import judge_case
from tests.jobs.verify.hand_made import LIBRARY, NoNames, about, yaml_sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.io.cases import Case
    from goldproof.jobs.verify.finding import CaseFinding

NAMES = NoNames()


@pytest.fixture(scope="module")
def runs() -> Iterator[Runs]:
    with yaml_sandbox() as sandbox:
        yield Runs(sandbox.run)


def audited(case: Case, runs: Runs) -> CaseFinding:
    tries = [try_proof(one, runs) for one in api_proofs(case, NAMES)]
    return judge_case(case, library=LIBRARY, tries=tries, names=NAMES)


@pytest.mark.parametrize(
    ("answer", "targets", "verdict"),
    [
        ("safe_load", ("yaml.safe_load",), "valid"),  # the last part of the name
        ("`yaml.safe_load`", ("yaml.safe_load",), "valid"),
        ("safe_load()", ("yaml.safe_load",), "valid"),
        ("check_data", ("yaml.loader.SafeLoader",), "valid"),  # a member, inherited
        ("SafeLoader.check_data", ("yaml.loader.SafeLoader",), "valid"),
        ("sort_keys", ("yaml.dump_all",), "valid"),  # a parameter
        ("Use `sort_keys` and `allow_unicode`.", ("yaml.dump_all",), "valid"),
        ("Use `sort_keys` and `no_such_thing`.", ("yaml.dump_all",), "unproven"),
        ("True", ("yaml.__with_libyaml__",), "valid"),  # its value
        ("'tag:yaml.org,2002:map'", ("yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG",), "valid"),
        ("'tag:yaml.org,2002:seq'", ("yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG",), "unproven"),
        ("It keeps the order of keys as written.", ("yaml.dump_all",), "unproven"),  # prose names nothing
        ("quick_load", ("yaml.safe_load",), "unproven"),  # not found where it was looked for
        ("safe_load", ("yaml.safe_load", "yaml.load"), "valid"),
        ("safe_lod", ("yaml.safe_lod",), "incorrect"),
        ("safe_load", ("yaml.safe_load", "yaml.nothing"), "incorrect"),
        ("safe_load", (), "unproven"),
        ("safe_load", ("gold document 7",), "unproven"),
    ],
)
def test_names_resolve_and_answers_are_there(answer: str, targets: tuple[str, ...], verdict: str, runs: Runs) -> None:
    finding = audited(about(answer, *targets), runs)
    assert finding.verdict == verdict, finding.reason


def test_a_name_that_does_not_resolve_suggests_near_ones(runs: Runs) -> None:
    finding = audited(about("safe_lod", "yaml.safe_lod"), runs)
    assert finding.reason.startswith("name 1, `yaml.safe_lod`, is not there")
    assert "did you mean `yaml.safe_load`?" in finding.fix


def test_the_parts_of_a_case_are_its_names_and_its_answers(runs: Runs) -> None:
    finding = audited(about("safe_load", "yaml.safe_load", aliases=("load", "by hand, as ever")), runs)
    statuses = {one.letter: one.status for one in finding.options}
    # An alias that is not at the name is open: alternatives must be right too.
    assert statuses == {"name 1": "holds", "answer 1": "holds", "answer 2": "open", "answer 3": "open"}
    assert finding.verdict == "unproven"


def test_answers_of_a_case_that_was_read_back_are_known_by_their_proofs(runs: Runs) -> None:
    case = about("load", "yaml.load", aliases=("Loader",))
    tries = [try_proof(one, runs) for one in api_proofs(case, NAMES)]
    finding = judge_case(about("load", "yaml.load"), library=LIBRARY, tries=tries)
    assert [one.letter for one in finding.options] == ["name 1", "answer 1", "answer 2"]


def test_every_control_of_a_proof_flips_where_it_is_needed(runs: Runs) -> None:
    for case in (
        about("sort_keys", "yaml.dump_all"),
        about("x", "yaml.nothing"),
        about("True", "yaml.__with_libyaml__"),
    ):
        for proof in api_proofs(case, NAMES):
            assert try_proof(proof, runs).control.startswith(("flipped", "not needed")), proof.says

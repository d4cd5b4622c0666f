"""Where a name may lead, and what several meanings may decide."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from goldproof.corpus.libraries.name_index import KnownName
from goldproof.jobs.verify.rules.claims import Claim, value_proofs
from goldproof.jobs.verify.rules.resolving import meanings
from goldproof.jobs.verify.trying import try_proof
from tests.jobs.verify.rules.proving import prover


@dataclass(frozen=True)
class Names:
    """An index of a few paths, each of which defines what it names."""

    paths: tuple[str, ...]
    import_names: tuple[str, ...] = ("lib",)

    def find(self, name: str) -> tuple[KnownName, ...]:
        """Return the paths that end so."""
        return tuple(KnownName(one, one, "class") for one in self.paths if f".{one}".endswith(f".{name}"))

    def members(self, path: str) -> tuple[str, ...]:
        """Return nothing."""
        del path
        return ()

    near = members


@pytest.mark.parametrize(
    ("name", "paths", "expected"),
    [
        ("Runner", ("lib.run.Runner", "lib.cli.agent_test_runner.Runner"), ("lib.run.Runner",)),
        ("Runner", ("lib.run.Runner", "lib.testing.Runner", "lib.tests.a.Runner"), ("lib.run.Runner",)),
        ("Runner", ("lib.testing.Runner",), ("lib.testing.Runner",)),  # nothing else is called so
        ("testing.Runner", ("lib.run.Runner", "lib.testing.Runner"), ("lib.testing.Runner",)),
        ("Runner", ("lib.run.Runner", "lib.latest.Runner"), ("lib.run.Runner", "lib.latest.Runner")),  # another word
        ("TestRunner", ("lib.a.TestRunner", "lib.b.TestRunner"), ("lib.a.TestRunner", "lib.b.TestRunner")),
    ],
)
def test_what_stands_in_modules_for_tests_is_meant_last(
    name: str, paths: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    assert tuple(one.path for one in meanings(name, Names(paths))) == expected


@pytest.mark.parametrize(
    ("paths", "negated", "expected"),
    [
        (("httpx.ReadTimeout", "httpx.WriteTimeout"), False, {"confirmed", "supported"}),
        (("httpx.ReadTimeout", "httpx.WriteTimeout"), True, {"refuted", "no verdict"}),
        (("httpx.ReadError", "httpx.WriteError"), False, {"refuted", "no verdict"}),
        (("httpx.ReadError", "httpx.WriteError"), True, {"confirmed", "supported"}),
        # They disagree: neither is decided.
        (("httpx.ReadTimeout", "httpx.WriteError"), False, {"no verdict", "supported"}),
        (("httpx.ReadTimeout", "httpx.WriteError"), True, {"no verdict", "supported"}),
        (("httpx.ReadTimeout", "httpx.Nothing"), False, {"no verdict", "supported"}),
    ],
)
def test_several_meanings_decide_only_where_they_agree(
    paths: tuple[str, ...], negated: bool, expected: set[str]
) -> None:
    claim = Claim(option="A", rule="inheritance", says="It is so.", power="decides", negated=negated)
    proofs = value_proofs(claim, paths, expect={"check": "inherits", "from": "httpx.TimeoutException"})
    assert {try_proof(one, prover("httpx").run).standing for one in proofs} == expected

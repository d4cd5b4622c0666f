"""Code of the user's and of providers in a pipeline: found in the current folder; one failure fails one query."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from goldproof.cli.main import main
from goldproof.errors import EmbeddingFailedError
from goldproof.records.entities import Document, Question
from goldproof.retrieve import Search, open_retriever, run_questions
from goldproof.retrieve.stage import stage_facts
from tests.embed.embedding_server import EmbeddingServer, Fault

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENTS = (Document("d1", "red apples"), Document("d2", "blue sky"))
QUESTIONS = (Question("q1", "apples"), Question("q2", "too long a text"), Question("q3", "sky"))
SECRET = "sk-very-secret-0123456789"  # noqa: S105 - made up
MODULE = """
def embed(texts, purpose):
    if any("spoilt" in text for text in texts):
        raise ConnectionError("lost")
    bad = float("nan")
    return [[bad if "too long" in text else 1.0, text.count("apples"), text.count("sky")] for text in texts]
def answer(prompt):
    return "7"
def score(query, texts):
    return [len(text) for text in texts]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))
    (tmp_path / "goldproof_users_code.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [one for one in sys.path if one])
    monkeypatch.delitem(sys.modules, "goldproof_users_code", raising=False)
    return tmp_path


@pytest.mark.parametrize(
    "spec",
    [
        "dense(goldproof_users_code:embed)",
        "bm25 | rerank(goldproof_users_code:score)",
        "bm25 | rerank('llm:goldproof_users_code:answer')",
        "expand('llm:goldproof_users_code:answer') | bm25",
    ],
)
def test_code_of_the_current_folder_is_found_and_an_edit_is_noticed(folder: Path, spec: str) -> None:
    def facts() -> str:
        pipeline = open_retriever(spec)
        pipeline.index(DOCUMENTS)
        return str(stage_facts(pipeline.stage))

    before = facts()
    assert facts() == before
    (folder / "goldproof_users_code.py").write_text(f"{MODULE}# edited\n")
    assert facts() != before


@pytest.mark.usefixtures("folder")
def test_a_vector_that_is_none_fails_its_question_only() -> None:
    pipeline = open_retriever("dense(goldproof_users_code:embed)")
    pipeline.index(DOCUMENTS)
    done = run_questions(pipeline, QUESTIONS, search=Search(k=1))
    assert {question: next(iter(found)) for question, found in done.ranking.to_dict().items()} == {
        "q1": "d1",
        "q3": "d2",
    }
    assert set(done.ranking.failed) == {"q2"}
    assert "the vector of text 1 of 1 ('too long a text') has a value that is not finite" in done.ranking.failed["q2"]


def test_a_text_that_the_provider_refuses_fails_its_question_only_and_shows_no_key(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del folder
    refused = Fault(400, body={"error": {"message": f"too many tokens for {SECRET}", "code": 400}})
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with EmbeddingServer() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        pipeline = open_retriever("dense(openai:text-embedding-3-small)")
        pipeline.index(DOCUMENTS)
        assert not run_questions(pipeline, QUESTIONS[:1], search=Search(k=1)).ranking.failed
        server.faults.extend([refused] * 3)  # a question may be asked once more, to be sure
        done = run_questions(pipeline, QUESTIONS[:2], search=Search(k=1))
    assert set(done.ranking.failed) == {"q2"}
    assert "too many tokens for ***" in done.ranking.failed["q2"]
    assert SECRET not in str(done.ranking.failed)


@pytest.mark.usefixtures("folder")
def test_an_embedder_that_fails_for_a_document_ends_the_command_with_one_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(EmbeddingFailedError):
        open_retriever("dense(goldproof_users_code:embed)").index([Document("d3", "spoilt")])
    (folder / "corpus.jsonl").write_text('{"_id": "d3", "text": "spoilt"}\n')
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "apples"}\n')
    given = ("--corpus", "jsonl:corpus.jsonl", "--queries", "queries.jsonl", "--out", "run.trec")
    with pytest.raises(SystemExit) as done:
        main(["retrieve", *given, "--retriever", "dense(goldproof_users_code:embed)"])
    assert done.value.code == 2
    said = "embedder goldproof_users_code:embed failed with ConnectionError: lost"
    assert said in " ".join(capsys.readouterr().err.split())

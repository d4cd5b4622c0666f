"""A small mining by hand: what every test of the files looks at."""

from __future__ import annotations

from goldproof.jobs.mine.records import Mined, MinedDocument, MinedQuestion, SetRuling
from goldproof.judge.judge import Evidence, Ruling, Vote
from goldproof.records.entities import Document, Question

CORPUS = (
    Document("pkg.Queue", "Queue holds 500 tasks.", "Queue"),
    Document("pkg.Worker", "A Worker takes tasks.\n\tIt sleeps\u2028 for 3 s.", "Worker"),
    Document("pkg.retry", "retry(times) tries again.", ""),
    Document("pkg.clock", "The clock ticks.", "clock"),
    Document("pkg.other", "Nothing of interest.", "other"),
)
YES = Ruling("yes", evidence=(Evidence("pkg.Queue", 12, 15, "500"),), reason="stands there")
NO = Ruling("no", missing="how often it tries")
VOTED = Ruling(
    "yes",
    grade=3,
    evidence=(Evidence("pkg.Worker", 2, 8, "Worker"),),
    votes=(Vote("m#1", "yes", 3, ("Worker",)), Vote("m#2", "yes", 3, ("Worker",)), Vote("m#3", "no", 1)),
    agreement=2 / 3,
)


def example(*, stopped: str = "", seed: int = 7) -> Mined:
    """Four questions: answered alone, by two together, by nobody, and one of which nothing is known."""
    return Mined(
        questions=(
            MinedQuestion(
                Question("s:size", "How many tasks fit? No", "500", cluster="s", metadata={"hops": 1, "year": "01"}),
                documents=(
                    MinedDocument("pkg.Queue", "positive", ("target", "bm25"), YES),
                    MinedDocument("pkg.Worker", "positive", ("random",), VOTED),
                    MinedDocument("pkg.retry", "negative", ("bm25",), NO),
                    MinedDocument("pkg.clock", "negative", ("random",), NO),
                    MinedDocument("pkg.other", "unjudged", ("random",), Ruling("failed", reason="timeout")),
                ),
                kernels=(("pkg.Queue",), ("pkg.Worker",)),
                status="answerable",
                without_context=True,
            ),
            MinedQuestion(
                Question("s:both", "What does the worker do when it fails?", "sleeps, tries"),
                documents=(
                    MinedDocument("pkg.Worker", "partial", ("target",), NO),
                    MinedDocument("pkg.retry", "partial", ("expansion",), NO),
                    MinedDocument("pkg.clock", "negative", ("random",), NO),
                ),
                kernels=(("pkg.Worker", "pkg.retry"),),
                set_rulings=(
                    SetRuling(("pkg.Worker", "pkg.retry"), Ruling("yes", reason="both"), "expand"),
                    SetRuling((), Ruling("no"), "no context"),
                ),
                status="answerable",
                without_context=False,
            ),
            MinedQuestion(
                Question("s:none", "Does it brew tea?", metadata={"answerable": True}),
                documents=(MinedDocument("pkg.clock", "negative", ("bm25", "random"), NO),),
                status="unanswerable here",
                reason="all of the corpus was judged",
            ),
            MinedQuestion(
                Question("s:unknown", "What else?"),
                documents=(
                    MinedDocument("pkg.clock", "unjudged", ("run:bm25",), Ruling("unsupported", reason="no quote")),
                    MinedDocument("pkg.other", "unjudged", ("target",)),
                ),
                status="undecided",
                reason="1 ruling is lacking",
            ),
        ),
        corpus=CORPUS,
        documents={document.id: document for document in CORPUS},
        judge="llm:teacher#v1",
        judged_kernels=True,
        facts={"corpus": "folder:pkg", "random": 5},
        inputs={"cases.yaml": "ab" * 32},
        seed=seed,
        spent={"calls": 12, "cached": 3, "cost": 0.25},
        stopped=stopped,
        problems=("cases.yaml: case 'x' has no question.",),
    )

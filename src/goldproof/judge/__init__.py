"""Judging what documents say: does a context hold the answer to a question? By rule, by model, by hand."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from goldproof.judge.answer import AnswerFinding, How, Verdict, find_answer
from goldproof.judge.judge import GRADES_2, GRADES_4, GRADES_10, SCALES, YES_NO, Judge, Scale
from goldproof.judge.ruling import Evidence, Label, Ruling, Vote

if TYPE_CHECKING:
    from goldproof.judge.answer_judge import AnswerJudge
    from goldproof.judge.consistency import Consistency, self_consistency
    from goldproof.judge.framing import Framed
    from goldproof.judge.gold_judge import GoldJudge
    from goldproof.judge.human_judge import HumanJudge
    from goldproof.judge.keyword_judge import KeywordJudge
    from goldproof.judge.llm_judge import LlmJudge
    from goldproof.judge.opening import JUDGES, open_judge
    from goldproof.judge.own_judge import OwnJudge
    from goldproof.judge.prompts import read_prompt
    from goldproof.judge.similarity_judge import SimilarityJudge
    from goldproof.judge.without_context import WithoutContext, answered_without_context

__all__ = [
    "GRADES_2",
    "GRADES_4",
    "GRADES_10",
    "JUDGES",
    "SCALES",
    "YES_NO",
    "AnswerFinding",
    "AnswerJudge",
    "Consistency",
    "Evidence",
    "Framed",
    "GoldJudge",
    "How",
    "HumanJudge",
    "Judge",
    "KeywordJudge",
    "Label",
    "LlmJudge",
    "OwnJudge",
    "Ruling",
    "Scale",
    "SimilarityJudge",
    "Verdict",
    "Vote",
    "WithoutContext",
    "answered_without_context",
    "find_answer",
    "open_judge",
    "read_prompt",
    "self_consistency",
]

# `goldproof build` needs the answer rule alone: what loads pydantic or numpy is fetched from its home when first used.
_HOMES = {
    "AnswerJudge": "answer_judge",
    "Consistency": "consistency",
    "Framed": "framing",
    "GoldJudge": "gold_judge",
    "HumanJudge": "human_judge",
    "JUDGES": "opening",
    "KeywordJudge": "keyword_judge",
    "LlmJudge": "llm_judge",
    "OwnJudge": "own_judge",
    "SimilarityJudge": "similarity_judge",
    "WithoutContext": "without_context",
    "answered_without_context": "without_context",
    "open_judge": "opening",
    "read_prompt": "prompts",
    "self_consistency": "consistency",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'goldproof.judge' has no attribute {name!r}")
    return getattr(import_module(f"goldproof.judge.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)

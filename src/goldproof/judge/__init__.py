"""Judges: rule whether documents suffice to answer a question, by the answer rule, a model, people or code."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.judge.answer import AnswerFinding, How, Verdict, find_answer
    from goldproof.judge.answer_judge import AnswerJudge, GoldJudge
    from goldproof.judge.consistency import Consistency, self_consistency
    from goldproof.judge.human_judge import HumanJudge
    from goldproof.judge.judge import (
        GRADES_2,
        GRADES_4,
        GRADES_10,
        JUDGES,
        SCALES,
        YES_NO,
        Evidence,
        Judge,
        Label,
        Ruling,
        Scale,
        Vote,
        judge_name,
        open_judge,
    )
    from goldproof.judge.llm_judge import LlmJudge
    from goldproof.judge.prompts import Framed, read_prompt
    from goldproof.judge.score_judges import KeywordJudge, SimilarityJudge, automated_score
    from goldproof.judge.user_judge import UserJudge
    from goldproof.judge.without_context import WithoutContext, answered_without_context
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "answer": ("AnswerFinding", "How", "Verdict", "find_answer"),
            "answer_judge": ("AnswerJudge", "GoldJudge"),
            "consistency": ("Consistency", "self_consistency"),
            "human_judge": ("HumanJudge",),
            "judge": (
                "Evidence",
                "GRADES_10",
                "GRADES_2",
                "GRADES_4",
                "JUDGES",
                "Judge",
                "Label",
                "Ruling",
                "SCALES",
                "Scale",
                "Vote",
                "YES_NO",
                "judge_name",
                "open_judge",
            ),
            "llm_judge": ("LlmJudge",),
            "prompts": ("Framed", "read_prompt"),
            "score_judges": ("KeywordJudge", "SimilarityJudge", "automated_score"),
            "user_judge": ("UserJudge",),
            "without_context": ("WithoutContext", "answered_without_context"),
        },
    )

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
    "Ruling",
    "Scale",
    "SimilarityJudge",
    "UserJudge",
    "Verdict",
    "Vote",
    "WithoutContext",
    "answered_without_context",
    "automated_score",
    "find_answer",
    "judge_name",
    "open_judge",
    "read_prompt",
    "self_consistency",
]

"""Judging what documents say: does a context hold the answer to a question?"""

from karat.judge.answer import AnswerFinding, How, Verdict, find_answer

__all__ = ["AnswerFinding", "How", "Verdict", "find_answer"]

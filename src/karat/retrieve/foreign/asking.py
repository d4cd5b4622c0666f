"""The old place of `karat.retrieve.attempts`, for `karat.retrieve.foreign.http` until it imports from there."""

from karat.retrieve.attempts import FailedAnswer, ask_all

__all__ = ["FailedAnswer", "ask_all"]

"""Screening: scripts that could not prove anything are refused before they run."""

from goldproof.jobs.verify.agent.screening.screen import TOO_DEEP, screen, screen_file

__all__ = ["TOO_DEEP", "screen", "screen_file"]

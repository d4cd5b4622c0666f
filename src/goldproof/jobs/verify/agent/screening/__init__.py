"""Screening: scripts that could not prove anything are refused before they run."""

from goldproof.jobs.verify.agent.screening.screen import screen, screen_file

__all__ = ["screen", "screen_file"]

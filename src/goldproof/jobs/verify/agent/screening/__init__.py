"""Screening: scripts that could not prove anything are refused before they run."""

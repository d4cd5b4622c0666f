"""Failure analysis of a memory run: why queries did not pass, and which remedies address it."""

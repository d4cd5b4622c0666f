"""The built-in stages of a pipeline, and their parts."""

from __future__ import annotations

"""The built-in stages of a pipeline."""

from __future__ import annotations

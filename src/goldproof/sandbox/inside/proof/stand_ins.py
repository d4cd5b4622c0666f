"""Stand-ins for what a proof cannot have: a model, a network, a clock that it can tell the time of.

They replace the outside, never the library under test: `unittest.mock.patch` on that makes a proof worthless.
"""

from __future__ import annotations

from .stand_in_adk import fake_adk_model
from .stand_in_chat import fake_chat_model
from .stand_in_clock import fixed_clock
from .stand_in_http import fake_http

__all__ = ["fake_adk_model", "fake_chat_model", "fake_http", "fixed_clock"]

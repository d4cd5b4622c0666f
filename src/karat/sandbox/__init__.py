"""A sandbox: runs scripts that nobody trusts, thousands of them, and says how far it can be trusted itself."""

from karat.sandbox.interpreter import Interpreter
from karat.sandbox.limits import Limits
from karat.sandbox.opening import open_sandbox
from karat.sandbox.run import Run
from karat.sandbox.sandbox import Isolation, Sandbox
from karat.sandbox.this_interpreter import this_interpreter

__all__ = ["Interpreter", "Isolation", "Limits", "Run", "Sandbox", "open_sandbox", "this_interpreter"]

"""A sandbox: runs scripts that nobody trusts, thousands of them, and says how far it can be trusted itself."""

from goldproof.sandbox.interpreter import Interpreter
from goldproof.sandbox.limits import Limits
from goldproof.sandbox.opening import open_sandbox
from goldproof.sandbox.run import Run
from goldproof.sandbox.sandbox import Isolation, Sandbox
from goldproof.sandbox.this_interpreter import this_interpreter

__all__ = ["Interpreter", "Isolation", "Limits", "Run", "Sandbox", "open_sandbox", "this_interpreter"]

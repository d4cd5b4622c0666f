"""Sandbox for untrusted scripts: runs thousands of them, and reports how well it isolates."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.sandbox.interpreter import Interpreter
    from goldproof.sandbox.limits import Limits
    from goldproof.sandbox.opening import open_sandbox
    from goldproof.sandbox.our_interpreter import this_interpreter
    from goldproof.sandbox.run import Run
    from goldproof.sandbox.sandbox import Isolation, Sandbox
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "interpreter": ("Interpreter",),
            "limits": ("Limits",),
            "opening": ("open_sandbox",),
            "our_interpreter": ("this_interpreter",),
            "run": ("Run",),
            "sandbox": ("Isolation", "Sandbox"),
        },
    )

__all__ = ["Interpreter", "Isolation", "Limits", "Run", "Sandbox", "open_sandbox", "this_interpreter"]

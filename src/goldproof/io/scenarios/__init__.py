"""Memory scenarios: records, scenario files, LoCoMo and LongMemEval, suites."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.io.scenarios.suites import bundled_suites, open_suite, open_suites, split_suite
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "suites": ("bundled_suites", "open_suite", "open_suites", "split_suite"),
        },
    )

__all__ = ["bundled_suites", "open_suite", "open_suites", "split_suite"]

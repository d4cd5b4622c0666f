"""From `llm:MODEL+MODEL2#votes=3` to a judge.

Models are separated by a `+` before the next `name:`. What follows a `#` and is no option of the judge belongs to a
server's address (`http://host/v1#model=NAME`), and is left to it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from karat.core.errors import InputError
from karat.core.spec_options import check_options
from karat.judge.framing import LONGEST
from karat.judge.judge import YES_NO
from karat.judge.llm_judge import LlmJudge
from karat.judge.spec import number, scale_of, vote_count
from karat.llm.access import current_access
from karat.llm.opening import open_model

if TYPE_CHECKING:
    from collections.abc import Mapping

OPTIONS: Final = ("votes", "scale", "temperature", "longest")
_NEXT_MODEL: Final = re.compile(r"\+(?=[A-Za-z_][\w.-]*:)")


def llm_judge(rest: str, options: Mapping[str, str]) -> LlmJudge:
    """Return the models as a judge."""
    names = _NEXT_MODEL.split(rest)
    others = {name: value for name, value in options.items() if name not in OPTIONS}
    if others and names[-1].startswith(("http://", "https://")):
        names[-1] += "#" + ",".join(f"{name}={value}" for name, value in others.items())
    else:
        check_options(options, OPTIONS, of="the llm judge")
    if not all(names):
        raise InputError(f"llm:{rest}: no model is named; expected llm:PROVIDER:MODEL or llm:module:function.")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"llm:{rest}: {twice} is named twice; for several samples of one model write #votes=3.")
    return LlmJudge(
        [open_model(name) for name in names],
        scale=scale_of(options) or YES_NO,
        votes=vote_count(options),
        temperature=number(options, "temperature", least=0, most=2),
        longest=int(number(options, "longest", least=100, most=10_000_000) or LONGEST),
        concurrency=current_access().concurrency,
    )

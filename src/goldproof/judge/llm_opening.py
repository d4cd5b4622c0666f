"""From `llm:MODEL+MODEL2#votes=3` to a judge.

Models are separated by a `+` before the next `name:`. Of the options `model` belongs to a server's address
(`http://host/v1#model=NAME`), and is left to it; all others are the judge's, also between `#model=NAME` and a further
`#`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from goldproof.core.errors import InputError
from goldproof.core.spec_options import check_options, split_options
from goldproof.judge.framing import LONGEST
from goldproof.judge.judge import YES_NO
from goldproof.judge.llm_judge import LlmJudge
from goldproof.judge.spec import number, scale_of, vote_count
from goldproof.llm.access import current_access
from goldproof.llm.opening import open_model
from goldproof.llm.server_model import is_address

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

OPTIONS: Final = ("votes", "scale", "temperature", "longest")
_NEXT_MODEL: Final = re.compile(r"\+(?=[A-Za-z_][\w.-]*:)")


def llm_judge(rest: str, options: Mapping[str, str]) -> LlmJudge:
    """Return the models as a judge."""
    names, options = _names_and_options(_NEXT_MODEL.split(rest), options)
    known = (*OPTIONS, "model") if is_address(names[-1]) else OPTIONS  # where it is none, `model` has no meaning
    check_options(options, known, of="the llm judge")
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


def _names_and_options(written: Sequence[str], options: Mapping[str, str]) -> tuple[list[str], dict[str, str]]:
    """Return the models' names, addresses with their own `#model=NAME`, and the options that are the judge's."""
    *before, last = written
    said: dict[str, str] = {}
    if is_address(last):  # its own were cut off together with the judge's
        last += "".join(f"#{name}={value}" for name, value in options.items())
    else:
        said = dict(options)
    return [_own_address(name, said) if is_address(name) else name for name in (*before, last)], said


def _own_address(written: str, said: dict[str, str]) -> str:
    """Return an address with its model; the options of the judge that stand there as well are added to `said`."""
    own: dict[str, str] = {}
    address, found = split_options(written)
    while found:
        for name, value in found.items():
            options = own if name == "model" else said
            if name in options:
                raise InputError(f"{written}: option {name!r} is given twice; keep one.")
            options[name] = value
        address, found = split_options(address)
    return "".join((address, *(f"#{name}={value}" for name, value in own.items())))

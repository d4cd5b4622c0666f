"""Every dataset adapter by name."""

from __future__ import annotations

from goldproof.errors import InputError
from goldproof.jobs.build.adapters.adapter import Adapter
from goldproof.plugins import Registry

ADAPTERS: Registry[Adapter] = Registry("adapter")
for _name, _module in {
    "2wiki": "twowiki",
    "coderepoqa": "coderepoqa",
    "finqa": "finqa",
    "hotpotqa": "hotpotqa",
    "logqa": "logqa",
    "musique": "musique",
    "ragbench": "ragbench",
    "swe-qa": "swe_qa",
    "t2-ragbench": "t2_ragbench",
    "table": "table",
    "tatqa": "tatqa",
}.items():
    ADAPTERS.register(_name, f"goldproof.jobs.build.adapters.{_module}:ADAPTER")


def get_adapter(name: str) -> Adapter:
    """Return an adapter by its name; what a plug-in gives under it must be one, and know its own name."""
    found: object = ADAPTERS.get(name)
    if not isinstance(found, Adapter):
        raise InputError(f"adapter {name!r} is a {type(found).__name__}, expected an Adapter; mend its plug-in.")
    if found.info.name != name:
        raise InputError(
            f"adapter {name!r} calls itself {found.info.name!r}; the plug-in must register it under its own name."
        )
    return found

"""Every dataset adapter by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.core.registry import Registry

if TYPE_CHECKING:
    from karat.jobs.build.adapters.adapter import Adapter

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
    ADAPTERS.register(_name, f"karat.jobs.build.adapters.{_module}:ADAPTER")

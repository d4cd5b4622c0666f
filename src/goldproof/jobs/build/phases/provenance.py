"""What stands beside a benchmark: its card, the licences that the card names, and its corpus.

The card is `card.json`, as `goldproof build` writes it, or `<name>.card.json`, as `goldproof combine` does, and lists
the file among its outputs. A card that does not, or that cannot be read, is of something else.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.io.datasets.beir import CORPUS
from goldproof.io.storage.cards import CARD_NAME, read_card
from goldproof.io.text_files import file_stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from goldproof.jobs.build.phases.phase import Phase
    from goldproof.records.entities import Card


def card_path(path: Path) -> Path:
    """Return where `goldproof combine` puts the card of a benchmark: several may stand in one folder."""
    return path.with_name(f"{file_stem(path)}.{CARD_NAME}")


def phase_card(path: Path) -> Card | None:
    """Return the card of a benchmark, None where there is none; a link is followed to where the benchmark stands."""
    path = path.resolve()
    return next((card for card in _cards(path) if path.name in card.outputs), None)


def phase_corpus(path: Path) -> Path | None:
    """Return the corpus that was written with a benchmark, None where none stands beside it."""
    path = path.resolve()
    card = phase_card(path)
    names = [] if card is None else [name for name in card.outputs if PurePosixPath(name).name == CORPUS]
    return next((path.parent / name for name in names if (path.parent / name).is_file()), None)


def joined_licence(phases: Iterable[Phase]) -> str:
    """Return the licences of all phases, each once, in their order; a phase without a card has an unknown one."""
    found: dict[str, None] = {}
    for phase in phases:
        card = phase_card(phase.path)
        licence = card.licence if card is not None else None
        named = isinstance(licence, str) and licence.strip()
        found |= dict.fromkeys(named.split("; ") if named else [f"{phase.name}: unknown"])
    return "; ".join(found)


def _cards(path: Path) -> Iterator[Card]:
    for place in (card_path(path), path.with_name(CARD_NAME)):
        try:
            yield read_card(place)
        except InputError:
            continue

"""Going on from a mined folder: what it was mined with holds, unless something else is said.

Judge, kernels and corpus decide every label in the folder. Extended in place they must be the same: labels of two
judges in one dataset would be comparable with nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.corpus import open_corpus
from goldproof.errors import ConflictError
from goldproof.io.json_files import read_json
from goldproof.io.storage.cards import CARD_NAME, read_card
from goldproof.jobs.mine.recipe import Recipe
from goldproof.jobs.mine.result import BEIR_FOLDER, RUN, SCHEMA

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.corpus import Corpus
    from goldproof.jobs.mine.plan import MiningPlan
    from goldproof.records.entities import Card


def mined_recipe(folder: Path) -> Recipe | None:
    """Return what a folder was mined with; None where it is no mined folder."""
    card = _card(folder)
    if card is None:
        return None
    said = card.settings
    return Recipe(
        candidates=folder,
        corpus=f"beir:{folder / BEIR_FOLDER}",
        judge=str(_run_facts(folder).get("judge_spec") or ""),  # of a judge without a name the user must say which
        kernels=bool(said.get("kernels")),
        no_context=bool(said.get("no_context")),
        seed=card.seed or 0,
    )


def refuse_other(folder: Path, plan: MiningPlan) -> None:
    """Refuse to extend a mined folder in place by another judge, without its kernels, or over another corpus."""
    card = _card(folder)
    if card is None:
        return
    differing = []
    if card.settings.get("judge") != plan.judge.key:
        differing.append(f"judge {card.settings.get('judge')}, now {plan.judge.key}")
    if bool(card.settings.get("kernels")) != plan.recipe.kernels:
        differing.append("kernels were looked for" if not plan.recipe.kernels else "kernels were not looked for")
    if _texts(open_corpus(f"beir:{folder / BEIR_FOLDER}")) != _texts(plan.corpus):
        differing.append("another corpus")
    if differing:
        raise ConflictError(
            f"{folder}: was mined otherwise ({'; '.join(differing)}).\n"
            "  Say the same to extend it in place, give another --out, or replace it with --force."
        )


def mined_problems(folder: Path) -> tuple[str, ...]:
    """Return what could not be read when a folder was mined: it is still missing from it."""
    found = _run_facts(folder).get("problems")
    return tuple(map(str, found)) if isinstance(found, list) else ()


def _run_facts(folder: Path) -> dict[str, object]:
    found = read_json(folder / RUN) if (folder / RUN).is_file() else {}
    return found if isinstance(found, dict) else {}


def _card(folder: Path) -> Card | None:
    if not (folder / CARD_NAME).is_file():
        return None
    card = read_card(folder / CARD_NAME)
    return card if card.schema == SCHEMA else None


def _texts(corpus: Corpus) -> dict[str, tuple[str, str]]:
    return {document.id: (document.title, document.text) for document in corpus.documents}

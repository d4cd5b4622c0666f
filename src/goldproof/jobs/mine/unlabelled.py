"""Candidates that nobody has judged yet, as a result of their own: `--candidates-only`, the first of two phases."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from goldproof.io import OutputFolder, write_json
from goldproof.io.storage.cards import machine_facts
from goldproof.jobs.mine.candidates import write_candidates
from goldproof.jobs.mine.result import CANDIDATES, RUN
from goldproof.records.entities import Card
from goldproof.report import Heading, Table
from goldproof.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.jobs.mine.plan import MiningPlan

SCHEMA = "goldproof.candidates"
SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True, eq=False)
class Unlabelled:
    """The candidates of a plan."""

    plan: MiningPlan

    def by_source(self) -> dict[str, int]:
        """Return how many candidates each source brought; one that several brought counts with each."""
        found = Counter(source for of in self.plan.candidates.values() for one in of for source in one.sources)
        return dict(sorted(found.items()))

    def save(self, folder: Path | str, *, force: bool = False) -> Path:
        """Write `candidates.jsonl` with its card."""
        card = self.card()
        with OutputFolder(folder, card=card, artefacts=(CANDIDATES, RUN), force=force) as out:
            digest = write_candidates(
                out / CANDIDATES,
                self.plan.cases,
                candidates=(one for of in self.plan.candidates.values() for one in of),
                documents=self.plan.documents,
            )
            write_json(out / RUN, {**machine_facts(), "problems": list(self.plan.problems)})
            counts = {"questions": len(self.plan.cases), "candidates": self.plan.pairs}
            out.finish(replace(card, counts=counts, outputs={CANDIDATES: digest}))
            return out.path

    def card(self) -> Card:
        """Return where the candidates come from."""
        looking = self.plan.recipe.looking
        return Card(
            schema=SCHEMA,
            schema_version=SCHEMA_VERSION,
            inputs=self.plan.inputs,
            settings={
                **{name: getattr(looking, name) for name in ("random", "hard", "dense", "depth")},
                "embedder": looking.embedder if looking.dense else None,
                "corpus": dict(self.plan.corpus.facts),
            },
            seed=self.plan.recipe.seed,
            versions={"goldproof": __version__},
        )

    def to_dict(self) -> dict[str, object]:
        """Return the counts."""
        return {
            "questions": len(self.plan.cases),
            "candidates": self.plan.pairs,
            "by_source": self.by_source(),
            "problems": list(self.plan.problems),
            "remarks": list(self.plan.remarks),
        }

    def table(self) -> Table:
        """Return a row for each source."""
        rows = tuple((source, f"{many:,}") for source, many in self.by_source().items())
        title = f"{self.plan.pairs:,} candidates of {len(self.plan.cases):,} questions, none of them judged"
        return Table((Heading("source", "left"), Heading("candidates")), rows, title=title)

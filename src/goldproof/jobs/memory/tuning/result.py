"""`TuneResult`, and the winner as YAML:

    # Keep the baseline: it is too early to tell whether tuned or baseline is better on the hold-out: ...
    # Tuned on goldproof-memory (development: 31 scenarios, 104 queries), 60 trials, seed 42.
    # f1_or_silence on development: 0.8123 (baseline 0.6310).
    # It was chosen for that score, so the score is too high; the first line has the hold-out.
    # Asked for k = 5 memories: give --k 5 where that is not the default.
    # Baseline: dense(minilm)
    retrievers:
      tuned: "dense(minilm) | floor(0.25) | top(3)"

The first line says whether to switch to the winner. The file has neither time nor machine: the same search writes the
same bytes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property, partial
from textwrap import wrap
from typing import TYPE_CHECKING

from goldproof.errors import counted
from goldproof.io import write_json, write_text
from goldproof.jobs.memory.conclusion import verdict_of
from goldproof.jobs.memory.report import RESULTS
from goldproof.jobs.memory.result import FAILURES, MemoryResult
from goldproof.jobs.memory.tuning.comparison import BASELINE, TUNED
from goldproof.jobs.memory.tuning.holdout import HOLDOUT_FILE
from goldproof.jobs.memory.tuning.study_file import STUDY_FILE
from goldproof.report import Heading, Table
from goldproof.report.numbers import bracket, number, signed
from goldproof.study import Attachment
from goldproof.study.result import ARTEFACTS as COMMON

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from goldproof.io.scenarios.scenario import Suite
    from goldproof.jobs.memory.tuning.comparison import Estimate, HoldoutComparison
    from goldproof.jobs.memory.tuning.holdout import Opening
    from goldproof.jobs.memory.tuning.trial import FinishedSearch
    from goldproof.records.entities import Card
    from goldproof.study.comparison import Verdict

WINNER_FILE = "memory.yaml"
TRIALS_FILE = "trials.json"
ARTEFACTS = (*COMMON, RESULTS, *FAILURES, WINNER_FILE, TRIALS_FILE, HOLDOUT_FILE, f"{STUDY_FILE}*")
SWITCH = "Switch to the tuned configuration"
KEEP = "Keep the baseline"
_WIDEST_PIPELINE = 88


def winner_yaml(tuned: FinishedSearch, *, development: Suite, seed: int, k: int, advice: str) -> str:
    """Return the text of `memory.yaml`.

    k: how many memories the search asked for, which is not in the pipeline. advice: whether to switch.
    """
    winner, baseline = tuned.winner, tuned.baseline
    where = f"development: {len(development.scenarios)} scenarios, {development.queries} queries"
    scores = f"{winner.value or 0.0:.4f} (baseline {baseline.value or 0.0:.4f})"
    lines = [
        _one_line(advice),
        f"Tuned on {_one_line(development.name)} ({where}), {len(tuned.trials)} trials, seed {seed}.",
        f"{tuned.objective} on development: {scores}.",
        "It was chosen for that score, so the score is too high; the first line has the hold-out.",
        f"Asked for k = {k} memories: give --k {k} where that is not the default.",
        f"Baseline: {_one_line(baseline.pipeline)}",
    ]
    # JSON text is YAML text, whatever quotes and hashes are in it.
    pipeline = json.dumps(winner.pipeline, ensure_ascii=False)
    return "".join(f"# {line}\n" for line in lines) + f"retrievers:\n  {TUNED}: {pipeline}\n"


def _one_line(text: str) -> str:
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class Advice:
    """Whether to switch to the tuned configuration, by the hold-out; verdict: None where the baseline itself won."""

    switch: bool
    verdict: Verdict | None
    text: str

    def to_dict(self) -> dict[str, object]:
        """Return plain data."""
        return {"switch": self.switch, "verdict": self.verdict, "text": self.text}


class TuneResult(MemoryResult):
    """A memory result over the hold-out, with two runs (`tuned`, `baseline`), and the search behind it."""

    def __init__(
        self,
        *args: Any,  # noqa: ANN401 - as for a memory result
        tuned: FinishedSearch,
        compared: HoldoutComparison,
        opening: Opening,
        development: Suite,
        card: Card,
        **kwargs: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(*args, **kwargs)
        self.tuned = tuned
        self.compared = compared
        self.opening = opening
        self._development = development
        self._card = card

    def card(self) -> Card:
        """Return the card of the search, with when the hold-out was opened."""
        return self._card

    @property
    def winner(self) -> str:
        """The winning pipeline."""
        return self.tuned.winner.pipeline

    @cached_property
    def advice(self) -> Advice:
        """Whether to switch: only where the tuned configuration is better on the hold-out."""
        if self.tuned.baseline.number is not None and self.winner == self.tuned.baseline.pipeline:
            n = self.tuned.distinct - 1
            text = f"{KEEP}: none of {counted(n, 'other configuration')} scored higher on development."
            return Advice(switch=False, verdict=None, text=text)
        metric = self.study.primary
        compared = next(c for c in self.study.comparisons if c.metric == metric and c.pair.a == TUNED)
        verdict = compared.verdict
        sentence = verdict_of(compared, self.study, where=" on the hold-out")
        sentence = f"{sentence[0].lower()}{sentence[1:]}" if sentence.startswith("It is too early") else sentence
        queries = counted(compared.outcome.n, "query")
        switch = verdict == "better"
        return Advice(switch, verdict, f"{SWITCH if switch else KEEP}: {sentence} ({queries}).")

    @property
    def conclusion(self) -> str:
        """Whether to switch."""
        return self.advice.text

    def summary_dict(self) -> dict[str, object]:
        """Return the content of `summary.json`, with the advice first."""
        return {"advice": self.advice.to_dict(), **super().summary_dict()}

    def content(self) -> dict[str, object]:
        """Return the advice, the search, the optimism, and the results on the hold-out."""
        return {
            "advice": self.advice.to_dict(),
            "winner": self.winner,
            "baseline": self.tuned.baseline.pipeline,
            "objective": self.tuned.objective,
            "search": {
                "trials": len(self.tuned.trials),
                "distinct": self.tuned.distinct,
                "repeated": self.tuned.repeated,
                "failed": self.tuned.failed,
            },
            **self.compared.to_dict(),
            "holdout": {**self.opening.to_dict(), **self.results_dict()},
            "comparisons": [c.to_dict() | {"metric": c.metric, "pair": str(c.pair)} for c in self.study.comparisons],
        }

    @property
    def lead(self) -> Sequence[Table]:
        """The two configurations, and their scores on both splits."""
        return [self._pipelines_table(), self._optimism_table()]

    @property
    def appendix(self) -> Sequence[Table]:
        """The tables of a memory result."""
        return [*super().lead, *super().appendix]

    def _pipelines_table(self) -> Table:
        tuned = self.tuned
        records = ((TUNED, tuned.winner), (BASELINE, tuned.baseline))
        rows = tuple(
            (name if number == 0 else "", line)
            for name, record in records
            for number, line in enumerate(wrap(record.pipeline, _WIDEST_PIPELINE, break_long_words=False))
        )
        counts = f"{len(tuned.trials)} trials of {tuned.distinct} distinct configurations, {tuned.failed} failed"
        notes = [f"{counts}; trial {tuned.winner.number} won."]
        if tuned.baseline.number is None:
            notes.append("The baseline is no pipeline of Goldproof's, so it was scored outside of the search.")
        notes += [
            f"{name}: {record.failed_queries} of {self._development.queries} development queries failed and count 0."
            for name, record in records
            if record.failed_queries
        ]
        return Table((Heading("", "left"), Heading("pipeline", "left")), rows, title="Tuning", notes=tuple(notes))

    def _optimism_table(self) -> Table:
        rows = tuple(
            (
                figure.name,
                _shown(figure.development),
                _shown(figure.holdout),
                _shown(figure.difference, sign=True),
            )
            for figure in self.compared.optimism
        )
        names = ("development", "hold-out", "optimism")
        return Table(
            (Heading("", "left"), *(Heading(name) for name in names)),
            rows,
            title=f"{self.compared.objective}: development and hold-out",
            notes=("Optimism: how much tuning inflated the development score (development minus hold-out).",),
        )

    @property
    def own_artefacts(self) -> Sequence[str]:
        """The files of a search."""
        return ARTEFACTS

    @property
    def attachments(self) -> Sequence[Attachment]:
        """The winning configuration and every trial, then the attachments of a memory result."""
        yaml = winner_yaml(
            self.tuned,
            development=self._development,
            seed=self.provenance.seed,
            k=self.rules.k,
            advice=self.advice.text,
        )
        return (
            Attachment(WINNER_FILE, partial(write_text, text=yaml)),
            Attachment(TRIALS_FILE, partial(write_json, value=self.tuned.to_dict())),
            *super().attachments,
        )


def _shown(estimate: Estimate, *, sign: bool = False) -> str:
    value = signed(estimate.value) if sign else number(estimate.value)
    return f"{value} {bracket(estimate.low, estimate.high, sign=sign)}"

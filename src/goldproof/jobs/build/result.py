"""Result of a build: its samples, documents and tables, and `save`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from glob import escape
from typing import TYPE_CHECKING

from goldproof.errors import counted
from goldproof.io.datasets.beir import BEIR_FILES
from goldproof.jobs.build.output.files import BEIR_FOLDER, BenchmarkNames, write_benchmark
from goldproof.jobs.build.output.report import DISTRIBUTION, PICTURE, REPORT, write_distribution
from goldproof.report import JobResult

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import polars as pl

    from goldproof.jobs.build.output.report import BuildReport
    from goldproof.jobs.build.pool import Pool
    from goldproof.jobs.build.recipe import Recipe
    from goldproof.jobs.build.records import Sample
    from goldproof.records.entities import Card, Document
    from goldproof.report import Table, Writer

_MOST_SHORT = 3
_COLUMNS = (
    *("id", "question", "ground_truth", "doc_type", "question_type", "difficulty", "answerable", "source_dataset"),
    *("original_id", "gold_documents"),
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BuildResult(JobResult):
    """A benchmark that is built and not yet written.

    shortfalls: a sentence for each quota that is not full; remarks: what else a reader should know.
    """

    recipe: Recipe
    report: BuildReport
    provenance: Card
    shortfalls: tuple[str, ...]
    remarks: tuple[str, ...]
    pool: Pool

    def __iter__(self) -> Iterator[Sample]:
        """Go through the samples, in the order of the files."""
        return self.pool.chosen()

    def __len__(self) -> int:
        return self.report.distribution.total.actual

    def documents(self) -> Iterator[Document]:
        """Go through the documents of the corpus, by id."""
        return self.pool.corpus(everything=self.recipe.corpus == "sources")

    @property
    def names(self) -> BenchmarkNames:
        """What the benchmark and its manifest are called."""
        return BenchmarkNames(self.recipe.output_name, self.recipe.manifest_name)

    def card(self) -> Card:
        """Return where the benchmark comes from."""
        return self.provenance

    @property
    def artefacts(self) -> Sequence[str]:
        """The benchmark, its manifest, the BEIR folder and the report."""
        beir = [f"{BEIR_FOLDER}/{name}" for name in BEIR_FILES]
        return (escape(self.names.output), escape(self.names.manifest), *beir, DISTRIBUTION, PICTURE, REPORT)

    def writers(self) -> Sequence[Writer]:
        """Return what writes the benchmark, and its distribution."""
        return [
            partial(
                write_benchmark,
                names=self.names,
                samples=self.pool.chosen,
                labels=lambda: self.pool.chosen(contexts=False),
                documents=self.documents,
            ),
            partial(write_distribution, report=self.report),
        ]

    @property
    def conclusion(self) -> str:
        """How many questions were built from how many sources, and which quotas are short."""
        distribution = self.report.distribution
        total = distribution.total
        of = f" of {total.target:,}" if total.target is not None and total.target > total.actual else ""
        sources = counted(sum(source.used > 0 for source in self.report.sources), "source")
        built = f"Built {total.actual:,}{of} {'question' if total.actual == 1 else 'questions'} from {sources}"
        harder = sum(row.shortfall or 0 for row in distribution.groups["difficulty"])
        mix = f"; difficulty targets are short by {harder:,}" if harder else ""
        if not self.shortfalls:
            return f"{built}; every quota is filled{mix}."
        short = distribution.short
        missing = ", ".join(f"{row.name} by {row.shortfall:,}" for row in short[:_MOST_SHORT])
        more = f", and {len(short) - _MOST_SHORT} more" if len(short) > _MOST_SHORT else ""
        names = f": {missing}{more}" if short else ""
        return f"{built}; {counted(len(short or self.shortfalls), 'quota is', 'quotas are')} short{names}{mix}."

    def tables(self, *, wide: bool = False) -> tuple[Table, ...]:
        """Return target, actual and shortfall by document type, and of groups that are short; wide: of every group."""
        return self.report.distribution.tables(only_short=not wide)

    def to_frame(self) -> pl.DataFrame:
        """Return a row for each sample, without its contexts."""
        import polars as pl  # noqa: PLC0415 - only who asks for a frame needs it

        rows = [tuple(getattr(sample, name) for name in _COLUMNS) for sample in self.pool.chosen(contexts=False)]
        return pl.DataFrame(rows, schema=_COLUMNS, orient="row")

    def content(self) -> dict[str, object]:
        """Return the counts, and what was dropped, left out and rejected on the way."""
        return {
            "name": self.recipe.name,
            "seed": self.recipe.seed,
            "files": {"output": self.names.output, "manifest": self.names.manifest},
            **self.report.distribution.to_dict(),
            "dropped": {source: dict(reasons) for source, reasons in self.report.dropped.items()},
            "left_out": dict(self.report.left_out),
            "unanswerables_rejected": dict(self.report.rejected),
            "shortfalls": list(self.shortfalls),
            "remarks": list(self.remarks),
        }

"""`karat compare`: score files in, a study out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from karat.core.errors import InputError, UnknownNameError
from karat.core.names import file_stem
from karat.io import read_scores, sha256_file
from karat.study.align import align
from karat.study.comparison import Procedure
from karat.study.pairs import Pair, choose_pairs
from karat.study.result import Provenance, Result
from karat.study.study import Design, Study

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.core.tables import ScoreTable


class Source(NamedTuple):
    """One operand of `karat compare`: FILE, FILE#RUN, or NAME=FILE."""

    name: str | None
    path: Path
    run: str | None


def parse_source(text: str) -> Source:
    """Read FILE, FILE#RUN, NAME=FILE or NAME=FILE#RUN; a file that really has such a name wins."""
    name, rest = None, text
    if "=" in text and not Path(text).exists():
        name, _, rest = text.partition("=")
        if not name or not rest:
            raise InputError(f"{text!r} is not of the form NAME=FILE; both sides are needed.")
    if "#" in rest and not Path(rest).exists():
        path, _, run = rest.rpartition("#")
        return Source(name, Path(path), run or None)
    return Source(name, Path(rest), None)


def compare_files(
    files: Sequence[str],
    *,
    baseline: str | None = None,
    pairs: str | None = None,
    primary: str | None = None,
    margin: float | None = None,
    test: str = "auto",
    intersect: bool = False,
    seed: int = 0,
) -> Result:
    """Compare score files; without a baseline or pairs, each file with the last: A minus B."""
    sources = [parse_source(text) for text in files]
    tables = _named_tables(sources)
    aligned = align(tables, intersect=intersect)
    runs = aligned.panel.runs
    if baseline is None and pairs is None:
        chosen = tuple(Pair(run, runs[-1]) for run in runs[:-1])
    else:
        chosen = choose_pairs(runs, baseline=baseline, pairs=pairs)
    design = Design(chosen, primary=primary, margin=margin, test=Procedure.named(test, seed=seed))
    provenance = Provenance(
        "Comparison",
        inputs=lambda: {run: sha256_file(source.path) for run, source in zip(runs, sources, strict=True)},
        settings={"intersect": intersect, **design.to_dict()},
        seed=seed,
    )
    return Result(Study(aligned.panel, design=design), provenance=provenance, remarks=aligned.remarks)


def _named_tables(sources: Sequence[Source]) -> dict[str, ScoreTable]:
    tables = [_one_run(source) for source in sources]
    own = [source.name or source.run or run for source, (run, _) in zip(sources, tables, strict=True)]
    fallback = [source.name or file_stem(source.path) for source in sources]
    for names in (own, fallback, [str(source.path) for source in sources]):
        if len(set(names)) == len(names):
            return {name: table for name, (_, table) in zip(names, tables, strict=True)}
    raise InputError(f"the same scores are named twice ({', '.join(own)}); tell them apart with NAME=FILE.")


def _one_run(source: Source) -> tuple[str, ScoreTable]:
    table = read_scores(source.path, run=source.run)
    runs = table.frame["run"].unique(maintain_order=True).to_list()
    if len(runs) > 1:
        raise UnknownNameError(
            "run", "", runs, hint=f"{source.path} holds {len(runs)} runs; pick one: {source.path}#{runs[0]}."
        )
    return str(runs[0]) if runs else file_stem(source.path), table

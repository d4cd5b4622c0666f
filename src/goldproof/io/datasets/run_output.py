"""Write a run with its card and machine facts beside it: `FILE.card.json`, `FILE.run.json`.

The name decides the form: `.jsonl` can say that a question failed; everything else is a TREC run, which cannot, so that
failed questions stand in `FILE.failed.jsonl`. A file that was made from something else is not replaced unless forced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from goldproof.errors import ConflictError, InputError, counted
from goldproof.io.datasets.qrels_and_runs import refuse_blanks, refuse_ids, write_jsonl_ranking, write_trec_run
from goldproof.io.json_files import write_json
from goldproof.io.storage.cards import card_differences, card_key, machine_facts, read_card, write_card
from goldproof.records.tables import RankingTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from goldproof.records.entities import Card


def is_jsonl(path: Path) -> bool:
    """Return whether the name asks for JSON lines."""
    return path.suffix.lower() in (".jsonl", ".ndjson")


def check_run_target(
    path: Path, *, documents: Iterable[str] = (), questions: Iterable[str] = (), force: bool = False
) -> None:
    """Refuse, before any work, a file that is not ours to replace, or ids that its form cannot hold."""
    if path.is_dir() or not path.parent.is_dir():
        raise InputError(f"--out {path}: expected a file name in a folder that exists, such as runs/bm25.trec.")
    if path.suffix.lower() in (".gz", ".parquet", ".csv", ".tsv", ".json"):
        raise InputError(f"--out {path}: a run is written as TREC (.trec, .run, .txt) or as JSON lines (.jsonl).")
    if not is_jsonl(path):
        refuse_blanks(pl.Series(list(documents), dtype=pl.String), what="document id", path=path)
        refuse_ids(pl.Series(list(questions), dtype=pl.String), path=path)
    if force or _beside(path, "card.json").exists():
        return
    for mine in (path, _beside(path, "failed.jsonl"), _beside(path, "run.json")):
        if mine.exists():
            raise ConflictError(
                f"{mine}: exists, but has no {path.name}.card.json that says what it is.\n"
                "  Give another name, or replace it with --force."
            )


def write_run(
    path: Path, ranking: RankingTable, *, card: Card, clock: Mapping[str, object], tag: str, force: bool = False
) -> tuple[str, ...]:
    """Write a run with its card; return remarks on the files."""
    check_run_target(path, force=force)
    _check_card(_beside(path, "card.json"), card, force=force)
    remarks = _write(path, ranking, tag=tag)
    write_json(_beside(path, "run.json"), {**machine_facts(), **clock})
    write_card(_beside(path, "card.json"), card)
    return remarks


def _write(path: Path, ranking: RankingTable, *, tag: str) -> tuple[str, ...]:
    failures = _beside(path, "failed.jsonl")
    if is_jsonl(path):
        write_jsonl_ranking(path, ranking)
        return ()
    answered = RankingTable(ranking.questions, ranking.starts, ranking.documents, ranking.scores)
    write_trec_run(path, answered, tag=_tag(tag))
    if not ranking.failed:
        failures.unlink(missing_ok=True)
        return ()
    write_jsonl_ranking(failures, RankingTable.from_dict({}, failed=ranking.failed))
    remark = (
        f"{failures.name} holds the {counted(len(ranking.failed), 'failed question')}: a TREC run cannot hold "
        "failures and would score 0. Write a .jsonl to have them scored as failed."
    )
    return (remark,)


def _check_card(path: Path, card: Card, *, force: bool) -> None:
    if force or not path.exists():
        return
    old = read_card(path)
    if card_key(old) != card_key(card):
        raise ConflictError(
            f"{path.with_name(path.name.removesuffix('.card.json'))}: is another run "
            f"({'; '.join(card_differences(old, card))}).\n  Give another name, or replace it with --force."
        )


def _tag(name: str) -> str:
    return "".join(name.split()) or "goldproof"


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(f"{path.name}.{ending}")

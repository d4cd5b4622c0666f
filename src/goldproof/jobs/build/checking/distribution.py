"""`distribution.json` held against the card and the samples: targets and counts are recomputed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.errors import FileFormatError, InputError
from goldproof.io.json_files import read_json
from goldproof.jobs.build.output.distribution import GROUPS, Distribution

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from goldproof.jobs.build.checking.problems import Problems
    from goldproof.jobs.build.output.distribution import Targets
    from goldproof.jobs.build.sample import Sample

JsonObject = dict[str, object]


def check_distribution(path: Path, samples: Iterable[Sample], *, wanted: Targets | None, problems: Problems) -> None:
    """Report the rows that are not what the samples make of them; wanted: the card's targets, where they are known."""
    if not path.is_file():  # said where the hashes are checked
        return
    try:
        found = _read(path)
    except InputError as error:
        problems.add_error(path.name, error)
        return
    groups = {name: _rows(found, name) for name in GROUPS}
    targets = {group: dict(_targets(rows)) for group, rows in groups.items()}
    counted = Distribution.of(samples, targets).to_dict()
    differences = [*_differences(found, counted), *(() if wanted is None else _other_targets(targets, wanted))]
    for problem in differences:
        problems.add(path.name, problem)
    if not differences and {**found, "explanations": []} != counted:
        problems.add(path.name, "is not what the samples make of it, in order or shape.")


def _read(path: Path) -> JsonObject:
    found = read_json(path)
    if not isinstance(found, dict) or not isinstance(found.get("groups"), dict):
        raise FileFormatError(path, "is not a distribution, expected an object with groups.")
    return found


def _rows(found: JsonObject, group: str) -> dict[str, JsonObject]:
    """Return name -> row of a group, those rows that are any."""
    groups = found.get("groups")
    rows = groups.get(group) if isinstance(groups, dict) else None
    return {
        row["name"]: row
        for row in (rows if isinstance(rows, list) else [])
        if isinstance(row, dict) and isinstance(row.get("name"), str)
    }


def _targets(rows: dict[str, JsonObject]) -> Iterator[tuple[str, int]]:
    for name, row in rows.items():
        target = row.get("target")
        if isinstance(target, int) and not isinstance(target, bool):
            yield name, target


def _other_targets(found: Targets, wanted: Targets) -> Iterator[str]:
    for group in GROUPS:
        here, there = found.get(group, {}), wanted.get(group, {})
        for name in dict.fromkeys((*here, *there)):
            if here.get(name) != there.get(name):
                yield (
                    f"{group} {name}: target is {here.get(name)}, "
                    f"but the settings of the card make it {there.get(name)}."
                )


def _differences(found: JsonObject, counted: JsonObject) -> Iterator[str]:
    for group in GROUPS:
        here, there = _rows(found, group), _rows(counted, group)
        for name in dict.fromkeys((*here, *there)):
            said, right = here.get(name, {}), there.get(name, {})
            for key in ("actual", "shortfall"):
                if said.get(key) != right.get(key):
                    yield f"{group} {name}: {key} is {said.get(key)}, but the samples make it {right.get(key)}."
    total = found.get("total")
    if total != counted["total"]:
        yield f"the total is {total}, but the samples make it {counted['total']}."

"""Records that went wrong: a good one with keys deleted and values replaced by other JSON, at any depth."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from goldproof.jobs.build.adapters.adapter import ADAPTERS, Adapt, LocalSource, RecordPlace
from goldproof.jobs.build.records import Dropped, Example

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

Json = object
SCALARS = st.none() | st.booleans() | st.integers(-3, 40) | st.floats(allow_nan=False) | st.text(max_size=6)
ODD = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
)


@st.composite
def mutated(draw: st.DrawFn, records: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """A record with one to three places changed."""
    record = copy.deepcopy(dict(draw(st.sampled_from(records))))
    for _ in range(draw(st.integers(1, 3))):
        _change(draw, record)
    return record


def _change(draw: st.DrawFn, record: dict[str, object]) -> None:
    holder: object = record
    for _ in range(draw(st.integers(0, 4))):
        inner = [child for child in _children(holder) if isinstance(child, dict | list) and child]
        if not inner:
            break
        holder = draw(st.sampled_from(inner))
    if isinstance(holder, dict) and holder:
        key = draw(st.sampled_from(sorted(holder)))
        if draw(st.booleans()):
            del holder[key]
        else:
            holder[key] = draw(ODD)
    elif isinstance(holder, list):
        holder[draw(st.integers(0, len(holder) - 1))] = draw(ODD)


def _children(holder: object) -> list[object]:
    if isinstance(holder, dict):
        return [holder[key] for key in sorted(holder)]
    return list(holder) if isinstance(holder, list) else []


def opened(name: str, path: Path) -> Adapt:
    """The function of an adapter for the records of one file."""
    return ADAPTERS.get(name).open(LocalSource(path.parent, (path,)))


def adapted(name: str, record: Mapping[str, object], *, path: Path) -> Example | Dropped:
    """The one thing that an adapter makes of a record."""
    (made,) = opened(name, path)(record, RecordPlace(path, 1))
    return made


def check_whole(made: Example | Dropped) -> None:
    """Hold what is true of anything an adapter yields: reasons are given, gold and evidence are among the documents."""
    if isinstance(made, Dropped):
        assert made.reason
        return
    texts = {document.id: document.text for document in made.documents}
    assert len(texts) == len(made.documents)
    assert made.question.strip()
    assert made.answer.strip()
    assert made.original_id.strip()
    assert made.gold
    assert len(set(made.gold)) == len(made.gold)
    assert set(made.gold) <= set(texts)
    for span in made.evidence:
        assert span.document in made.gold
        assert 0 <= span.start < span.end <= len(texts[span.document])


def quoted(made: Example | Dropped) -> list[str]:
    """The texts that the evidence of an example points at."""
    assert isinstance(made, Example)
    texts = {document.id: document.text for document in made.documents}
    return [texts[span.document][span.start : span.end] for span in made.evidence]

"""The key of a corpus: whatever the metadata holds, it is the same in every process, or it is refused."""

from __future__ import annotations

import datetime as dt
import os
import subprocess
import sys
from collections import OrderedDict
from decimal import Decimal
from pathlib import PurePosixPath
from types import MappingProxyType

import numpy as np
import pytest

from goldproof.corpus import documents_key, open_corpus
from goldproof.errors import InputError
from goldproof.records.entities import Document

ODD: dict[str, object] = {
    "date": dt.date(2026, 1, 2),
    "moment": dt.datetime(2026, 1, 2, 3, tzinfo=dt.UTC),
    "length": dt.timedelta(days=1),
    "surrogate": "\ud800",
    "not a number": float("nan"),
    "huge": 10**30,
    "bytes": b"\xff\x00",
    "set": {"a", "b", "c"},
    "mixed set": frozenset({1, "a", ("b", 2)}),
    "set of huge": {10**30},
    "decimal": Decimal("1.50"),
    "path": PurePosixPath("a/b"),
    "array": np.arange(2000),
    "mapping": MappingProxyType({"a": 1}),
    "none": None,
}


def key(value: object) -> str:
    return documents_key([Document("d", "text", metadata={"field": value})])


@pytest.mark.parametrize("name", ODD)
def test_metadata_of_any_plain_kind_has_a_key_of_its_own(name: str) -> None:
    assert key(ODD[name]) == key(ODD[name])
    others = [other for other in ODD if other != name and {name, other} != {"none", "not a number"}]
    assert key(ODD[name]) not in {key(ODD[other]) for other in others}
    assert open_corpus([Document("d", "text", metadata={"field": ODD[name]})]).facts["sha256"] == key(ODD[name])


def test_a_long_array_is_looked_at_whole() -> None:
    changed = np.arange(2000)
    changed[1000] = 7
    assert key(np.arange(2000)) != key(changed)


def test_the_order_of_names_does_not_matter() -> None:
    one, two = {"a": 1, "b": {1, 2}}, OrderedDict([("b", {2, 1}), ("a", 1)])
    assert documents_key([Document("d", metadata=one)]) == documents_key([Document("d", metadata=two)])


def test_sets_have_the_same_key_under_every_hash_seed() -> None:
    program = (
        "from goldproof.records.entities import Document; from goldproof.corpus import documents_key; "
        "print(documents_key([Document('d', metadata={'tags': {'a', 'b', 'c', 'd', 'e', 'f'}, 'huge': 10**30})]))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1


def test_what_has_no_form_of_its_own_is_refused_with_the_document() -> None:
    circle: list[object] = []
    circle.append(circle)
    for value, found in ((object(), "it holds a object"), (circle, "Circular"), ({("a", 1): 2}, "keys must be")):
        with pytest.raises(InputError, match=f"document 'd': its metadata cannot be serialised .*{found}"):
            key(value)

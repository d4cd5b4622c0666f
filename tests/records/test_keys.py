from __future__ import annotations

import hashlib

import pytest

from goldproof.records.keys import content_key


def test_the_same_content_has_the_same_key_whatever_the_order_of_a_mapping() -> None:
    assert content_key({"a": 1, "b": [2.5, None]}) == content_key({"b": [2.5, None], "a": 1})


@pytest.mark.parametrize(("one", "other"), [(1, "1"), (None, "null"), ([1, 2], [2, 1]), ({"a": 1}, {"a": 2})])
def test_different_content_has_different_keys(one: object, other: object) -> None:
    assert content_key(one) != content_key(other)


def test_the_key_is_stable_between_versions() -> None:

    written = b'[{"a":[1,"x"]},"y"]'
    assert content_key({"a": [1, "x"]}, "y") == hashlib.sha256(written).hexdigest()


def test_what_json_cannot_say_has_no_key() -> None:
    with pytest.raises(TypeError):
        content_key(object())
    with pytest.raises(ValueError, match="JSON compliant"):
        content_key(float("nan"))

from pathlib import Path


def test_the_stale_value_is_still_at_hand() -> None:
    assert "error.remains" in Path("strict_fixed.py").read_text()

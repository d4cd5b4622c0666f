from solution import render


def test_dictionaries_become_rows_below_their_keys():
    lines = render([{"name": "Ada", "age": 36}]).splitlines()
    assert lines[0].split() == ["name", "age"]
    assert lines[1].split() == ["Ada", "36"]

from solution import render


def test_a_table_is_rendered():
    assert "pen" in render([["pen", 1]])

from solution import load


def test_an_order_is_loaded():
    order = load({"number": 7, "placed": "2024/05/17"})
    assert order["placed"].year == 2024

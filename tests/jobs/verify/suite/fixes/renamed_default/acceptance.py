from solution import load


def test_a_product_without_stock_has_none():
    assert load({"name": "pen"}) == {"name": "pen", "stock": 0}


def test_stock_is_kept():
    assert load({"name": "pen", "stock": 3})["stock"] == 3

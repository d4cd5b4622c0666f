from solution import prices


def test_prices_have_two_digits():
    assert [line.split()[1] for line in prices().splitlines()] == ["1.50", "12.25"]

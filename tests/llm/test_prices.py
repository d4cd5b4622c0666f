"""What calls cost, from the list that is installed or from the user."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.llm.prices import LongPrice, Price, count_tokens, parse_price, price_of


def test_cost_is_per_million_tokens() -> None:
    # 2,000,000 * 1.25 / 1e6 + 100,000 * 10 / 1e6 = 2.5 + 1
    assert Price(1.25, 10).cost(2_000_000, 100_000) == pytest.approx(3.5)
    assert Price(1.25, 10).cost(0, 0) == 0


def test_past_a_limit_the_higher_price_holds_for_every_token() -> None:
    price = Price(2, 12, (LongPrice(200_000, 4, 18), LongPrice(500_000, 8, 24)))
    assert price.cost(200_000, 1000) == pytest.approx(0.4 + 0.012)
    assert price.cost(200_001, 1000) == pytest.approx(0.800004 + 0.018)
    assert price.cost(1_000_000, 1000) == pytest.approx(8 + 0.024)


def test_the_list_knows_the_documented_teacher_with_its_price_for_long_prompts() -> None:
    price = price_of("google", "gemini-3-pro-preview")
    assert price is not None
    assert 0 < price.tokens_in < price.tokens_out
    (longer,) = price.long
    assert longer.above == 200_000
    assert longer.tokens_in > price.tokens_in
    assert longer.tokens_out > price.tokens_out


def test_costs_are_those_that_the_list_computes() -> None:
    from genai_prices import Usage, calc_price

    for provider, listed, model in (
        ("google", "google", "gemini-3-pro-preview"),
        ("google-cloud", "google", "gemini-2.5-flash"),
        ("openai", "openai", "gpt-5"),
        ("anthropic", "anthropic", "claude-sonnet-4-5"),
        ("bedrock", "aws", "anthropic.claude-3-5-sonnet-20241022-v2:0"),
    ):
        price = price_of(provider, model)
        assert price is not None, model
        for tokens_in in (1000, 200_000, 200_001, 600_000):
            theirs = calc_price(Usage(input_tokens=tokens_in, output_tokens=777), model, provider_id=listed)
            assert price.cost(tokens_in, 777) == pytest.approx(float(theirs.total_price)), (model, tokens_in)


@pytest.mark.parametrize("prefix", ["openai", "openai-chat", "openai-responses", "gateway/openai"])
def test_every_prefix_of_a_provider_has_its_price(prefix: str) -> None:
    assert price_of(prefix, "gpt-4o") == price_of("openai", "gpt-4o") == Price(2.5, 10)


@pytest.mark.parametrize(
    ("provider", "model"),
    [
        ("google", "no-such-model"),
        ("ollama", "gpt-4o"),  # a server of the user's own: what it costs is not OpenAI's price
        ("my_module", "gpt-4o"),
        ("", ""),
        ("openai", "text-embedding-3-small"),  # writes nothing, so that it has no price of writing
    ],
)
def test_what_the_list_does_not_say_is_not_known(provider: str, model: str) -> None:
    assert price_of(provider, model) is None


def test_every_prefix_that_has_a_list_is_one_of_pydantic_ai() -> None:
    from genai_prices.data_snapshot import get_snapshot
    from pydantic_ai.providers import infer_provider_class

    from goldproof.llm import prices

    listed = {provider.id for provider in get_snapshot().providers}
    for prefix, name in prices._LISTS.items():
        assert name in listed
        try:
            infer_provider_class(prefix)
        except ImportError:  # its client is not installed, but the name is known
            continue


def test_looking_up_a_price_uses_no_network_and_starts_no_thread() -> None:
    code = """
import sys, threading
seen = []
sys.addaudithook(lambda event, _: seen.append(event) if event.startswith(("socket.", "urllib.")) else None)
from goldproof.llm.prices import price_of
assert price_of("google", "gemini-3-pro-preview") and price_of("google", "unheard-of") is None
print([name for name in seen if name != "socket.__new__"], threading.active_count())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[] 1"


def test_without_genai_prices_no_price_is_known() -> None:
    code = """
import sys
sys.modules["genai_prices"] = sys.modules["genai_prices.data_snapshot"] = None
from goldproof.llm.prices import price_of
print(price_of("google", "gemini-3-pro-preview"))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "None"


@pytest.mark.parametrize("text", ["1.25,10", " 1.25 , 10 ", "$1.25,$10"])
def test_a_price_is_dollars_read_and_written(text: str) -> None:
    assert parse_price(text) == Price(1.25, 10.0)


def test_a_model_may_be_free() -> None:
    assert parse_price("0,0").cost(10**9, 10**9) == 0


@pytest.mark.parametrize("text", ["", "1", "1,2,3", "a,b", "1;2", "-1,2", "1,nan", "inf,1", "1,"])
def test_what_is_no_price_is_named_with_an_example(text: str) -> None:
    with pytest.raises(InputError, match="is not IN,OUT; expected dollars per million tokens") as caught:
        parse_price(text)
    assert repr(text) in str(caught.value)


@given(st.text(max_size=200), st.text(max_size=200))
def test_the_estimate_of_tokens_grows_with_the_text(one: str, two: str) -> None:
    assert count_tokens(one) <= count_tokens(one + two) <= count_tokens(one) + count_tokens(two)
    assert 4 * count_tokens(one) - 3 <= len(one) <= 4 * count_tokens(one)


@pytest.mark.parametrize("text", ["1e308,1e308", "1,1000001", "1000001,0"])
def test_a_price_beyond_all_others_is_refused(text: str) -> None:
    parse_price("1e6,1e6")
    with pytest.raises(InputError, match=f"price '{text}' is too high; .*1,000,000 at most"):
        parse_price(text)

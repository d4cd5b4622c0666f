"""Prices of models: dollars per million tokens, from genai-prices or from the user (`--price IN,OUT`).

    cost = (tokens read * price of reading + tokens written * price of writing) / 1,000,000

Some models cost more where a prompt is long: past a limit the higher price holds for every token of the call, as
providers bill it. Discounts for cached prompts are not counted: the true cost may be lower.

The list comes with the installed genai-prices and is never downloaded: a model that is newer than it has no price.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from goldproof.errors import InputError

if TYPE_CHECKING:
    from decimal import Decimal

    from genai_prices.types import ModelPrice, TieredPrices

CHARACTERS_PER_TOKEN = 4
HIGHEST_PRICE = 1e6  # dollars per million tokens: a dollar for each
# Prefixes of pydantic-ai, and what genai-prices calls them. Others (ollama, vllm, litellm, ...) have no list price:
# their cost is known only to those who run them.
_LISTS = {
    "anthropic": "anthropic",
    "azure": "azure",
    "azure-responses": "azure",
    "bedrock": "aws",
    "bedrock-mantle": "aws",
    "cerebras": "cerebras",
    "cohere": "cohere",
    "deepseek": "deepseek",
    "fireworks": "fireworks",
    "google": "google",
    "google-cloud": "google",
    "groq": "groq",
    "meta": "meta",
    "mistral": "mistral",
    "moonshotai": "moonshotai",
    "openai": "openai",
    "openai-chat": "openai",
    "openai-responses": "openai",
    "openrouter": "openrouter",
    "ovhcloud": "ovhcloud",
    "together": "together",
    "xai": "x-ai",
    "zai": "zai",
}


@dataclass(frozen=True, slots=True)
class LongPrice:
    """Dollars per million tokens of calls that read more than `above` tokens."""

    above: int
    tokens_in: float
    tokens_out: float


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars per million tokens, read and written.

    long: what holds for longer prompts, the lowest limit first.
    """

    tokens_in: float
    tokens_out: float
    long: tuple[LongPrice, ...] = ()

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """Return the dollars for one call."""
        rate: Price | LongPrice = self
        for longer in self.long:
            if tokens_in > longer.above:
                rate = longer
        return (tokens_in * rate.tokens_in + tokens_out * rate.tokens_out) / 1e6


def price_of(provider: str, model: str) -> Price | None:
    """Return the price of a model today; None where it is not listed, or genai-prices is not installed.

    provider: the prefix of pydantic-ai (`google`, `openai-chat`, ...), also behind `gateway/`.
    """
    listed = _LISTS.get(provider.removeprefix("gateway/"))
    if listed is None:
        return None
    try:
        from genai_prices.data_snapshot import get_snapshot  # noqa: PLC0415 - it takes half a second, and is an extra
    except ImportError:
        return None
    try:
        _, entry = get_snapshot().find_provider_model(model, None, listed, None)
    except LookupError:
        return None
    return _price(entry.get_prices(datetime.now(UTC)))


def parse_price(text: str) -> Price:
    """Return the price of `IN,OUT`: dollars per million tokens read and written, such as `1.25,10`."""
    parts = text.split(",")
    try:
        tokens_in, tokens_out = (float(part.strip().removeprefix("$")) for part in parts)
    except ValueError:
        raise _no_price(text) from None
    if not all(math.isfinite(value) and value >= 0 for value in (tokens_in, tokens_out)):
        raise _no_price(text)
    if max(tokens_in, tokens_out) > HIGHEST_PRICE:
        raise InputError(
            f"price {text!r} is too high; expected dollars per million tokens, {HIGHEST_PRICE:,.0f} at most."
        )
    return Price(tokens_in, tokens_out)


def count_tokens(text: str) -> int:
    """Return an estimate of a text's tokens: its characters / 4, rounded up.

    It holds for English prose within a fifth or so. Code takes more tokens, and scripts without spaces many more.
    """
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def most_tokens(text: str) -> int:
    """Return a generous estimate of a text's tokens: its bytes in UTF-8 * 3 / 8, rounded up.

    For English that is one and a half times `count_tokens`; scripts with more bytes to a character take more tokens.
    """
    return -(-len(text.encode("utf-8", "surrogatepass")) * 3 // 8)


def _no_price(text: str) -> InputError:
    return InputError(
        f"price {text!r} is not IN,OUT; expected dollars per million tokens, read and written, such as 1.25,10."
    )


def _price(listed: ModelPrice) -> Price | None:
    """Return a price of the list in our form; None where it is not one for reading and writing text."""
    if listed.input_mtok is None or listed.output_mtok is None:
        return None
    read, written = _steps(listed.input_mtok), _steps(listed.output_mtok)
    limits = sorted({limit for limit, _ in (*read, *written) if limit >= 0})
    long = tuple(LongPrice(limit, _rate(read, limit), _rate(written, limit)) for limit in limits)
    return Price(_rate(read, -1), _rate(written, -1), long)


def _steps(price: Decimal | TieredPrices) -> list[tuple[int, float]]:
    """Return the limits of a price with the rate above each; the base price holds above -1."""
    from genai_prices.types import TieredPrices  # noqa: PLC0415

    if not isinstance(price, TieredPrices):
        return [(-1, float(price))]
    return [(-1, float(price.base)), *((tier.start, float(tier.price)) for tier in price.tiers)]


def _rate(steps: list[tuple[int, float]], limit: int) -> float:
    """Return the rate above a limit: that of the last step up to it."""
    return [rate for start, rate in sorted(steps) if start <= limit][-1]

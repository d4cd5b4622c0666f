"""URLs in normal form, split into the place (host and path) and the parameters that may matter.

`http`, `https` and no scheme are alike. The host is in lower case, without `www.` and default port; trailing slashes
are dropped, so that an empty path and `/` are alike. Percent-encoded characters that need no encoding are decoded. The
fragment is dropped unless it is a route (`#/...`, `#!...`), which belongs to the place. Harmless parameters are dropped
and the others sorted. Anything else that is not a web address (`doi:10.1/x`, `file:///a`, `docs/a.md`) is an opaque
place, compared as it stands.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from goldproof.text.near_duplicates import put_values, where

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_WEB = r"^(?:(?i:https?:)?//|[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)+(?::\d+)?(?:[/?#]|$))"
_SCHEME = r"^(?:(?i:https?:)?//)?(?i:www\.)?"
_ENCODED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_ASCII = 0x80


class Urls(NamedTuple):
    """Places (null where there is no URL) and parameters (null where there are none)."""

    place: pl.Series
    params: pl.Series


def normal_urls(urls: pl.Series, *, harmless: Sequence[str]) -> Urls:
    """Split a column of URLs into places and parameters."""
    if urls.null_count() == len(urls):
        return Urls(urls, urls)
    text, rest = pl.col("text"), pl.col("rest")
    read = (
        urls.alias("text")
        .to_frame()
        .lazy()
        .select(text.str.strip_chars())
        .with_columns(rest=text.str.replace(_SCHEME, ""), opaque=~text.str.contains(_WEB))
        .with_columns(marked=rest.str.contains("#", literal=True), asking=rest.str.contains("?", literal=True))
        .collect()
    )
    body, route = _cut(read["rest"], read["marked"], at="#", change=_route)
    is_harmless = _harmless(harmless)
    bare, params = _cut(body, read["asking"], at="?", change=lambda query: _params(query, is_harmless))
    place = _with_route(_place(bare), route)
    # What is no web address was cut to pieces above like the others; here it is put together again.
    opaque = read["opaque"]
    place = where(place, opaque, lambda _: read["text"].filter(opaque))
    return Urls(_unless_empty(place), where(params, opaque, _nothing))


def _cut(
    texts: pl.Series, mask: pl.Series, *, at: str, change: Callable[[str], str | None]
) -> tuple[pl.Series, pl.Series]:
    """Split at the sign; return the text before it, and the text behind it changed, null where there is none."""
    if not mask.any():
        return texts, _nothing(texts)
    rows = mask.arg_true()
    parts = texts.gather(rows).str.splitn(at, 2).struct.unnest()
    behind = pl.Series([change(text or "") for text in parts["field_1"].to_list()], dtype=pl.String)
    return put_values(texts, rows, parts["field_0"]), put_values(_nothing(texts), rows, behind)


def _place(bare: pl.Series) -> pl.Series:
    """Return host and path; the host is all before the first slash."""
    host, path = pl.col("field_0"), pl.col("field_1")
    plain_host = host.str.to_lowercase().str.strip_suffix(":80").str.strip_suffix(":443")
    joined = pl.concat_str(plain_host, path.fill_null(""), separator="/").str.strip_chars_end("/")
    place = bare.str.splitn("/", 2).struct.unnest().select(joined).to_series()
    return where(place, place.str.contains("%", literal=True), _decoded_all)


def _with_route(place: pl.Series, route: pl.Series) -> pl.Series:
    if route.null_count() == len(route):
        return place
    has = route.is_not_null()
    return where(place, has, lambda s: s + "#" + route.filter(has))


def _route(fragment: str) -> str | None:
    return fragment if fragment.startswith(("/", "!")) else None


def _params(query: str, is_harmless: Callable[[str], bool]) -> str | None:
    """Return the parameters that may matter, sorted."""
    if "%" in query:
        query = _decoded(query)
    kept = [part for part in query.split("&") if part and not is_harmless(part.partition("=")[0])]
    if len(kept) > 1:
        kept.sort()
    return "&".join(kept) or None


def _harmless(names: Sequence[str]) -> Callable[[str], bool]:
    exact = {name.lower() for name in names if not name.endswith("*")}
    prefixes = tuple(name[:-1].lower() for name in names if name.endswith("*"))
    known: dict[str, bool] = {}

    def is_harmless(name: str) -> bool:
        harmless = known.get(name)
        if harmless is None:
            lowered = name.lower()
            harmless = known[name] = lowered in exact or lowered.startswith(prefixes)
        return harmless

    return is_harmless


def _decoded(text: str) -> str:
    return _ENCODED.sub(_decoded_run, text)


def _decoded_run(match: re.Match[str]) -> str:
    """Decode what needs no encoding: letters, digits, `-._~`, and whole characters beyond ASCII."""
    raw = bytes.fromhex(match[0].replace("%", ""))
    try:
        characters = raw.decode("utf-8")
    except UnicodeDecodeError:
        return match[0].upper()
    return "".join(c if ord(c) >= _ASCII or ord(c) in _UNRESERVED else f"%{ord(c):02X}" for c in characters)


def _decoded_all(texts: pl.Series) -> pl.Series:
    return pl.Series([_decoded(text) for text in texts.to_list()], dtype=pl.String)


def _nothing(like: pl.Series) -> pl.Series:
    return pl.Series([None], dtype=pl.String).new_from_index(0, len(like))


def _unless_empty(places: pl.Series) -> pl.Series:
    return where(places, places.str.len_bytes() == 0, _nothing)

"""The normal form of URLs."""

from __future__ import annotations

import polars as pl
import pytest

from goldproof.dedup.rules import HARMLESS_PARAMETERS
from goldproof.dedup.urls import normal_urls


def split(url: str | None) -> tuple[str | None, str | None]:
    found = normal_urls(pl.Series([url], dtype=pl.String), harmless=HARMLESS_PARAMETERS)
    return found.place[0], found.params[0]


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/a/B",
        "http://example.com/a/B",
        "//example.com/a/B",
        "example.com/a/B",
        "www.example.com/a/B",
        "  https://WWW.Example.COM/a/B/  ",
        "HTTP://example.com:80/a/B",
        "https://example.com:443/a/B//",
        "https://example.com/a/B#top",
        "https://example.com/a/B?#",
        "https://example.com/a/B#:~:text=some%20words",
        "https://example.com/%61/B",
        "https://example.com/a/B?utm_source=x&UTM_Medium=y&gclid=1",
        "https://example.com/a/B/?fbclid=1#top",
    ],
)
def test_spellings_of_one_page_are_one_place(url: str) -> None:
    assert split(url) == ("example.com/a/B", None)


@pytest.mark.parametrize("url", ["https://example.com", "http://www.example.com/", "example.com", "//example.com//"])
def test_an_empty_path_and_a_slash_are_alike(url: str) -> None:
    assert split(url) == ("example.com", None)


def test_the_case_of_a_path_matters_and_that_of_a_host_does_not() -> None:
    assert split("https://A.org/B")[0] == split("https://a.org/B")[0] != split("https://a.org/b")[0]


def test_another_port_is_another_place() -> None:
    assert split("http://localhost:8080/x") == ("localhost:8080/x", None)


def test_remaining_parameters_are_sorted_and_apart_from_the_place() -> None:
    assert split("https://a.org/s?b=2&utm_id=9&a=1&") == ("a.org/s", "a=1&b=2")
    assert split("https://a.org/s?q=%7Ex%2f") == ("a.org/s", "q=~x%2F")


@pytest.mark.parametrize(
    ("url", "place", "params"),
    [
        ("https://a.org/#/inbox/7", "a.org#/inbox/7", None),
        ("https://a.org/app?x=1#!/inbox", "a.org/app#!/inbox", "x=1"),
        ("https://a.org/app#/b#c", "a.org/app#/b#c", None),
    ],
)
def test_a_fragment_that_is_a_route_belongs_to_the_place(url: str, place: str, params: str | None) -> None:
    assert split(url) == (place, params)


@pytest.mark.parametrize(
    ("encoded", "plain"),
    [
        ("https://de.wikipedia.org/wiki/Z%C3%BCrich", "https://de.wikipedia.org/wiki/Zürich"),
        ("https://a.org/a%2Db", "https://a.org/a-b"),
        ("https://a.org/a%2fb", "https://a.org/a%2Fb"),
        ("https://a.org/%ff", "https://a.org/%FF"),
        ("https://a.org/100%", "https://a.org/100%"),
    ],
)
def test_percent_encoding_is_one_spelling(encoded: str, plain: str) -> None:
    assert split(encoded) == split(plain)


def test_an_encoded_slash_or_question_mark_is_no_slash_or_question_mark() -> None:
    assert split("https://a.org/a%2Fb")[0] != split("https://a.org/a/b")[0]
    assert split("https://a.org/a%3Fb=1") == ("a.org/a%3Fb=1", None)


@pytest.mark.parametrize(
    "url", ["doi:10.1000/A?x=1", "file:///srv/A.txt", "mailto:A@b.org", "docs/Read.md#part", "C:\\docs\\A", "/a/b/"]
)
def test_what_is_no_web_address_is_compared_as_it_stands(url: str) -> None:
    assert split(f" {url} ") == (url, None)


@pytest.mark.parametrize("url", [None, "", "  ", "https://", "//"])
def test_no_url_has_no_place(url: str | None) -> None:
    assert split(url) == (None, None)


def test_rows_keep_their_places() -> None:
    urls = ["https://a.org/x?b=1", None, "doi:1", "b.org/#/r", "c.org/%41?utm_a=1", "d.org/?z=1&y=2#top"]
    found = normal_urls(pl.Series(urls), harmless=HARMLESS_PARAMETERS)
    assert found.place.to_list() == ["a.org/x", None, "doi:1", "b.org#/r", "c.org/A", "d.org"]
    assert found.params.to_list() == ["b=1", None, None, None, None, "y=2&z=1"]


def test_the_harmless_parameters_are_the_users() -> None:
    found = normal_urls(pl.Series(["https://a.org/?Session_Id=1&utm_x=2"]), harmless=["session_*"])
    assert found.params.to_list() == ["utm_x=2"]

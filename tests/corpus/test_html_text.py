"""Readable text of HTML pages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.corpus.html_text import readable_text

TAGS = ["p", "h1", "h2", "table", "tr", "td", "pre", "script", "li", "ul", "title", "br", "div", "svg", "a", "!--"]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<h1>A</h1><p>one<p>two", "# A\n\none\n\ntwo\n"),
        ("<p>a<br>b &amp; c&nbsp;d &lt;e&gt;", "a\nb & c\xa0d <e>\n"),
        ("<script>x()</script><style>p{}</style><p>kept", "kept\n"),
        ("<ul><li>one<li>two <b>bold</b></ul>after", "- one\n- two bold\n\nafter\n"),
        ("<ul><li><p>one</p></li></ul>", "- one\n"),
        (
            "<table><tr><th>a<th>b</tr><tr><td>1</td><td></td></tr><tr><td><p>x</p>y</table>z",
            "| a | b |\n| 1 |  |\n| x y |\n\nz\n",
        ),
        ("<pre>def f():\n    # not a heading\n</pre>", "```\ndef f():\n    # not a heading\n```\n"),
        ("<pre>a ``` b</pre>", "````\na ``` b\n````\n"),
        ("<title>T</title><body><p>x", "# T\n\nx\n"),
        ("<title>T</title><h1>H</h1>", "# H\n"),
        ("<title>T<p>x", "# T\n\nx\n"),
        ("<p># no heading", "\\# no heading\n"),
        ("<h2>Two\n words</h2><h3><a href=x>Three</a></h3>", "## Two words\n\n### Three\n"),
        ("just text", "just text\n"),
        ("<p></div></p></table>broken <b>still", "broken still\n"),
        ("<!-- gone -->", ""),
        ("", ""),
    ],
)
def test_pages_become_readable(html: str, text: str) -> None:
    assert readable_text(html) == text


@given(
    st.lists(
        st.one_of(st.sampled_from([f"<{t}>" for t in TAGS] + [f"</{t}>" for t in TAGS]), st.text(max_size=5)),
        max_size=30,
    )
)
def test_any_soup_of_tags_is_survived(parts: list[str]) -> None:
    assert isinstance(readable_text("".join(parts)), str)


@given(st.lists(st.sampled_from(["<p>", "</p>", "<td>", "<tr>", "</table>", "<li>", "<h1>", "</div>"]), max_size=20))
def test_words_outside_scripts_are_never_lost(tags: list[str]) -> None:
    html = "".join(f"{tag}word{n} " for n, tag in enumerate(tags))
    assert all(f"word{n}" in readable_text(html).split() for n in range(len(tags)))

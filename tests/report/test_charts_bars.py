"""Bar charts: every number is in the picture, what is missing is said, and the bytes are the same each time."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import pairwise
from xml.etree import ElementTree as ET

import altair as alt
import pytest

from goldproof.errors import InputError, MissingExtraError
from goldproof.report import charts
from goldproof.report.bar_chart import BARS, LEFT, bar_row, places
from goldproof.report.charts import Bar, BarChart, BarGroup, bars_svg

CHART = BarChart(
    "Samples",
    (
        BarGroup("Document types", (Bar("table", 18, 20), Bar("code <&>", 25, 20), Bar("text", 1200))),
        BarGroup("Empty", ()),
        BarGroup("Methods", (Bar("negation", 0, 3),)),
    ),
    notes=("A note.",),
)


def texts(svg: str) -> list[str]:
    root = ET.fromstring(svg)  # noqa: S314 - our own picture
    return ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]


def test_every_name_and_number_is_in_the_picture() -> None:
    found = texts(bars_svg(CHART))
    for text in ("Samples", "Document types", "table", "code <&>", "text", "Methods", "negation", "A note."):
        assert text in found
    for text in ("18 of 20, 2 missing", "25 of 20", "1,200", "0 of 3, 3 missing"):
        assert text in found
    assert "Empty" not in found


def test_the_legend_stands_only_where_there_is_a_target() -> None:
    assert "target" in texts(bars_svg(CHART))
    assert "target" not in texts(bars_svg(BarChart("x", (BarGroup("g", (Bar("a", 1),)),))))


def test_a_bar_is_as_long_as_its_count_on_the_scale_of_its_group() -> None:
    _, rows = places(
        BarChart("x", (BarGroup("g", (Bar("a", 5, 20), Bar("b", 10))), BarGroup("h", (Bar("c", 1),), full=4)))
    )
    # the greatest of g is the target 20: 5 of 20 is a quarter of the width, 10 a half; h is told that 4 is full
    assert [(row["actual"] - LEFT) / BARS for row in rows] == [0.25, 0.5, 0.25]
    assert [row["aimed"] for row in rows] == [True, False, False]
    assert rows[0]["target"] == LEFT + BARS


def test_a_group_of_zeros_has_bars_of_no_length() -> None:
    _, (row,) = places(BarChart("x", (BarGroup("g", (Bar("a", 0, 0),)),)))
    assert (row["actual"], row["short"], row["text"]) == (LEFT, False, "0 of 0")


def test_bars_do_not_overlap() -> None:
    titles, rows = places(CHART)
    heights = sorted([row["y"] for row in rows] + [title["y"] for title in titles])
    assert all(b - a >= 20 for a, b in pairwise(heights))


def test_names_that_xml_cannot_hold_are_cleaned_and_long_ones_shortened() -> None:
    row = bar_row(Bar("a\x00b" + "c" * 60, 1), y=0, pixels_each=1)
    assert row["name"].startswith("a\ufffdb")
    assert len(row["name"]) < 40
    bars_svg(BarChart("\x01", (BarGroup("\x02", (Bar("\x03", 1),)),), notes=("\x04",)))


def test_the_picture_links_to_nothing() -> None:
    svg = bars_svg(CHART)
    assert set(re.findall(r"https?://[^\"']+", svg)) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


def test_the_bytes_are_the_same_in_another_process_and_whatever_theme_the_caller_set() -> None:
    code = (
        "from tests.report.test_charts_bars import CHART; from goldproof.report.charts import bars_svg; "
        "import sys; sys.stdout.buffer.write(bars_svg(CHART).encode())"
    )
    with alt.theme.enable("dark"):
        here = bars_svg(CHART)
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.decode()
    assert here == there


@pytest.mark.parametrize(
    ("build", "problem"),
    [
        (lambda: Bar("a", -1), "bar 'a' counts -1"),
        (lambda: Bar("a", 1, -1), "bar 'a' counts 1 of -1"),
        (lambda: BarGroup("g", (Bar("a", 1), Bar("a", 2))), "two bars of one name: a, a"),
        (lambda: BarGroup("g", (Bar("a", 9),), full=4), "counts up to 9, beyond its full width of 4"),
        (lambda: BarChart("c", (BarGroup("g", ()),)), "chart 'c' has no bar"),
    ],
)
def test_what_cannot_be_drawn_is_refused(build: object, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        build()  # type: ignore[operator]


def test_without_the_extra_the_user_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "charts_available", lambda: False)
    with pytest.raises(MissingExtraError, match=r"pip install 'goldproof\[report\]'"):
        bars_svg(CHART)

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import altair as alt
import pytest
import vl_convert
from hypothesis import given, settings
from hypothesis import strategies as st

from goldproof.errors import InputError, MissingExtraError
from goldproof.report import Chart, Line, Panel, chart_svg, charts_available
from goldproof.report.chart_style import COLOURS, FONT

if TYPE_CHECKING:
    from collections.abc import Sequence

SVG = "{http://www.w3.org/2000/svg}"
X = (1, 2, 3)
BM25 = Line("bm25", X, (2.0, 3.5, 4.0), (1.5, 3.0, 3.2), (2.5, 4.0, 4.8), (40, 31, 12))
DENSE = Line("dense", X, (2.5, 3.0, 3.5), (2.0, 2.5, 2.7), (3.0, 3.5, 4.3), (40, 25, 9))
BM25_SRR = Line("bm25", X, (0.0, 0.2, 0.3), (0.0, 0.1, 0.2), (0.0, 0.3, 0.4), (40, 31, 12))
DENSE_SRR = Line("dense", X, (0.1, 0.1, 0.4), (0.0, 0.0, 0.3), (0.2, 0.2, 0.5), (40, 25, 9))
CHART = Chart(
    "Gain and redundancy",
    "search iteration",
    (Panel("mean CG@i", (BM25, DENSE)), Panel("mean SRR@i", (BM25_SRR, DENSE_SRR), (0.0, 1.0))),
    ("Bands are 95% intervals.",),
    "conversations that reach the iteration",
)
ONE_PANEL = "from goldproof.report import *; c = Chart('t', 'x', (Panel('y', (Line('a', (1, 2), (1.0, 2.0)),)),)); "


@cache
def parsed(chart: Chart) -> ET.Element:
    return ET.fromstring(chart_svg(chart))  # noqa: S314 - our own picture


def simple(*lines: Line, bounds: tuple[float, float] | None = None) -> Chart:
    return Chart("title", "x title", (Panel("y title", lines, bounds),))


def texts(root: ET.Element) -> list[str]:
    return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]


def marks(root: ET.Element, kind: str, *, tag: str = "path") -> list[ET.Element]:
    groups = [g for g in root.iter(f"{SVG}g") if g.get("class", "").startswith(f"mark-{kind} role-mark")]
    return [element for group in groups for element in group.findall(f"{SVG}{tag}")]


def corners(path: ET.Element) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"[ML](-?[\d.]+),(-?[\d.]+)", path.get("d", ""))]


def test_the_picture_says_everything_in_words() -> None:
    found = texts(parsed(CHART))
    expected = ["Gain and redundancy", "bm25", "dense", "mean CG@i", "mean SRR@i", "search iteration"]
    expected += ["conversations that reach the iteration", "Bands are 95% intervals."]
    assert [text for text in expected if found.count(text) != 1] == []


def test_each_panel_has_one_path_a_line_named_after_its_series() -> None:
    assert [path.get("aria-label") for path in marks(parsed(CHART), "line")] == ["bm25", "dense", "bm25", "dense"]


def test_each_line_has_a_band_and_a_point_for_each_value() -> None:
    root = parsed(CHART)
    assert len(marks(root, "area")) == 4
    # Two panels of two lines with three points, two in the legend, two beside the counts.
    assert len(marks(root, "symbol")) == 2 * 2 * 3 + 2 + 2


def test_a_line_runs_where_its_values_are() -> None:
    (path,) = marks(parsed(simple(Line("a", (1, 2, 3), (0.0, 0.5, 1.0)), bounds=(0.0, 1.0))), "line")
    # x: the axis runs from 1 - 0.04 * 2 to 3 + 0.04 * 2 over 660 pixels: 0.08 / 2.16 * 660 = 24.44; y: 130 pixels down.
    assert corners(path) == [pytest.approx((24.444, 130), abs=0.01), (330, 65), pytest.approx((635.556, 0), abs=0.01)]


def test_bounds_are_the_very_ends_of_the_axis() -> None:
    (path,) = marks(parsed(simple(Line("a", (1, 2), (0.13, 0.87)), bounds=(0.13, 0.87))), "line")
    assert [y for _, y in corners(path)] == [130, 0]


def test_without_bounds_the_axis_begins_at_0() -> None:
    (path,) = marks(parsed(simple(Line("a", (1, 2), (50.0, 100.0)))), "line")
    assert [y for _, y in corners(path)] == [65, 0]


def test_a_band_runs_along_both_ends_of_the_interval() -> None:
    line = Line("a", (1, 2), (0.5, 0.5), (0.4, 0.2), (0.6, 0.8))
    (path,) = marks(parsed(simple(line, bounds=(0.0, 1.0))), "area")
    # 130 pixels high: 0.4 -> 78, 0.2 -> 104, 0.6 -> 52, 0.8 -> 26.
    assert sorted(round(y) for _, y in corners(path)) == [26, 52, 78, 104]


def test_a_gap_breaks_the_line() -> None:
    line = Line("a", (1, 2, 3, 4, 5), (1.0, 2.0, None, 3.0, 2.0))
    root = parsed(simple(line))
    assert [len(corners(path)) for path in marks(root, "line")] == [2, 2]
    assert len(marks(root, "symbol")) == 4 + 1


def test_a_single_x_shows_points_and_bars() -> None:
    root = parsed(simple(Line("a", (1,), (1.0,), (0.5,), (1.5,), (7,)), Line("b", (1,), (1.0,), (0.5,), (1.5,), (7,))))
    points = [p.get("transform") for p in marks(root, "symbol") if p.get("transform", "").startswith("translate(3")]
    assert len(points) == len(set(points)) == 2
    # The bars of the two series, beside the two samples of the legend.
    assert len(marks(root, "rule", tag="line")) == 2 + 2
    assert texts(root).count("7") == 2


def test_x_has_whole_numbers_only() -> None:
    labels = [g for g in parsed(CHART).iter(f"{SVG}g") if g.get("class") == "mark-text role-axis-label"]
    x_labels = [[t.text for t in g] for g in labels if len(g) == 3]
    assert x_labels == [["1", "2", "3"]]


def test_counts_are_written_once_where_the_panels_agree() -> None:
    found = texts(parsed(CHART))
    assert [text for text in found if text in {"40", "31", "12", "25", "9"}] == ["40", "31", "12", "40", "25", "9"]


def test_counts_are_written_under_each_panel_where_they_differ() -> None:
    other = Line("bm25", X, (0.0, 0.2, 0.3), n=(41, 32, 13))
    root = parsed(Chart("t", "x", (Panel("a", (BM25,)), Panel("b", (other,))), n_title="count"))
    assert [t for t in texts(root) if t in {"40", "31", "12", "41", "32", "13"}] == ["40", "31", "12", "41", "32", "13"]
    assert texts(root).count("count") == 2


def test_a_panel_without_a_value_says_so() -> None:
    nothing = Line("a", (1, 2), (None, None), n=(0, 0))
    root = parsed(simple(nothing))
    assert "no value to draw" in texts(root)
    assert marks(root, "line") == []
    assert "no value to draw" not in texts(parsed(CHART))
    assert "no value to draw" in texts(parsed(simple()))


def test_twelve_systems_have_twelve_looks() -> None:
    lines = tuple(Line(f"system {i}", (1, 2), (i, i + 1.0)) for i in range(12))
    root = parsed(simple(*lines))
    looks = {(p.get("stroke"), p.get("stroke-dasharray")) for p in marks(root, "line")}
    assert len(looks) == 12
    assert {colour for colour, _ in looks} == set(COLOURS)
    assert {f"system {i}" for i in range(12)} <= set(texts(root))
    samples = [(s.get("stroke"), s.get("stroke-dasharray")) for s in marks(root, "rule", tag="line")]
    assert samples == [(p.get("stroke"), p.get("stroke-dasharray")) for p in marks(root, "line")]


def test_a_series_looks_the_same_in_every_panel() -> None:
    top, bottom = Panel("a", (BM25, DENSE)), Panel("b", (DENSE_SRR,))
    paths = marks(parsed(Chart("t", "x", (top, bottom))), "line")
    looks = {path.get("aria-label"): set[tuple[str | None, str | None]]() for path in paths}
    for path in paths:
        looks[path.get("aria-label")].add((path.get("stroke"), path.get("stroke-dasharray")))
    assert [len(found) for found in looks.values()] == [1, 1]


def test_markup_in_names_is_text() -> None:
    name = "<script>&\"'</script>"
    chart = Chart(name, name, (Panel(name, (Line(name, (1, 2), (1.0, 2.0), n=(1, 1)),)),), (name,), name)
    root = parsed(chart)
    # Title, legend, y title, x title, what is counted, note.
    assert texts(root).count(name) == 6
    assert [path.get("aria-label") for path in marks(root, "line")] == [name]
    assert "<script" not in chart_svg(chart)


@pytest.mark.parametrize("before", ["", "a"])
def test_long_names_of_characters_beyond_the_basic_plane_are_drawn(before: str) -> None:
    name = before + "🎈" * 60
    root = parsed(Chart(name, name, (Panel(name, (Line(name, (1, 2), (1.0, 2.0), n=(1, 1)),)),), (name,), name))
    assert [path.get("aria-label") for path in marks(root, "line")] == [name]


def test_control_characters_are_replaced_everywhere() -> None:
    name = "a\0\x1b\ufffeb"
    root = parsed(Chart(name, name, (Panel(name, (Line(name, (1, 2), (1.0, 2.0), n=(1, 1)),)),), (name,), name))
    assert texts(root).count("a\ufffd\ufffd\ufffdb") == 6


@settings(max_examples=8)
@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=3, unique=True))
def test_any_names_give_well_formed_xml(names: Sequence[str]) -> None:
    root = parsed(simple(*(Line(name, (1, 2), (1.0, 2.0)) for name in names)))
    assert len(marks(root, "line")) == len(names)


def test_long_words_do_not_widen_the_picture() -> None:
    line = Line("n" * 300, (1,), (1.0,), n=(1,))
    long = Chart("t " * 200, "x" * 300, (Panel("y" * 300, (line,)),), ("note " * 80,), "n" * 300)
    root, plain = parsed(long), parsed(CHART)
    assert float(root.get("width", 0)) <= float(plain.get("width", 0)) <= 760
    assert [path.get("aria-label") for path in marks(root, "line")] == ["n" * 300]


def test_the_picture_stands_alone() -> None:
    svg = chart_svg(CHART)
    assert set(re.findall(r"https?://[^\"' ]+", svg)) == {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert {element.get("font-family") for element in parsed(CHART).iter(f"{SVG}text")} == {FONT}
    assert FONT.endswith("sans-serif")
    for needle in ("<image", "<style", "href=", "url(", "<script", " id="):
        assert needle not in svg


def test_nothing_may_be_fetched_while_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {}

    def convert(spec: dict[str, Any], **options: object) -> str:
        asked.update(options, spec=str(spec))
        return "<svg/>"

    monkeypatch.setattr(vl_convert, "vegalite_to_svg", convert)
    assert chart_svg(CHART) == "<svg/>\n"
    assert asked["allowed_base_urls"] == []
    assert "'url'" not in asked["spec"]


def test_the_same_chart_gives_the_same_bytes_in_every_process() -> None:
    first = chart_svg(CHART)
    chart_svg(simple(BM25))
    assert chart_svg(CHART) == first
    code = f"{ONE_PANEL} import sys; sys.stdout.write(chart_svg(c))"
    pictures = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout.decode()
        for seed in ("1", "2")
    }
    here = Chart("t", "x", (Panel("y", (Line("a", (1, 2), (1.0, 2.0)),)),))
    assert pictures == {chart_svg(here)}


def test_settings_of_the_callers_own_altair_neither_change_the_picture_nor_are_changed() -> None:
    plain = chart_svg(CHART)
    alt.theme.register("steps", enable=False)(lambda: {"config": {"line": {"interpolate": "step"}}})
    try:
        with alt.theme.enable("steps"), alt.data_transformers.enable("vegafusion"):
            assert chart_svg(CHART) == plain
            assert (alt.theme.active, alt.data_transformers.active) == ("steps", "vegafusion")
    finally:
        alt.theme.unregister("steps")


def test_altair_is_not_loaded_before_a_chart_is_drawn() -> None:
    code = f"import sys; {ONE_PANEL} charts_available(); print('altair' in sys.modules, 'vl_convert' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


@pytest.mark.parametrize("module", ["altair", "vl_convert"])
def test_without_the_extra_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    assert charts_available()
    monkeypatch.setitem(sys.modules, module, None)
    assert not charts_available()
    with pytest.raises(
        MissingExtraError, match=r"drawing a chart needs the extra 'report': pip install 'goldproof\[report"
    ):
        chart_svg(CHART)


def test_lines_of_unequal_length_are_refused() -> None:
    with pytest.raises(InputError, match="line 'a' has 1 values in y, expected 2 as in x"):
        Line("a", (1, 2), (1.0,))
    with pytest.raises(InputError, match="line 'a' has 1 values in n, expected 2 as in x"):
        Line("a", (1, 2), (1.0, 2.0), n=(3,))


def test_intervals_with_one_end_or_the_wrong_way_round_are_refused() -> None:
    with pytest.raises(InputError, match="give both low and high, or neither"):
        Line("a", (1,), (1.0,), low=(0.5,))
    with pytest.raises(InputError, match=r"the interval at x = 2 runs from 2.0 down to 1.0"):
        Line("a", (1, 2), (1.0, 1.0), (0.0, 2.0), (1.0, 1.0))


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_values_that_are_no_numbers_are_refused(value: float) -> None:
    with pytest.raises(InputError, match="write None where there is none"):
        Line("a", (1,), (value,))


def test_x_must_rise() -> None:
    with pytest.raises(InputError, match="expected numbers that rise"):
        Line("a", (1, 1), (1.0, 2.0))


def test_two_lines_of_one_name_bounds_without_room_and_no_panel_are_refused() -> None:
    with pytest.raises(InputError, match="two lines of one name: bm25, bm25"):
        Panel("y", (BM25, BM25))
    with pytest.raises(InputError, match="expected a low and a higher number"):
        Panel("y", (BM25,), (1.0, 1.0))
    with pytest.raises(InputError, match="has no panel"):
        Chart("t", "x", ())

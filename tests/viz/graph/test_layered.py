"""The simple layout: every box in its frame, none upon another, every text there; on pictures of programs and on random graphs."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import bufferize
import pytest
from bufferize.viz.graph import KINDS, draw, layered
from bufferize.viz.graph.canvas import Canvas
from bufferize.viz.graph.layered import to_svg
from hypothesis import given, settings, strategies as st

ROOT = Path(__file__).parents[3]
PROGRAMS = sorted([*(ROOT / "examples").glob("*.mlir"), *(ROOT / "docs" / "programs").glob("*.mlir")])
SVG = "{http://www.w3.org/2000/svg}"


def rectangles(svg: str) -> list[tuple[float, float, float, float]]:
    """The boxes with a border: left, top, right, bottom."""
    found = []
    for rectangle in ET.fromstring(svg).iter(f"{SVG}rect"):
        if rectangle.get("stroke") is not None:
            x, y, width, height = (float(rectangle.get(name) or 0) for name in ("x", "y", "width", "height"))
            found.append((x, y, x + width, y + height))
    return found


def nested_or_apart(boxes: list[tuple[float, float, float, float]]) -> bool:
    def fits(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
        apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        inside = a[0] >= b[0] and a[1] >= b[1] and a[2] <= b[2] and a[3] <= b[3]
        return apart or inside or (b[0] >= a[0] and b[1] >= a[1] and b[2] <= a[2] and b[3] <= a[3])

    return all(fits(a, b) for i, a in enumerate(boxes) for b in boxes[:i])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
def test_pictures_of_programs(program: Path):
    module = bufferize.parse(program.read_text(encoding="utf-8"))
    for kind in KINDS:
        try:
            canvas = draw(module, kind, explanation=lambda: bufferize.explain(module, with_help=False))
        except bufferize.BufferizeError:  # nothing to draw
            continue
        svg = to_svg(canvas)
        assert nested_or_apart(rectangles(svg)), kind
        text = "".join(ET.fromstring(svg).itertext())
        assert canvas.title in text and "&" not in text.replace("&&", "")


SWITCH = """func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  %r = scf.index_switch %i -> tensor<8xf32>
CASES  default {
    scf.yield %t : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
"""
CASE = """  case NUMBER {
    %a = tensor.insert %f into %t[%i] : tensor<8xf32>
    scf.yield %a : tensor<8xf32>
  }
"""


def curve(path: str) -> list[tuple[float, float]]:
    """Points along an SVG path of lines and cubic curves."""
    points: list[tuple[float, float]] = []
    for command, numbers in re.findall(r"([MLC])([^MLC]+)", path):
        values = [float(number) for number in re.findall(r"[-\d.]+", numbers)]
        corners = list(zip(values[::2], values[1::2], strict=True))
        if command == "M":
            points += corners
            continue
        start, end = points[-1], corners[-1]
        first, second = corners[:2] if command == "C" else (start, end)
        for step in range(1, 21):
            at = step / 20
            weights = ((1 - at) ** 3, 3 * at * (1 - at) ** 2, 3 * at * at * (1 - at), at**3)
            ends = list(zip(weights, (start, first, second, end), strict=True))
            points.append((sum(w * x for w, (x, _) in ends), sum(w * y for w, (_, y) in ends)))
    return points


@pytest.mark.parametrize("cases", [2, 5, 9])
def test_arrows_pass_between_the_frames_of_other_cases(cases: int):
    text = SWITCH.replace("CASES", "".join(CASE.replace("NUMBER", str(i)) for i in range(cases)))
    svg = to_svg(draw(bufferize.parse(text), "cfg"))
    boxes = rectangles(svg)

    def around(point: tuple[float, float], by: float) -> set[tuple[float, ...]]:
        x, y = point
        return {b for b in boxes if b[0] + by < x < b[2] - by and b[1] + by < y < b[3] - by}

    paths = [curve(path.get("d") or "") for path in ET.fromstring(svg).iter(f"{SVG}path")]
    assert len(paths) >= 3 * cases
    for path in paths:
        own = around(path[0], -1) | around(path[-1], -1)
        assert all(around(point, 2) <= own for point in path), path


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_random_graphs_in_random_frames(data: st.DataObject):
    canvas = Canvas("a <title> & more")
    frames = [None]
    for _ in range(data.draw(st.integers(0, 4))):
        frames.append(canvas.cluster("frame", inside=data.draw(st.sampled_from(frames))))
    nodes = [
        canvas.node(
            f"node {i} <{'x' * data.draw(st.integers(0, 9))}>", inside=data.draw(st.sampled_from(frames))
        )
        for i in range(data.draw(st.integers(1, 9)))
    ]
    ends = st.sampled_from(nodes)
    for source, target, upwards in data.draw(st.lists(st.tuples(ends, ends, st.booleans()), max_size=14)):
        canvas.edge(source, target, "leads & to", upwards=upwards)
    svg = to_svg(canvas)
    text = [element.text for element in ET.fromstring(svg).iter(f"{SVG}text")]
    assert nested_or_apart(rectangles(svg))
    assert all(any(t is not None and t.startswith(f"node {i} <") for t in text) for i in range(len(nodes)))
    assert svg == to_svg(canvas)


def test_deep_frames_do_not_recurse():
    canvas = Canvas("deep")
    frame = canvas.cluster("outermost")
    for _ in range(2_000):
        frame = canvas.cluster(inside=frame)
    canvas.node("inmost", inside=frame)
    assert "inmost" in to_svg(canvas)


def test_a_picture_that_graphviz_makes_wider_than_a_page_is_laid_out_simply(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Twenty boxes below one: Graphviz puts them side by side."""
    canvas = Canvas("wide")
    top = canvas.node("top")
    for number in range(20):
        canvas.edge(top, canvas.node(f"a box with a long label {number}"))
    monkeypatch.setattr(layered, "render", lambda dot, format: b'<svg width="4000pt" height="100pt"></svg>')
    monkeypatch.setattr(layered.shutil, "which", lambda name: name)
    wide = ET.fromstring(layered.drawn(canvas)).get("width") or ""
    assert float(wide) * layered.POINTS_A_PIXEL <= layered.WIDEST
    monkeypatch.setattr(layered, "render", lambda dot, format: b'<svg width="400pt" height="100pt"></svg>')
    assert layered.drawn(canvas) == b'<svg width="400pt" height="100pt"></svg>'

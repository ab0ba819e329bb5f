"""Text of the input stays text, whatever it holds."""

import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest
from bufferize.viz.graph.canvas import Canvas, Row, box, escape, quoted, styled
from hypothesis import HealthCheck, example, given, settings, strategies as st

needs_graphviz = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")

NASTY = [
    "<b>&amp;</b>", '"]; evil [x="', "\\N \\G \\l \\\\", "]]>", "<!-- -->", "a\x00b\x1bc", "\u202eabc", "  two  spaces ",
    "</TD></TR></TABLE>>", "漢字 é 🙂", "&#x41;", "\ufffe\uffff", "%<IMG SRC='/etc/passwd'/>", "'", "", "\r\n\t", "]", "]]",
]  # fmt: skip


@pytest.mark.parametrize("text", NASTY)
def test_markup_characters_are_taken_their_meaning(text):
    assert not re.search(r'[<>"\x00-\x1f]', escape(text))
    assert not re.search(r'[\x00-\x1f]|(?<!^)"(?!$)', quoted(text))


def svg_of(text: str) -> ElementTree.Element:
    canvas = Canvas(text)
    frame = canvas.cluster(text, tooltip=text)
    one = canvas.node(box([Row(text), Row(styled(text, mono=True, bold=True))]), inside=frame, tooltip=text)
    canvas.edge(one, canvas.node(text), text, tooltip=text)
    canvas.remark(text)
    done = subprocess.run(["dot", "-Tsvg"], input=canvas.to_dot().encode(), capture_output=True, check=True)
    assert not done.stderr, done.stderr
    return ElementTree.fromstring(done.stdout)


@needs_graphviz
@pytest.mark.parametrize("text", NASTY)
def test_graphviz_shows_text_as_it_is(text):
    svg = svg_of(text)
    tags = {element.tag.rpartition("}")[2] for element in svg.iter()}
    assert tags <= {"svg", "g", "title", "polygon", "path", "text", "a", "ellipse", "polyline"}
    shown = {
        "".join(element.itertext()).replace("\xa0", " ")
        for element in svg.iter()
        if element.tag.endswith("text")
    }
    if text.isprintable() and text.strip():
        assert text in shown or text.strip() in {one.strip() for one in shown}


@needs_graphviz
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=40))
@example("\\N")
@example("&lt;\\G&#10;")
def test_no_text_breaks_the_picture(text):
    assert svg_of(text).tag.endswith("svg")


@pytest.mark.parametrize("kind", ["cfg", "regions"])
def test_names_of_a_hostile_program_stay_inside_their_labels(picture_of, programs, kind):
    dot = picture_of(programs.hostile, kind).dot
    assert "<script" not in dot
    assert "<IMG" not in dot
    if shutil.which("dot"):
        done = subprocess.run(["dot", "-Tsvg"], input=dot.encode(), capture_output=True, check=True)
        svg = ElementTree.fromstring(done.stdout)
        assert not [element for element in svg.iter() if element.tag.endswith(("script", "image"))]

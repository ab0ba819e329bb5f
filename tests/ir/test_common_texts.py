"""What is recognised without the grammar is what the grammar says it is."""

import pytest
from bufferize.ir.source.diagnostics import BufferizeError
from bufferize.ir.text import syntax_builder
from bufferize.ir.text.literals import Mistake
from bufferize.ir.text.syntax import SyntaxScope, _simple_attribute
from hypothesis import example, given, settings, strategies as st

ITEMS = (
    "#map",
    "#map1",
    "#arith.fastmath<fast>",
    '"parallel"',
    '"a, ]b"',
    '"\\22"',
    "1",
    "-1 : i8",
    "0xFF800000 : f32",
    "0x7F : i8",
    "0x1FF : i8",
    "0x10",
    "1.5",
    "f32",
    "tensor<4xf32>",
    "@f::@g",
    "true",
    "unit",
    "[]",
    "affine_map<(d0, d1) -> (d1, 0)>",
    "affine_map<(d0) -> (d0 + 1)>",
    "affine_map<(d0) -> (-1)>",
    "dense_resource<w.f32_2> : tensor<4xf32>",
    "dense_resource<w> : tensor<?xf32>",
    "dense<1> : tensor<2xi8>",
)

items = st.sampled_from(ITEMS)
arrays = st.lists(items, max_size=3).map(lambda parts: f"[{', '.join(parts)}]")
values = items | arrays | st.lists(arrays, max_size=3).map(lambda parts: f"[{', '.join(parts)}]")
entries = st.tuples(st.sampled_from(("a", "b.c", "_d")), values).map(" = ".join)
texts = values | st.lists(entries, max_size=3).map(lambda parts: f"{{{', '.join(parts)}}}")


@st.composite
def nearly_right(draw):
    """A text of which a character may be missing or written twice."""
    text = draw(texts)
    at = draw(st.integers(0, len(text)))
    return (
        text[:at]
        + draw(st.sampled_from(("", ",", "[", "}", " ", text[at : at + 1])))
        + text[at + draw(st.integers(0, 1)) :]
    )


def scope():
    made = SyntaxScope()
    for name in ("map", "map1"):
        made.define_attribute(name, made.parse_attribute("affine_map<(d0) -> (d0)>"))
    return made


def by_grammar(text):
    try:
        return syntax_builder.parse("attribute_text", text, 0, len(text), scope())[0]
    except (BufferizeError, Mistake):
        return None


@settings(max_examples=150, deadline=None)
@given(texts | nearly_right())
@example("{a = [#map, #map1], b.c = []}")
@example("[[0, 1], [2]]")
@example("[1, ]")
@example("{a = 1, a = 1}")
def test_what_is_recognised_is_what_the_grammar_makes_of_it(text):
    for found in (_simple_attribute(text), scope()._composed(text)):
        assert found is None or found is by_grammar(text), text


@pytest.mark.parametrize(
    "text",
    [
        '{indexing_maps = [#map, #map1], iterator_types = ["parallel"]}',
        "{indexing_maps = [affine_map<(d0, d1) -> (d0)>], iterator_types = []}",
        "[[0, 1], [2]]",
        "0xFF800000 : f32",
        "dense_resource<torch_tensor_4_torch.float32> : tensor<4xf32>",
        "affine_map<(d0, d1, d2) -> (d1, 0, 0)>",
    ],
)
def test_what_networks_say_needs_no_grammar(text, monkeypatch):
    monkeypatch.setattr(syntax_builder, "parse", None)
    assert scope().parse_attribute(text) is not None

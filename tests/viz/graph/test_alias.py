"""Pictures of shared memory."""

import pytest
from bufferize.ir.source.diagnostics import BufferizeError


def test_values_of_one_buffer_share_a_frame(picture_of, programs):
    picture = picture_of(programs.structured, "alias")
    (inside,) = picture.frames.values()
    assert list(picture.frames) == ["one buffer"]
    assert [text.partition(" | ")[0] for text in inside] == ["%t", "%r", "%acc", "%x", "%w"]


def test_what_cannot_be_in_place_is_a_copy_between_buffers(picture_of, programs):
    picture = picture_of(programs.read_after_write, "alias")
    ((label, look),) = picture.edges_between("%t", "%0")
    assert label == "copy | tensor.insert"
    assert look["style"] == "bold"
    assert not picture.frames


def test_buffers_that_may_be_one_are_in_a_dashed_frame(picture_of, programs):
    picture = picture_of(programs.branch, "alias")
    assert {text.partition(" | ")[0] for text in picture.frames["may overlap"]} == {"%0", "%1", "%arg1"}
    assert {label for _, _, label, _ in picture.edges} == {"cf.br | perhaps"}


def test_focus_draws_the_group_of_a_value_only(picture_of):
    text = """
    func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %v: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
      %x = tensor.insert %v into %a[%i] : tensor<4xf32>
      %y = tensor.insert %v into %b[%i] : tensor<4xf32>
      return %x, %y : tensor<4xf32>, tensor<4xf32>
    }
    """
    assert len(picture_of(text, "alias").frames) == 2
    picture = picture_of(text, "alias", focus="%y")
    assert {shown.partition(" | ")[0] for shown in picture.nodes.values()} == {"%b", "%y"}


def test_long_chains_are_folded(picture_of):
    steps = "\n".join(f"  %t{i + 1} = tensor.insert %v into %t{i}[%i] : tensor<4xf32>" for i in range(200))
    text = f"func.func @f(%t0: tensor<4xf32>, %v: f32, %i: index) -> tensor<4xf32> {{\n{steps}\n return %t200 : tensor<4xf32>\n}}"
    picture = picture_of(text, "alias")
    assert len(picture.nodes) <= 3
    assert any("values, each made in place" in shown for shown in picture.nodes.values())


def test_nothing_to_draw_is_said(picture_of):
    with pytest.raises(BufferizeError, match="nothing shares memory"):
        picture_of("func.func @f(%a: i32) { return }", "alias")


def test_parts_that_nothing_connects_lie_in_a_grid(picture_of):
    args = ", ".join(f"%t{i}: tensor<4xf32>" for i in range(9))
    lines = "\n".join(f"%u{i} = tensor.insert %f into %t{i}[%i] : tensor<4xf32>" for i in range(9))
    returned = ", ".join(f"%u{i}" for i in range(9))
    types = ", ".join(["tensor<4xf32>"] * 9)
    text = (
        f"func.func @f({args}, %f: f32, %i: index) -> ({types}) {{\n{lines}\nreturn {returned} : {types}\n}}"
    )
    picture = picture_of(text, "alias")
    assert len(picture.frames) == 9
    assert 2 <= picture.dot.count("shape=point") <= 4, (
        "they hang below dividers, a row each, that are not seen"
    )

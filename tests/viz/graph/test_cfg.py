"""Pictures of control flow."""

import pytest


def test_blocks_are_nodes_with_their_operations(picture_of, programs):
    picture = picture_of(programs.branch, "cfg")
    assert picture.title == "Control flow of @condBranch"
    assert len(picture.nodes) == 4
    entry = picture.nodes[picture.node("^bb0")]
    assert (
        entry == "^bb0(%arg0: i1, %arg1: memref<2xf32>, %arg2: memref<2xf32>) | cf.cond_br %arg0, ^bb1, ^bb2"
    )
    assert "%0 = memref.alloc() : memref<2xf32>" in picture.nodes[picture.node("^bb2 |")]


@pytest.mark.parametrize(
    ("source", "target", "label"),
    [
        ("^bb0(", "^bb1 |", "%arg0 = true"),
        ("^bb0(", "^bb2 |", "%arg0 = false"),
        ("^bb1 |", "^bb3(%1", "%1 ← %arg1"),
        ("^bb2 |", "^bb3(%1", "%1 ← %0"),
    ],
)
def test_edges_say_their_condition_and_what_is_passed(picture_of, programs, source, target, label):
    ((found, look),) = picture_of(programs.branch, "cfg").edges_between(source, target)
    assert found == label
    assert "style" not in look


def test_back_edges_are_dashed_and_named(picture_of, programs):
    picture = picture_of(programs.nested_loops, "cfg")
    back = {(a, b) for a, b, label, look in picture.edges if look.get("style") == "dashed"}
    inner, outer, latch = picture.node("^inner("), picture.node("^outer("), picture.node("^latch")
    assert back == {(inner, inner), (latch, outer)}
    assert all("back edge" in label for a, b, label, _ in picture.edges if (a, b) in back)


def test_loops_are_nested_frames(picture_of, programs):
    frames = picture_of(programs.nested_loops, "cfg").frames
    assert {frame: len(inside) for frame, inside in frames.items()} == {
        "loop of ^outer": 3,
        "loop of ^inner": 1,
    }


def test_cases_of_a_switch_with_one_target_share_an_edge(picture_of, programs):
    picture = picture_of(programs.nested_loops, "cfg")
    assert [label for label, _ in picture.edges_between("^latch", "^exit")] == ["%flag = 42, 7"]


def test_dominator_tree_is_drawn_on_demand(picture_of, programs):
    with_tree = picture_of(programs.nested_loops, "cfg", dominators=True)
    (tree,) = [inside for frame, inside in with_tree.frames.items() if frame.startswith("Dominator tree")]
    assert tree == ["^bb0", "^outer", "^inner", "^latch", "^exit"]
    names = {text: name for name, text in with_tree.nodes.items() if text in tree}
    edges = {(a, b) for a, b, _, _ in with_tree.edges}
    for parent, child in [
        ("^bb0", "^outer"),
        ("^outer", "^inner"),
        ("^inner", "^latch"),
        ("^outer", "^exit"),
    ]:
        assert (names[parent], names[child]) in edges
    assert not any("Dominator" in frame for frame in picture_of(programs.nested_loops, "cfg").frames)


def test_short_lines_leave_types_out(picture_of, programs):
    picture = picture_of(programs.branch, "cfg", short=True)
    assert "%0 = memref.alloc()" in picture.nodes[picture.node("^bb2 |")]
    assert "memref<" not in "".join(picture.nodes.values())


def test_operations_that_control_enters_are_frames_with_their_edges(picture_of, programs):
    picture = picture_of(programs.structured, "cfg")
    assert list(picture.frames) == ["scf.for loop", "body", "scf.if", "then", "else"]
    assert picture.frames["then"] == [
        "%w = tensor.insert %v into %acc[%i] : tensor<?xf32> | scf.yield %w : tensor<?xf32>"
    ]
    ((label, look),) = picture.edges_between("scf.yield %x", "arguments")
    assert (label, look["style"]) == ("back edge | %acc ← %x", "dashed")
    ((label, _),) = picture.edges_between("%r = scf.for", "arguments")
    assert label == "entry | %acc ← %t"
    assert {label for label, _ in picture.edges_between("scf.yield %x", "results %r")} == {"exit | %r ← %x"}
    ((label, _),) = picture.edges_between("%x = scf.if", "%w = tensor.insert")
    assert label == "%c = true"


def test_what_is_in_no_frame_stays_a_line_of_its_box(picture_of):
    text = """
    func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
      %r = linalg.map ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) (%x: f32, %o: f32) {
        %n = arith.negf %x : f32
        linalg.yield %n : f32
      }
      return %r : tensor<4xf32>
    }
    """
    (shown,) = picture_of(text, "cfg").nodes.values()
    assert "| %n = arith.negf %x : f32 |" in shown


def test_long_blocks_are_folded_and_say_so(picture_of):
    body = "\n".join(f"  %c{i} = arith.constant {i} : index" for i in range(500))
    text = f"func.func @long() {{\n{body}\n  %m = memref.alloc() : memref<4xf32>\n{body.replace('%c', '%d')}\n  return\n}}"
    (shown,) = picture_of(text, "cfg").nodes.values()
    assert shown.count(" | ") < 40
    assert "%m = memref.alloc()" in shown, "allocations are never folded away"
    folded = sum(int(part.split()[1]) for part in shown.split(" | ") if part.startswith("⋯"))
    assert folded + shown.count(" | ") - 2 == 1002


def ladder(blocks: int) -> str:
    parts = ["func.func @ladder(%c: i1) {", "  cf.br ^b0"]
    for i in range(blocks):
        parts += [f"^b{i}:", f"  cf.cond_br %c, ^b{i + 1}, ^b{i + 2}"]
    parts += [f"^b{blocks}:", f"  cf.br ^b{blocks + 1}", f"^b{blocks + 1}:", "  return", "}"]
    return "\n".join(parts)


def test_large_graphs_are_folded_and_say_how_much(picture_of):
    picture = picture_of(ladder(1000), "cfg")
    assert len(picture.nodes) == 151
    assert "853 blocks of 1,003 folded" in picture.title
    assert "853 more blocks, 853 operations" in picture.nodes[picture.node("more blocks")]


def test_focus_draws_the_blocks_around_a_value(picture_of, programs):
    picture = picture_of(programs.nested_loops, "cfg", focus="%again")
    assert {text.partition("(")[0].partition(" |")[0] for text in picture.nodes.values()} == {
        "^outer", "^inner", "^latch", "⋯ 2 more blocks, 3 operations",
    }  # fmt: skip


def test_very_many_blocks_are_drawn_in_linear_time(picture_of):
    assert len(picture_of(ladder(5_000), "cfg").nodes) == 151

"""Small programs to draw, and parsing a picture back: nodes, edges and frames, with markup removed from labels."""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from bufferize.explain.report import explain_module
from bufferize.ir.text.parser import parse_text
from bufferize.ir.verifier import verify
from bufferize.viz.graph import draw
from bufferize.viz.graph.canvas import Canvas

BRANCH = """
func.func @condBranch(%arg0: i1, %arg1: memref<2xf32>, %arg2: memref<2xf32>) {
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%arg1 : memref<2xf32>)
^bb2:
  %0 = memref.alloc() : memref<2xf32>
  cf.br ^bb3(%0 : memref<2xf32>)
^bb3(%1: memref<2xf32>):
  memref.copy %1, %arg2 : memref<2xf32> to memref<2xf32>
  return
}
"""

NESTED_LOOPS = """
func.func @loops(%n: index, %flag: i32) {
  %zero = arith.constant 0 : index
  cf.br ^outer(%zero : index)
^outer(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^inner(%i : index), ^exit
^inner(%j: index):
  %again = arith.cmpi slt, %j, %n : index
  cf.cond_br %again, ^inner(%j : index), ^latch
^latch:
  cf.switch %flag : i32, [default: ^outer(%i : index), 42: ^exit, 7: ^exit]
^exit:
  return
}
"""

STRUCTURED = """
func.func @structured(%lb: index, %ub: index, %t: tensor<?xf32>, %c: i1, %v: f32) -> tensor<?xf32> {
  %one = arith.constant 1 : index
  %r = scf.for %i = %lb to %ub step %one iter_args(%acc = %t) -> (tensor<?xf32>) {
    %x = scf.if %c -> (tensor<?xf32>) {
      %w = tensor.insert %v into %acc[%i] : tensor<?xf32>
      scf.yield %w : tensor<?xf32>
    } else {
      scf.yield %acc : tensor<?xf32>
    }
    scf.yield %x : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
"""

READ_AFTER_WRITE = """
func.func @read_after_write(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, f32
}
"""

BUFFERS = """
func.func @buffers(%n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %n step %n {
    %t = memref.alloc() : memref<32xf32>
    memref.store %v, %t[%i] : memref<32xf32>
    memref.store %v, %a[%i] : memref<16xf32>
    memref.dealloc %t : memref<32xf32>
  }
  memref.dealloc %a : memref<16xf32>
  %d = memref.alloc(%n) : memref<?xf32>
  memref.store %v, %d[%c0] : memref<?xf32>
  return
}
"""

HOSTILE = r"""
"x.<script>alert(1)</script>"() : () -> ()
func.func @"a\"></TABLE>]; evil [label=\\N <b>&amp;"(%arg0: i32) {
  "x.\N\G\L\"</TD>"(%arg0) {"</FONT>" = "&lt;\0A<IMG SRC='x'/>"} : (i32) -> ()
  return
}
"""


@dataclass
class Picture:
    """The visible content: texts of nodes by name, edges, frames with the texts of the nodes inside."""

    dot: str
    title: str
    nodes: dict[str, str]
    edges: list[tuple[str, str, str, dict[str, str]]]
    frames: dict[str, list[str]] = field(default_factory=dict)

    def node(self, text: str) -> str:
        """The name of the only node that begins with `text`, or else shows it somewhere."""
        found = [name for name, shown in self.nodes.items() if shown.startswith(text)]
        found = found or [name for name, shown in self.nodes.items() if text in shown]
        assert len(found) == 1, f"{text!r} is in {len(found)} nodes of {list(self.nodes.values())}"
        return found[0]

    def edges_between(self, source: str, target: str) -> list[tuple[str, dict[str, str]]]:
        """Label and attributes of the edges between the nodes that show two texts."""
        ends = self.node(source), self.node(target)
        return [(label, look) for a, b, label, look in self.edges if (a, b) == ends]


def plain(label: str) -> str:
    """The text of an HTML-like label; lines and cells are separated by ` | `."""
    if label.startswith("<") and label.endswith(">"):
        label = label[1:-1]
    text = re.sub(r"<BR[^>]*/>|</TD>|<HR/>", " | ", label)
    text = html.unescape(re.sub(r"<[^>]*>", "", text)).replace("\xa0", " ").replace("\\\\", "\\")
    return re.sub(r"(\s*\|\s*)+", " | ", text).strip(" |")


def read(canvas: Canvas) -> Picture:
    """The picture on a canvas."""
    dot = canvas.to_dot()
    picture = Picture(dot, plain(canvas.graph.get_label()), {}, [])
    labels: dict[str, str] = {}
    begun: dict[str, str] = {}
    """For labels on arrows: the source of the arrow."""

    def visit(graph: Any, frames: tuple[str, ...]) -> None:
        for node in graph.get_nodes():
            name = node.get_name()
            if name in ("node", "edge", "graph") or node.get_style() == "invis":
                continue
            if node.get_attributes().get("class") == '"label"':
                labels[name] = plain(node.get_label())
                continue
            picture.nodes[name] = plain(node.get_label() or "")
            for frame in frames:
                picture.frames[frame].append(picture.nodes[name])
        for inner in graph.get_subgraphs():
            frame = " ".join(plain(inner.get_label() or "").split())
            if frame in picture.frames:
                frame += f" {len(picture.frames)}"
            picture.frames[frame] = []
            visit(inner, (*frames, frame))

    visit(canvas.graph, ())
    for edge in canvas.graph.get_edges():
        look = {key: str(value).strip('"') for key, value in edge.get_attributes().items()}
        if look.get("style") == "invis":
            continue
        source, target = edge.get_source(), edge.get_destination()
        if look.get("dir") == "back":
            source, target = target, source
        if target in labels:
            begun[target] = source
            continue
        label = labels.get(source, plain(look.get("label", "")))
        picture.edges.append((begun.get(source, source), target, label, look))
    return picture


def _picture_of(text: str, kind: str, **request: Any) -> Picture:
    module = parse_text(text, allow_unregistered=True)
    verify(module, allow_unregistered=True)
    explain = partial(explain_module, module, with_help=False, with_clones=False)
    return read(draw(module, kind, explanation=explain, **request))


@pytest.fixture(scope="session")
def picture_of() -> Callable[..., Picture]:
    """A function from a program, a kind and a request to the picture."""
    return _picture_of


@pytest.fixture(scope="session")
def programs() -> SimpleNamespace:
    return SimpleNamespace(
        branch=BRANCH,
        nested_loops=NESTED_LOOPS,
        structured=STRUCTURED,
        read_after_write=READ_AFTER_WRITE,
        buffers=BUFFERS,
        hostile=HOSTILE,
    )

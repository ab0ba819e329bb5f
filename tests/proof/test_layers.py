"""States of blocks in layers say what whole copies of them say."""

import bufferize
import pytest
from bufferize.cli.fuzz_command import transform
from bufferize.interpreter.fuzz import PASS
from bufferize.interpreter.generate_graphs import graph_program
from bufferize.proof import blocks


def answers(seed: int) -> list[str]:
    before = bufferize.parse(graph_program(seed))
    after = before.clone()
    transform(after, (PASS,), "")
    return [question.text for question in bufferize.prove(before, after).questions]


@pytest.mark.parametrize("seed", range(12))
def test_random_graphs_of_blocks(seed, monkeypatch):
    layered = answers(seed)

    def copied(state, count, below, forks):
        return [blocks._copy(blocks._over(below, state)) for _ in range(count)]

    monkeypatch.setattr(blocks, "_forked", copied)
    assert answers(seed) == layered


def test_a_branch_that_returns_keeps_its_state():
    """One of two ways out of a block ends; what the other one does afterwards is not seen there."""
    text = """
func.func @f(%a: memref<4xf32>, %c: i1, %d: i1, %f: f32, %i: index) -> f32 {{
  cf.cond_br %c, ^early, ^on
^early:
  cf.br ^end
^on:
  cf.cond_br %d, ^left, ^right
^left:
  memref.store %f, %a[%i] : memref<4xf32>
  cf.br ^join
^right:
  cf.br ^join
^join:
  {more}
  cf.br ^end
^end:
  %x = memref.load %a[%i] : memref<4xf32>
  return %x : f32
}}
"""
    before = bufferize.parse(text.format(more=""))
    assert bufferize.prove(before, bufferize.parse(text.format(more=""))).proved
    wrong = bufferize.parse(text.format(more="memref.store %f, %a[%i] : memref<4xf32>"))
    assert not bufferize.prove(before, wrong).proved

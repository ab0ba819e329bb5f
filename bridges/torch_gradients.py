"""Traces torch modules that compute gradients, which `torch.export` cannot do.

The trace is a graph of torch's operations on the arguments, without in-place operations. Buffers that the module
overwrites become its first arguments, as in an exported program; all else that the module holds is constant.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence

from .external_calls import Foreign


def traced(
    torch: Foreign, module: Foreign, arguments: Sequence[object], decompositions: Mapping[object, object]
) -> tuple[Foreign, dict[int, int]]:
    """A graph module, and the arguments that it overwrites, each with the result that is its new contents."""
    buffers = dict(module.named_buffers())
    _, changed = _trace(torch, module, buffers, arguments, decompositions)
    names = [name for index, name in enumerate(buffers) if index in changed]
    return _trace(torch, module, {name: buffers[name] for name in names}, arguments, decompositions)


def _trace(
    torch: Foreign,
    module: Foreign,
    buffers: Mapping[str, Foreign],
    arguments: Sequence[object],
    decompositions: Mapping[object, object],
) -> tuple[Foreign, dict[int, int]]:
    trees = importlib.import_module("torch.utils._pytree")
    make_fx = importlib.import_module("torch.fx.experimental.proxy_tensor").make_fx
    leaves, structure = trees.tree_flatten(tuple(arguments))

    def run(given: Sequence[Foreign]) -> list[Foreign]:
        """The contents of the inputs after a call of the module, and its results."""
        inputs = [value.clone() for value in given]
        held = dict(zip(buffers, inputs, strict=False))
        positional = trees.tree_unflatten(inputs[len(buffers) :], structure)
        results = torch.func.functional_call(module, held, positional)
        return [*inputs, *trees.tree_leaves(results)]

    flat = [*buffers.values(), *leaves]
    flags = {"tracing_mode": "fake", "_allow_non_fake_inputs": True}
    first = make_fx(run, **flags, record_stack_traces=True)(flat)
    again = torch.func.functionalize(torch.fx.Interpreter(first).run, remove="mutations")
    with importlib.import_module("torch.fx.traceback").preserve_node_meta():  # the lines of the first trace
        graph_module = make_fx(lambda given: again(*given), dict(decompositions), **flags)(flat)
    return graph_module, _without_clones(torch, graph_module.graph, len(flat), graph_module)


def _without_clones(torch: Foreign, graph: Foreign, inputs: int, graph_module: Foreign) -> dict[int, int]:
    """Use the inputs instead of clones; results that are unchanged inputs, or constants, are left out."""
    placeholders = graph.find_nodes(op="placeholder")
    for node in list(graph.nodes):
        if node.target is torch.ops.aten.clone.default and node.args[0] in placeholders:
            node.replace_all_uses_with(node.args[0])
            graph.erase_node(node)
    output = next(reversed(graph.find_nodes(op="output")))
    values = output.args[0]
    overwritten = [index for index in range(inputs) if values[index] is not placeholders[index]]
    results = [value for value in values[inputs:] if hasattr(value, "op")]
    output.args = (tuple([values[index] for index in overwritten] + results),)
    graph_module.recompile()
    return {index: position for position, index in enumerate(overwritten)}

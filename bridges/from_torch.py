"""Lowering of torch modules to linalg on tensors: export, import as operations of torch, and torch-mlir's pipelines.

IREE's compiler contains the importer and the pipelines; torch-mlir itself is used where it is installed. Parameters are
constants of the program. Buffers that the module overwrites are arguments, and their new contents results.
"""

from __future__ import annotations

import importlib
import importlib.util
import operator
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import FunctionType
from typing import Final

from ..dialects import func
from ..dialects.function_like import DONATED
from ..ir.program.core import Operation
from ..ir.source.diagnostics import InputError
from ..ir.types import attributes as a, types as t
from .lowering import TORCH, Foreign, Rejected, asm, package, read_lowered, refused, run_tool, with_calls


def is_exported(value: object) -> bool:
    """Whether it is the result of `torch.export.export`."""
    return hasattr(value, "graph_signature") and hasattr(value, "run_decompositions")


def from_torch(value: Foreign, arguments: Sequence[object], path: str) -> Operation:
    """Export a torch module, and lower it to linalg on tensors.

    Parameters are constants. Buffers that the module changes are arguments, and their new contents results.
    """
    torch = package("torch", "a torch module needs torch", TORCH)
    program, overwritten = _graph(torch, value, arguments, path)
    try:
        if importlib.util.find_spec("torch_mlir") is not None:
            fx = importlib.import_module("torch_mlir.fx")
            load = fx.export_and_import if is_exported(program) else fx.stateless_fx_import
            module = load(program, output_type="linalg-on-tensors", decomposition_table={})
            return _donating(read_lowered(asm(module), path), overwritten)
        why = f"'{path}' is a torch module, which is lowered to linalg by IREE's compiler"
        ir = package("iree.compiler.ir", why, TORCH)
        fx_importer = package("iree.compiler.extras.fx_importer", why, TORCH)
        importer = fx_importer.FxImporter(
            context=ir.Context(), graph_node_importer_cls=_importing_branches(fx_importer, ir)
        )
        load = importer.import_frozen_program if is_exported(program) else importer.import_graph_module
        load(program)
    except InputError:
        raise
    except Exception as failure:
        raise refused(f"{path} cannot be lowered to linalg: {_first_line(failure)}") from failure
    return _donating(read_lowered(_to_linalg(asm(importer.module), path), path), overwritten)


def _graph(
    torch: Foreign, value: Foreign, arguments: Sequence[object], path: str
) -> tuple[Foreign, dict[int, int]]:
    """An exported program or a graph module, and the arguments that it overwrites, with their new contents.

    Raises:
        InputError: torch can neither export nor trace it.
    """
    table = _decompositions(torch)
    given = value if is_exported(value) else _torch_module(value, path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # torch's, about itself
            exported = given if is_exported(value) else torch.export.export(given, tuple(arguments))
            program = _plain(exported.run_decompositions(table))
            return program, _overwritten_arguments(torch, program.graph_signature)
    except Exception as failure:
        if not is_exported(value):
            with suppress(Exception):
                return _traced(torch, given, arguments, table)
        hint = "; torch.cond and torch.where depend on values" if "data-dependent" in str(failure) else ""
        raise refused(f"torch cannot export {path}: {_first_line(failure)}{hint}") from failure


def _traced(
    torch: Foreign, module: Foreign, arguments: Sequence[object], decompositions: Mapping[object, object]
) -> tuple[Foreign, dict[int, int]]:
    """Trace a module that computes gradients, which `torch.export` cannot do: a graph of torch's operations on the arguments,
    without in-place operations. Buffers that the module overwrites become its first arguments, as in an exported program;
    all else that it holds is constant.

    Returns a graph module, and the arguments that it overwrites, each with the result that is its new contents.
    """
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


def _importing_branches(fx_importer: Foreign, ir: Foreign) -> type:
    """An importer of graphs that also imports `torch.cond`, as a `torch.prim.If` that calls the branches."""

    def import_cond(self: Foreign, loc: Foreign, node: Foreign, hop: Foreign) -> None:
        wanted, *branches, given = node.args
        types = [self._cc.value_info_to_type(value) for value in node.meta["val"]]
        operands = [self._import_argument(loc, value) for value in given]
        is_true = ir.Operation.create(
            "torch.aten.Bool.Tensor",
            [self._cc.torch_bool_type],
            [self._import_argument(loc, wanted)],
            loc=loc,
        )
        made = ir.Operation.create("torch.prim.If", types, [is_true.result], regions=2, loc=loc)
        for region, branch in zip(made.regions, branches, strict=True):
            module = getattr(node.graph.owning_module, branch.target)
            callee = ir.FlatSymbolRefAttr.get(self.fx_importer._graph_module_to_func_name[id(module)])
            with loc, ir.InsertionPoint(ir.Block.create_at_start(region, [])):
                call = ir.Operation.create("func.call", types, operands, {"callee": callee}, loc=loc)
                ir.Operation.create("torch.prim.If.yield", [], list(call.results), loc=loc)
        self._multi_result_nodes.add(node)
        for index, value in enumerate(made.results):
            self.bind_node_value(node, value, index)

    return type("ImporterWithBranches", (fx_importer.GraphNodeImporter,), {"_import_hop_cond": import_cond})


def _plain(program: Foreign) -> Foreign:
    """A decomposed program without effect tokens, which order checks, and without constant results, such as None."""
    tokens = importlib.import_module("torch.export._remove_effect_tokens_pass")
    program = tokens._remove_effect_tokens(program)
    output = next(reversed(program.graph.find_nodes(op="output")))
    specs = program.graph_signature.output_specs
    kept = [index for index, value in enumerate(output.args[0]) if hasattr(value, "op")]
    specs[:] = [specs[index] for index in kept]
    output.args = (tuple(output.args[0][index] for index in kept),)
    return program


def _overwritten_arguments(torch: Foreign, signature: Foreign) -> dict[int, int]:
    """The arguments that a program overwrites, each with the result that is its new contents; its buffers become arguments."""
    kinds = torch.export.graph_signature
    results: dict[str, int] = {}
    for index, made in enumerate(signature.output_specs):
        if made.kind in (kinds.OutputKind.BUFFER_MUTATION, kinds.OutputKind.USER_INPUT_MUTATION):
            results[made.target] = index
    found: dict[int, int] = {}
    position = 0
    for taken in signature.input_specs:
        name = taken.target if taken.kind is kinds.InputKind.BUFFER else taken.arg.name
        if taken.kind is kinds.InputKind.USER_INPUT or name in results:
            if name in results:
                found[position] = results[name]
            taken.kind, taken.target = kinds.InputKind.USER_INPUT, None
            position += 1
    return found


def _donating(module: Operation, overwritten: dict[int, int]) -> Operation:
    """Mark arguments of a lowered torch module's function as donated for results; other functions are declarations."""
    for function in module.walk():
        if isinstance(function, func.FuncOp) and not function.is_declaration:
            for argument, result in overwritten.items():
                function.set_arg_attr(argument, DONATED, a.IntegerAttr(result, t.I32))
    return module


_TORCH_TO_LINALG: Final = (
    "--pass-pipeline=builtin.module(func.func(torch-match-quantized-custom-ops),"
    "torchdynamo-export-to-torch-backend-pipeline,torch-backend-to-linalg-on-tensors-backend-pipeline)"
)


_VERIFICATION: Final = "torch-verify-linalg-on-tensors-backend-contract"
"""The last pass of these pipelines; it rejects calls."""


def _to_linalg(text: str, path: str) -> str:
    """Lower a module of torch's operations; those that the pipelines cannot lower become calls of external functions."""
    pipeline = _TORCH_TO_LINALG
    while True:
        try:
            return run_tool("iree-opt", [pipeline], text, path)
        except Rejected as failure:
            text = with_calls(failure, text)
        if pipeline is _TORCH_TO_LINALG:
            pipeline = _without_verification(path)


def _without_verification(path: str) -> str:
    """The passes of the pipelines, as `iree-opt` prints them, without the last one."""
    printed = run_tool("iree-opt", [_TORCH_TO_LINALG, "--dump-pass-pipeline"], "", path, output="stderr")
    passes = "".join(printed[printed.index("builtin.module(") :].rpartition(")")[0].split("\n"))
    return f"--pass-pipeline={passes.rstrip().removesuffix(_VERIFICATION).rstrip().rstrip(',')})"


def _torch_module(value: Foreign, path: str) -> Foreign:
    """A module that `torch.export` accepts: a class is instantiated for inference, a function is wrapped."""
    torch = importlib.import_module("torch")
    if isinstance(value, torch.nn.Module):
        return value
    if isinstance(value, type):
        try:
            return value().eval()
        except TypeError as failure:
            raise refused(
                f"{path} is a class that needs arguments; name an instance of it: {failure}"
            ) from None

    # torch records the lines of functions called `forward` only
    code = value.__code__.replace(co_name="forward")
    forward = FunctionType(code, value.__globals__, "forward", value.__defaults__, value.__closure__)
    forward.__kwdefaults__ = value.__kwdefaults__
    return type("Function", (torch.nn.Module,), {"forward": staticmethod(forward)})()


_LOWERED_WHOLE: Final = (
    "stft", "istft", "fft_fft", "fft_fft2", "fft_fftn", "fft_ifft", "fft_ifft2", "fft_ifftn", "fft_rfft", "fft_rfft2",
    "fft_rfftn", "fft_irfft", "fft_irfft2", "fft_irfftn", "fft_hfft", "fft_hfft2", "fft_hfftn", "fft_ihfft",
    "fft_ihfft2", "fft_ihfftn", "fft_fftshift", "fft_ifftshift", "norm", "linalg_norm", "linalg_vector_norm",
    "linalg_slogdet", "roll", "one_hot", "empty_like", "rms_norm", "all", "isfinite", "logaddexp", "logaddexp2", "eye",
    "isclose",
)  # fmt: skip
_DECOMPOSED: Final = (
    "native_group_norm", "upsample_bilinear2d.vec", "native_layer_norm", "addmm", "_native_batch_norm_legit_functional",
    "_native_batch_norm_legit_no_training", "_native_batch_norm_legit", "_native_batch_norm_legit.no_stats",
    "squeeze.dims", "_euclidean_dist", "grid_sampler_2d", "_adaptive_avg_pool2d", "full", "logsumexp", "_log_softmax",
    "_to_copy", "diag", "_scaled_dot_product_flash_attention_for_cpu", "scaled_dot_product_attention",
)  # fmt: skip
"""Operations of torch that torch-mlir lowers as they are, and those beyond torch's core that it needs decomposed."""


def _decompositions(torch: Foreign) -> dict[object, object]:
    """The core operations of torch, except for those that torch-mlir lowers whole.

    Follows `torch_mlir.extras.fx_decomp_util`, which IREE's compiler does not contain.
    """
    decompose, aten = importlib.import_module("torch._decomp"), torch.ops.aten
    kept = {getattr(aten, name) for name in _LOWERED_WHOLE if hasattr(aten, name)}
    table = {
        op: made
        for op, made in decompose.core_aten_decompositions().items()
        if op._overloadpacket not in kept
    }
    extra = [operator.attrgetter(name)(aten) for name in _DECOMPOSED if hasattr(aten, name.partition(".")[0])]
    wide = {aten.div.Tensor_mode: _divided_wide, aten.div.Scalar_mode: _divided_wide}
    return {**table, **decompose.get_decompositions(extra), **wide}


def _divided_wide(x: Foreign, y: Foreign, rounding_mode: str | None = None) -> Foreign:
    """Divide integers of 8 and 16 bits with 32, since torch-mlir's lowering of their division fails."""
    torch = importlib.import_module("torch")
    kind = torch.result_type(x, y)
    if rounding_mode is None or kind not in (torch.int8, torch.uint8, torch.int16):
        return NotImplemented
    return torch.div(x.to(torch.int32), y, rounding_mode=rounding_mode).to(kind)


def _first_line(failure: Exception) -> str:
    lines = [line.strip() for line in str(failure).splitlines() if line.strip()] or [type(failure).__name__]
    return " ".join(lines[: 2 if lines[0].endswith(":") else 1])

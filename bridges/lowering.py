"""Lowering to linalg on tensors by the tools of IREE's compiler, which read StableHLO and torch.

Programs are passed as text. What the tools reject becomes an `InputError` that names the operation and its line.
"""

from __future__ import annotations

import importlib
import re
import subprocess
from collections.abc import Sequence
from types import ModuleType
from typing import Final

from ..dialects import func, iree_linalg_ext as iree
from ..ir.program.core import Operation
from ..ir.source.diagnostics import InputError, error, present
from ..ir.source.locations import Source
from ..ir.text.parser import parse_source
from .external_calls import Foreign, call_operations

JAX: Final = "pip install 'bufferize[jax]'"
TORCH: Final = "pip install 'bufferize[torch]'"

_MESH: Final = re.compile(r"^ *sdy\.mesh @.*\n", re.MULTILINE)
"""JAX's declaration of devices, in a dialect that IREE's compiler does not have."""
_ERROR: Final = re.compile(
    r"(?:(?P<place>\S+:\d+):\d+: )?(?:error: )?"
    r"(?P<message>(?:failed to legalize operation '(?P<operation>[\w.]+)')?"
    r"(?:.*\"torch\.operator\".*<\{name = \"(?P<undeclared>[\w.]+)\")?.*)"
)


def refused(message: str) -> InputError:
    return InputError(error(message, code="model"))


def package(name: str, why: str, how: str) -> ModuleType:
    """Import a module of another project.

    Raises:
        InputError: it is not installed; the message says how to install it.
    """
    try:
        return importlib.import_module(name)
    except ImportError:
        raise refused(f"{why}, which is not installed: {how}") from None


def asm(module: Foreign) -> str:
    """The text of a module of Python bindings, with locations."""
    return module.operation.get_asm(enable_debug_info=True)


def from_stablehlo(text: str, path: str, is_file: bool = False) -> Operation:
    """Lower StableHLO to linalg on tensors, by IREE's input pipeline.

    Args:
        is_file: whether the text is the contents of the file `path`, which locations then name.
    """
    why = f"'{path}' is in StableHLO, which is lowered to linalg by IREE's compiler"
    package("iree.compiler.tools.binaries", why, JAX)
    text = text if is_file else _MESH.sub("", text)
    program = path if is_file else "-"
    while True:
        flags = ["--compile-to=input", "--iree-input-type=stablehlo", program]
        try:
            lowered = run_tool("iree-compile", flags, text, path)
            break
        except Rejected as failure:
            text = with_calls(failure, path if program == path else text, program == path)
            program = "-"
    return _plain_functions(read_lowered(lowered, path))


def with_calls(failure: Rejected, program: str, is_path: bool = False) -> str:
    """The text of a program, with calls of external functions in place of what was rejected.

    Raises:
        Rejected: the program has no such operation, or it cannot be a call.
    """
    ir = importlib.import_module("iree.compiler.ir")
    text = call_operations(ir, program, failure.operation, failure.place, is_path)
    if text is None:
        raise failure
    return text


class Rejected(InputError):
    """A tool of IREE's compiler fails.

    Attributes:
        operation: the name of the operation that it cannot lower; empty if it does not say.
        place: file and line, `model.py:12`; empty if it does not say.
    """

    def __init__(self, message: str, operation: str, place: str):
        super().__init__(error(message, code="model"))
        self.operation, self.place = operation, place


def run_tool(tool: str, flags: Sequence[str], text: str, path: str, output: str = "stdout") -> str:
    """The output of one of the tools of IREE's compiler; `text` is its standard input.

    Raises:
        Rejected: it fails.
    """
    binaries = importlib.import_module("iree.compiler.tools.binaries")
    command = [binaries.find_tool(tool), *flags, "--mlir-print-debuginfo", "-o", "-"]
    run = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if run.returncode:
        raise _rejection(run.stderr, path)
    return getattr(run, output)


def _rejection(stderr: str, path: str) -> Rejected:
    """The error of a tool of IREE's compiler for the program called `path`."""
    first = next(
        (line for line in stderr.splitlines() if "error:" in line), stderr.strip().partition("\n")[0]
    )
    match = present(_ERROR.match(first))
    operation = match["undeclared"] or match["operation"] or ""
    place = match["place"] or ""
    what = (
        f"cannot lower '{operation}' to linalg" if operation else f"cannot lower {path}: {match['message']}"
    )
    at = f" ({place})" if place else ""
    way_out = "compute it with other operations, or pass a file in linalg that another compiler lowered"
    return Rejected(f"IREE's compiler {what}{at}: {way_out}", operation, place)


def read_lowered(text: str, path: str) -> Operation:
    return parse_source(Source(path, text), allow_unregistered=True)


def _plain_functions(module: Operation) -> Operation:
    """Replace IREE's functions, calls and returns by those of `func`, and barriers by their operands.

    The barriers of `jax.checkpoint` have kept IREE from merging what is to be rematerialized; they compute nothing.
    """
    kinds: dict[type[Operation], type[Operation]] = {
        iree.FuncOp: func.FuncOp,
        iree.CallOp: func.CallOp,
        iree.ReturnOp: func.ReturnOp,
    }
    for op in list(module.walk_post_order()):
        if isinstance(op, iree.BarrierOp):
            op.replace_with(op.operands)
        kind = kinds.get(type(op))
        if kind is None:
            continue
        made = kind(op.operands, op.result_types, op.attributes, op.properties, op.regions, (), op.where)
        made.location = op.location
        op.regions = []
        assert op.block is not None
        op.block.insert_before(made, op)
        op.replace_with(made.results)
    return module

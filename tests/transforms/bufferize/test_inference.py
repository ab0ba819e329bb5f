"""Types of buffers, asked about before the operations that make them are rewritten."""

from __future__ import annotations

from bufferize.ir.text.parser import parse_text
from bufferize.ir.verifier import verify
from bufferize.transforms.bufferize.inference import TypeInference
from bufferize.transforms.pass_manager import PassManager, make_pass

T = "tensor<8xf32>"


def nest(depth: int) -> str:
    """Conditionals nested in one another, each with a fresh tensor in its other branch."""
    lines = [f"func.func @f(%t: {T}, %c: i1) -> {T} {{"]
    lines += [f"%r{k} = scf.if %c -> ({T}) {{" for k in range(depth)]
    inner = "%t"
    for k in reversed(range(depth)):
        lines += [f"scf.yield {inner} : {T}", "} else {", f"%e{k} = tensor.empty() : {T}"]
        lines += [f"scf.yield %e{k} : {T}", "}"]
        inner = f"%r{k}"
    return "\n".join([*lines, f"return %r0 : {T}", "}"])


def test_each_branch_of_a_nest_is_asked_about_a_few_times(monkeypatch) -> None:
    depth = 200
    asked = []
    start = TypeInference._start

    def counted(self, value):
        asked.append(value)
        return start(self, value)

    monkeypatch.setattr(TypeInference, "_start", counted)
    module = parse_text(nest(depth))
    PassManager([make_pass("one-shot-bufferize", "bufferize-function-boundaries")]).run(module)
    verify(module)
    assert len(asked) < 20 * depth

"""What each id of an explanation means: for SARIF viewers, and as the source of the handbook's pages."""

from __future__ import annotations

from ..ir.source.diagnostics import Meaning

MEANINGS: dict[str, tuple[str, str]] = {
    "read-after-write": (
        "A value is read after its buffer would have been overwritten",
        "The operation would write to a buffer whose old contents are read later. It gets a copy. Move the read before "
        "the write, write to another destination, or read the new value.",
    ),
    "carried-around-loop": (
        "A later iteration reads what an earlier one would have overwritten",
        "The read comes before the write in the text, but the loop runs the write before the next read, and the contents "
        "were made outside of the loop. Pass the tensor through iter_args, or read it before the loop.",
    ),
    "not-writable": (
        "The buffer may not be written",
        "The operation would write to a constant, to an argument marked as not writable, or to memory that others own. "
        "Copy on purpose, or allow the write where it is yours to allow.",
    ),
    "parallel-region": (
        "Iterations that run at once would write one buffer",
        "The buffer is made outside of a parallel loop and written inside. Make it inside, so that each iteration has its own.",
    ),
    "unknown-operation": (
        "An operation of which nothing is known takes part",
        "Operations without a bufferization model are taken to read and write everything they touch. Describe them with "
        "--models FILE.",
    ),
    "no-destination": (
        "The operation has no destination to write to",
        "Operations that are not in destination-passing style allocate their results. Use one that takes its destination "
        "as an operand, such as linalg.generic.",
    ),
    "loop-yield": (
        "A loop hands on a buffer that is not its own",
        "The next iteration would write to a buffer that others still use. Yield what was made from the loop's own argument.",
    ),
    "global-overwritten": (
        "A global is stored to after it was loaded",
        "The loaded value would change under its readers, so it is copied when it is loaded.",
    ),
    "layout-mismatch": (
        "A buffer has another layout than the place that receives it",
        "No read or write forces this copy, only types: a function, loop or branch was promised another layout. Choose the "
        "layouts at function boundaries with function-boundary-type-conversion, or hand on a whole buffer instead of a part.",
    ),
    "rewrite-buffer": (
        "The rewrite needs a buffer of its own",
        "The operation cannot be written in terms of the buffers it has.",
    ),
    "loop-yields-other-buffer": (
        "A loop would hand a new buffer to its next iteration",
        "That is not allowed by default, since nobody could free it. Yield what was made from the loop's own argument, or "
        "pass --allow-return-allocs-from-loops.",
    ),
    "not-bufferizable": (
        "The program cannot be rewritten to buffers as it is",
        "An operation on tensors has no bufferization. Convert it first, describe and rewrite it from Python, or keep its "
        "tensors with allow-unknown-ops.",
    ),
    "mlir-22-loses-data": (
        "mlir-opt 22 would not copy here, and lose data",
        "The reference misses a conflict in this situation. --compat=mlir-22 decides as it does.",
    ),
    "not-measured": (
        "A run could not be measured",
        "What --measure asks to run cannot be run, or memory cannot be freed in it, for the reason given. Choose the "
        "function with --entry and its arguments with --args.",
    ),
    "in-place": ("The operand is used in place", "Nothing that runs later needs what is overwritten."),
}


def sarif_rules() -> list[Meaning]:
    """The ids as SARIF rules."""
    return [Meaning(code, title, help) for code, (title, help) in MEANINGS.items()]

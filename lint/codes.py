"""What each id of a finding means: for SARIF viewers, and as the source of the handbook's pages."""

from __future__ import annotations

from enum import StrEnum

from ..ir.source.diagnostics import Meaning


class Code(StrEnum):
    """The ids of findings: each names the problem."""

    EMPTY_TENSOR = "empty-tensor-not-eliminated"
    TENSOR_BOUNDARY = "tensor-boundary-left"
    CLONE = "clone-left"
    DEALLOC = "dealloc-not-lowered"
    REALLOC = "realloc-not-expanded"
    NEVER_FREED = "never-freed"
    FREED_ON_SOME_PATHS = "freed-on-some-paths"
    FREED_BEFORE_PASS = "freed-before-deallocation"
    FREED_IN_LOOP = "freed-in-loop"
    DROPPED_IN_LOOP = "dropped-in-loop"
    FREED_TWICE = "freed-twice"
    USED_AFTER_FREE = "used-after-free"
    HOISTING_LATE = "hoisting-after-deallocation"
    HOISTABLE = "could-be-hoisted"
    STACK = "could-be-on-stack"
    STACK_GROWS = "stack-grows"
    COLLISION = "parallel-write-collision"
    POSSIBLE_COLLISION = "parallel-write-may-collide"
    BROKEN_PROMISE = "broken-promise"
    DIFFERS = "not-as-before"
    NOT_PROVED = "not-proved"


MEANINGS: dict[str, tuple[str, str]] = {
    Code.EMPTY_TENSOR: (
        "A tensor.empty gets a buffer although its destination is known",
        "What is computed into a tensor.empty and then inserted elsewhere is computed into a buffer of its own and copied. "
        "Run -eliminate-empty-tensors before -one-shot-bufferize.",
    ),
    Code.TENSOR_BOUNDARY: (
        "The program still goes from buffers to tensors or back",
        "bufferization.to_tensor and to_buffer are how parts bufferized one by one fit together; they cannot be lowered. Run "
        "-canonicalize, which removes pairs, or bufferize what uses the tensors.",
    ),
    Code.CLONE: (
        "bufferization.clone is left",
        "Deallocation inserts clones where ownership is not clear; they cannot be lowered as they are. Run -canonicalize, "
        "which removes those that are not needed, then -convert-bufferization-to-memref.",
    ),
    Code.DEALLOC: (
        "bufferization.dealloc is left",
        "Ownership-based deallocation leaves frees in an abstract form. Run -buffer-deallocation-simplification and "
        "-bufferization-lower-deallocations.",
    ),
    Code.REALLOC: (
        "memref.realloc is left where buffers are not freed yet",
        "Deallocation cannot follow an operation that frees one buffer and gives another. Run -expand-realloc before it.",
    ),
    Code.NEVER_FREED: (
        "An allocation is never freed",
        "Nothing frees the buffer, the function does not return it, and its address is not kept anywhere. Run "
        "-buffer-deallocation-pipeline, or -buffer-deallocation-static, which takes programs that the other refuses.",
    ),
    Code.FREED_ON_SOME_PATHS: (
        "An allocation is freed on some paths only",
        "Where control goes another way at one branch, nothing frees the buffer any more, the function does not return it, and "
        "its address is not kept anywhere. Free it on that way too, or once, behind the place where the ways meet again; or "
        "run -buffer-deallocation-static.",
    ),
    Code.FREED_BEFORE_PASS: (
        "Some buffers are freed by hand, others are not freed",
        "-buffer-deallocation-pipeline refuses programs that free buffers already. Run -buffer-deallocation-static, which "
        "understands them; or remove the frees, or mark them and the allocations with bufferization.manual_deallocation.",
    ),
    Code.FREED_IN_LOOP: (
        "A buffer from outside of a loop is freed inside",
        "The second iteration would use and free it again. Allocations were moved out of the loop after frees had been "
        "placed: run -buffer-loop-hoisting before deallocation.",
    ),
    Code.DROPPED_IN_LOOP: (
        "A loop drops the buffer that its last iteration allocated",
        "Each iteration allocates a buffer and goes on with it; the one that it was given is neither freed nor yielded, so all but the "
        "last leak. Free the buffer that the iteration was given, behind its last use there, or write to it instead.",
    ),
    Code.FREED_TWICE: (
        "A buffer is freed twice",
        "Both frees run on one path: one after the other, in a branch and behind it, or in a function that is called and by its caller. "
        "Deallocation must run once, on a program without frees.",
    ),
    Code.USED_AFTER_FREE: (
        "A buffer is used after it was freed",
        "The use comes after the free on a path that runs both. Free the buffer behind its last use.",
    ),
    Code.HOISTING_LATE: (
        "A buffer is allocated and freed in every iteration",
        "Its size is known before the loop, so one buffer would do, but now that it is freed in the loop it cannot be moved "
        "any more. Run -buffer-loop-hoisting before deallocation.",
    ),
    Code.HOISTABLE: (
        "A buffer is allocated in every iteration",
        "Its size is known before the loop. Run -buffer-loop-hoisting.",
    ),
    Code.STACK: (
        "A small buffer is on the heap",
        "It is small, and not used when its function has returned. Run -promote-buffers-to-stack.",
    ),
    Code.STACK_GROWS: (
        "Stack memory is taken again in each iteration",
        "memref.alloca gives memory until the scope around it ends, and control comes back to it before: the stack grows with "
        "each iteration. Allocate before the loop, or put memref.alloca_scope around what uses the buffer.",
    ),
    Code.COLLISION: (
        "Iterations that run at once write the same elements",
        "The place of the write does not depend on the induction variable, so which iteration writes last is not defined. "
        "Give each iteration a buffer or a part of its own, or use an atomic update or a reduction.",
    ),
    Code.POSSIBLE_COLLISION: (
        "Iterations that run at once may write the same elements",
        "It could not be proved that the places that iterations write are different.",
    ),
    Code.BROKEN_PROMISE: (
        "A promise that bufferization believes is broken",
        "`restrict` of bufferization.to_tensor says that the memory is this tensor's alone while it is used; `read_only` of "
        "bufferization.to_buffer says that nobody writes through the memref. Updates in place rely on both: who breaks one sees "
        "values that somebody else wrote.",
    ),
    Code.DIFFERS: (
        "The program does not do what it did before",
        "Some passes lost data, or misuse memory: there is an input on which this program and the one given with --before differ. "
        "Look at what made it; `bufferize prove` says more.",
    ),
    Code.NOT_PROVED: (
        "It could not be proved that the program does what it did before",
        "That says nothing against the program: the proof left a question open, and no input was found that shows a difference.",
    ),
}


def sarif_rules() -> list[Meaning]:
    """The ids as SARIF rules."""
    return [Meaning(str(code), title, help) for code, (title, help) in MEANINGS.items()]

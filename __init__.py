"""Bufferization for MLIR programs: which tensors share a buffer, where a copy is needed, and why.

    import bufferize

    module = bufferize.read("cell.mlir")
    for diagnostic in bufferize.explain(module).diagnostics:
        print(diagnostic)
    bufferize.one_shot(module)
    print(module)

Everything here is imported when it is first used, so `import bufferize` costs nothing.
"""

from __future__ import annotations

__version__ = "0.2.0"

TYPE_CHECKING = False  # importing `typing` takes as long as the rest of what a client of the daemon does
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Unpack

    from .analysis.models import ModelRegistry
    from .analysis.models.base import AliasingValue, Model
    from .analysis.one_shot import AnalysisOptions
    from .analysis.one_shot.result import AnalysisResult
    from .explain.explanation import AnalysisKeywords, ExplainKeywords, Explanation, OneShotKeywords
    from .ir.program.core import Operation, OpOperand, Value
    from .ir.source.diagnostics import BufferizeError, Diagnostic
    from .proof.check import ProofOfProgram
    from .transforms.bufferize.bufferizer import Rewrite, RewriteRegistry

_EXPORTS = {
    "AliasingValue": "analysis.models.base",
    "AnalysisOptions": "analysis.one_shot",
    "AnalysisResult": "analysis.one_shot.result",
    "BufferizeError": "ir.source.diagnostics",
    "Diagnostic": "ir.source.diagnostics",
    "Explanation": "explain.explanation",
    "Model": "analysis.models.base",
    "ModelRegistry": "analysis.models",
    "OpOperand": "ir.program.core",
    "Operation": "ir.program.core",
    "Rewrite": "transforms.bufferize.bufferizer",
    "RewriteRegistry": "transforms.bufferize.bufferizer",
    "Value": "ir.program.core",
}

__all__ = [
    "AliasingValue",
    "AnalysisOptions",
    "AnalysisResult",
    "BufferizeError",
    "Diagnostic",
    "Explanation",
    "Model",
    "ModelRegistry",
    "OpOperand",
    "Operation",
    "Rewrite",
    "RewriteRegistry",
    "Value",
    "analyze",
    "explain",
    "models_from_facts",
    "one_shot",
    "opt",
    "parse",
    "picture",
    "prove",
    "read",
    "run_passes",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name == "xdsl":
        import importlib

        return importlib.import_module(".bridges.xdsl", __name__)
    if name in _EXPORTS:
        import importlib

        return getattr(importlib.import_module(f".{_EXPORTS[name]}", __name__), name)
    raise AttributeError(f"module 'bufferize' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__"})


def parse(text: str, name: str = "<text>", *, allow_unregistered: bool = False) -> Operation:
    """Read and verify a program.

    Args:
        name: what diagnostics call the text.
        allow_unregistered: accept operations of dialects that are not known here.

    Returns:
        the module; `str(module)` is its text.

    Raises:
        BufferizeError: the text is not a valid program; carries diagnostics with places.
    """
    from .ir.text.parser import parse_text

    module = parse_text(text, name, allow_unregistered=allow_unregistered)
    verify(module, allow_unregistered=allow_unregistered)
    return module


def read(program: object, name: str = "", *, allow_unregistered: bool = True) -> Operation:
    """A program from wherever it is: text, a path, an `mlir.ir.Module` of any bindings, `jax.jit(f).lower(...)`, a module of xDSL.

    Args:
        program: a string of one line that names a file, or ends in `.mlir`, is a path; an operation is given back as it is.
        name: what diagnostics call the text.
        allow_unregistered: accept operations of dialects that are not known here.

    Raises:
        BufferizeError: it cannot be read or is not valid.
        TypeError: it is none of these.
    """
    from .bridges import read as read_any

    _show_in_notebooks()
    return read_any(program, name, allow_unregistered=allow_unregistered)


def opt(program: object, pipeline: str | Iterable[str]) -> Any:
    """The result of running passes on a copy of a program, which itself is not changed.

    Args:
        program: whatever `read` takes.
        pipeline: as `run_passes` takes it.

    Returns:
        an `mlir.ir.Module` of the same bindings if that was given, a module of xDSL for one of xDSL, else an operation, whose
        text is `str(...)` and which notebooks display.

    Raises:
        BufferizeError: the program is not valid, there is no such pass, or one failed.
        TypeError: `read` does not take it.
    """
    from .bridges import given_back

    module = read(program)
    result = module.clone() if module is program else module
    run_passes(result, pipeline)
    return given_back(program, result)


def _show_in_notebooks() -> None:
    """Let programs and results show themselves, if this runs in a notebook."""
    import sys

    if "IPython" in sys.modules:
        load_ipython_extension(None)


def verify(module: Operation, *, allow_unregistered: bool = True) -> None:
    """Check a program, for instance after changing it.

    Raises:
        BufferizeError: with everything that is wrong.
    """
    from .ir.verifier import verify as check

    check(module, allow_unregistered=allow_unregistered)


def models_from_facts(*texts: str, rules: Sequence[str] = ()) -> ModelRegistry:
    """Models of your own operations, described by facts: `reads("my.op", 0). aliases("my.op", 1, 0, "equivalent").`

    Args:
        rules: texts of rules of your own; see docs/rules.md.

    Raises:
        BufferizeError: a fact is malformed, or a rule.
    """
    from .analysis.models.facts import registry_with
    from .ir.source.locations import Source

    return registry_with(
        [Source("<facts>", text) for text in texts], [Source("<rules>", text) for text in rules]
    )


def analyze(
    module: object, *, models: ModelRegistry | None = None, **options: Unpack[AnalysisKeywords]
) -> AnalysisResult:
    """Decide which tensor operands are updated in place, as `explain` and the pass do. The module is not changed.

    Where iterations of `scf.forall` use what others insert into a shared tensor, a copy is analysed in which they use the
    tensor's initial value: the result answers for its operands, as listed by `operands()`.

    Args:
        module: whatever `read` takes.
        models: of your own operations; by default the built-in ones.
        options: fields of `AnalysisOptions`; functions are analysed too unless
            `bufferize_function_boundaries=False`.

    Returns:
        decisions to query: `is_in_place(operand)`, `alias_set(value)`, `conflicts()`, `errors`.
    """
    from .analysis.one_shot import AnalysisOptions
    from .analysis.one_shot.analyze import analyze as run
    from .explain import explanation
    from .ir.defects import mirrored
    from .transforms.bufferize.rewrite_scf import separated

    chosen = explanation.checked("analyze", explanation.AnalysisKeywords, options)
    chosen.setdefault("bufferize_function_boundaries", True)
    analysis = AnalysisOptions(**chosen)
    return run(separated(read(module), mirrored(analysis.compat)), analysis, models)


def explain(
    module: object, *, models: ModelRegistry | None = None, **options: Unpack[ExplainKeywords]
) -> Explanation:
    """Why each buffer is inserted: diagnostics with places, costs and help that was tried.

    `module` is whatever `read` takes; it is not changed. Options are those of `analyze`, and `show_all`, `with_help`, `with_clones`, `wanted`,
    `function_boundary_layout`.
    """
    from .explain.report import explain_module

    return explain_module(read(module), models=models, **options)


def one_shot(
    module: Operation,
    *,
    models: ModelRegistry | None = None,
    rewrites: RewriteRegistry | None = None,
    in_place: Callable[[OpOperand], bool] | None = None,
    **options: Unpack[OneShotKeywords],
) -> None:
    """Rewrite tensors to buffers, in place.

    Args:
        models, rewrites: of your own operations: what they do to buffers, and how they are rewritten.
        in_place: an analysis of your own instead of the built-in one: which operands are updated in place. It is
            believed; what it allows to be overwritten is overwritten.
        options: options of the pass `one-shot-bufferize` with underscores, such as
            `function_boundary_type_conversion="identity-layout-map"`; functions are bufferized too unless
            `bufferize_function_boundaries=False`.

    Raises:
        BufferizeError: the program cannot be bufferized; it may have been changed in part.
    """
    from .explain import explanation
    from .transforms.one_shot_bufferize import OneShotBufferize

    chosen = explanation.checked("one_shot", explanation.OneShotKeywords, options)
    chosen.setdefault("bufferize_function_boundaries", True)
    OneShotBufferize(**chosen).bufferize_module(module, models=models, rewrites=rewrites, in_place=in_place)


def prove(
    before: Operation,
    after: Operation,
    *,
    leaks: bool | None = None,
    run: bool = False,
    solvers: Sequence[str] = (),
) -> ProofOfProgram:
    """Prove for all inputs that `after`, a program on buffers, does what `before` does. Neither is changed.

    Args:
        leaks: whether memory that is left over is a fault; by default, if `after` frees any.
        solvers: "islpy" and "z3", asked about indices where bounds give no answer (need the extra `proof`).
        run: where the proof fails, look for an input that shows the difference (needs the extra `run`).

    Returns:
        `proved`, `verdict` ("proved", "refuted", "not proved"), and an outcome for each function with its open questions.
    """
    from .proof.check import prove_modules

    proof = prove_modules(before, after, leaks=leaks, solvers=solvers)
    if run and not proof.proved:
        from .proof.check import refute

        try:
            from .interpreter.verify import refuting_runs
        except ImportError:
            proof.not_run = (
                "no input was tried: running needs numpy, the extra 'run' (pip install 'bufferize[run]')"
            )
            return proof
        from .semantics.frees import frees_memory, leaks_matter

        wanted = leaks_matter(before, after) if leaks is None else leaks
        refute(proof, refuting_runs(before, after, leaks=wanted, excused=frees_memory(before)))
    return proof


def picture(module: Operation, kind: str = "cfg", **options: Any) -> Any:
    """A picture of the program, as `bufferize graph --kind KIND` draws it; notebooks display it.

    Raises:
        BufferizeError: there is no such kind, or nothing to draw.
    """
    from .viz.notebook import picture as draw

    return draw(module, kind, **options)


def load_ipython_extension(shell: object) -> None:
    """`%load_ext bufferize`: programs, results and explanations show themselves in the notebook."""
    from .viz.notebook import install

    install()


def run_passes(module: Operation, pipeline: str | Iterable[str]) -> list[Diagnostic]:
    """Run passes: a pipeline as `bufferize-opt --pass-pipeline=` takes it, flags as on its command line, or a list of
    names with options.

    Returns:
        what the passes reported.

    Raises:
        BufferizeError: there is no such pass, or one failed.
    """
    import shlex

    from .transforms.pass_base import Context
    from .transforms.pass_manager import make_pass, run_checked

    if isinstance(pipeline, str) and pipeline.lstrip().startswith("-"):
        pipeline = shlex.split(pipeline)
    context = Context()
    steps = pipeline
    if not isinstance(steps, str):
        steps = [make_pass(*step.lstrip("-").split("=", 1)) for step in steps]
    run_checked(steps, module, context)
    return context.diagnostics.diagnostics

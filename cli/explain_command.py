"""`bufferize explain`: why does bufferization copy here?"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from . import arguments, baseline, findings_output, measurement

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..explain.report import Explanation
    from ..ir.program.core import Operation
    from ..ir.source.diagnostics import Diagnostic
    from .programs import Program

SUMMARY = "Explain every copy and every allocation that bufferization makes: what forces it, what it costs, what would save it."
EXAMPLES = (
    ("bufferize explain cell.mlir", "everything, with help that was tried before it is printed"),
    ("bufferize explain cell.mlir --why %t", "is the use of %t in place, and what decided it?"),
    ("bufferize explain cell.mlir --function step --all", "one function, every reason for each copy"),
    ("bufferize explain cell.mlir --proof", "with the derivation from the rules"),
    ("bufferize explain cell.mlir --format github --fail-on-copy", "in continuous integration"),
    ("bufferize explain cell.mlir --baseline known.json", "fail if something is copied that was not before"),
    ("bufferize explain cell.mlir --watch", "again after each change of the file"),
    ("bufferize explain read-after-write", "what does a finding with this id mean?"),
    (
        "bufferize explain cell.mlir --measure --args random 0.5 7",
        "how often each copy runs, and what it moves",
    ),
    (
        "bufferize explain cell.mlir --budget 2 --budget init=0",
        "at most two copies in each function, none in @init",
    ),
)


def configure(parser: arguments.Parser) -> None:
    arguments.add_input(parser)
    findings_output.add_format(parser)
    arguments.add_function(parser, "explain only this function; may be given several times")
    parser.add_argument(
        "--why", metavar="%VALUE", help="only the uses of this value: in place or not, and why"
    )
    parser.add_argument(
        "--all", action="store_true", help="show every reason for each copy, not only the clearest"
    )
    parser.add_argument(
        "--ownership",
        action="store_true",
        help="explain instead who owns each allocation, where it is freed, and why there",
    )
    parser.add_argument("--proof", action="store_true", help="show how each reason follows from the rules")
    parser.add_argument(
        "--no-help", dest="suggest", action="store_false", help="do not look for changes that save copies"
    )
    parser.add_argument("--fail-on-copy", action="store_true", help="exit with 1 if anything is copied")
    parser.add_argument(
        "--budget",
        metavar="[NAME=]N",
        action="append",
        default=[],
        help="exit with 1 if a function (or function NAME) makes more than N copies",
    )
    baseline.add_flags(parser)
    parser.add_argument("--watch", action="store_true", help="explain again whenever a file changes")
    arguments.add_choice(
        parser,
        "--function-boundary-type-conversion",
        ("infer-layout-map", "fully-dynamic-layout-map", "identity-layout-map"),
        "infer-layout-map",
        "layouts of buffers in function signatures",
    )
    arguments.add_choice(
        parser, "--compat", ("mlir-22",), "", "decide as this reference does, its defects included"
    )
    arguments.add_models(parser)
    arguments.add_color(parser)
    parser.add_argument(
        "--memory",
        action="store_true",
        help="say what each buffer costs at the peak of memory, and which to shrink to lower it",
    )
    measurement.add_measure(parser)
    arguments.add_analysis(parser)


def run(flags: argparse.Namespace) -> int:
    if not os.path.exists(flags.file):
        from .meaning import meaning_of, unknown_meaning

        page = meaning_of(flags.file)
        if page is not None:
            findings_output.write(page, flags)
            return 0
        unknown_meaning(flags.file)
    if flags.watch:
        from .watch import watch

        return watch([flags.file, *flags.models], lambda: _explain_all(flags), flags.color)
    return _explain_all(flags)


def _explain_all(flags: argparse.Namespace) -> int:
    from ..analysis.models.facts import registry_with
    from ..ir.source.reading import read_source
    from .programs import read_programs

    budgets = _budgets(flags.budget)
    accepted = baseline.Accepted(flags)
    measurement.check_flags(flags)
    if flags.ownership and flags.measure:
        raise arguments.UsageError("--measure says what copies cost; it has no place beside --ownership")
    registry = registry_with([read_source(path) for path in flags.models])
    programs = read_programs(
        flags.file, split=flags.split_input_file, allow_unregistered=flags.allow_unregistered
    )
    if flags.ownership:
        return _explain_ownership(programs, flags, registry)
    explanations = [_explain(program, flags, registry) for program in programs]
    if not flags.why:
        for explanation in explanations:
            accepted.sift_explanation(explanation)
    findings_output.write(_render(explanations, flags), flags)
    accepted.finish()
    errors = any(explanation.errors for explanation in explanations)
    over = _over_budget(explanations, budgets, flags.fail_on_copy or accepted.has_baseline)
    for message in over:
        sys.stderr.write(f"bufferize: {message}\n")
    return 1 if errors or over else 0


def _wanted(program: Program, flags: argparse.Namespace) -> Callable[[Operation], bool]:
    """Which operations `--function` asks for.

    Raises:
        UsageError: there is no function of that name.
    """
    from ..analysis.places import function_name, symbol

    names = {name.removeprefix("@") for name in flags.function}
    if names:
        known = {symbol(op) for op in program.module.walk() if "sym_name" in op.properties}
        for name in sorted(names - known):
            hint = arguments.did_you_mean(name, [str(k) for k in known if k])
            raise arguments.UsageError(f"there is no function '@{name}' in the program{hint}")
    return lambda op: not names or function_name(op) in names


def _explain_ownership(programs: list[Program], flags: argparse.Namespace, registry: Any) -> int:
    """Who frees what: tensors, if there are any, are bufferized first."""
    from ..analysis.models.base import has_tensor_semantics
    from ..explain.ownership import MEANINGS
    from ..ir.source.diagnostics import Meaning
    from ..ir.source.places import Source
    from ..ir.text.parser import parse_source
    from .explain_ownership import explain_ownership_of

    found: list[Diagnostic] = []
    for program in programs:
        wanted = _wanted(program, flags)
        module = program.module.clone()
        if any(has_tensor_semantics(op) for op in module.walk()):
            # buffers have no place in a text about tensors: explain the text about buffers
            _bufferize(module, flags, registry, allow_return_allocs=True)
            text = Source(f"{program.source.name} after one-shot-bufferize", str(module))
            module = parse_source(text, allow_unregistered=True)
        found += explain_ownership_of(module, wanted, compat=flags.compat or "")
    if flags.format == "text":
        text = findings_output.as_text(found, flags)
        findings_output.write(text or "no function allocates a buffer or gets one from a call\n", flags)
    else:
        rules = [Meaning(str(code), title, help) for code, (title, help) in MEANINGS.items()]
        findings_output.write(findings_output.for_machines(found, flags.format, [], rules), flags)
    return 0


def _bufferize(
    module: Operation, flags: argparse.Namespace, registry: Any, *, allow_return_allocs: bool = False
) -> None:
    """Rewrite the tensors of `module` as the flags ask.

    Raises:
        BufferizeError: it cannot be done.
    """
    from dataclasses import replace

    from ..analysis.one_shot.analyze import analyze
    from ..ir.source.diagnostics import BufferizeError
    from ..transforms.bufferize.driver import bufferize
    from ..transforms.bufferize.options import BufferizeOptions

    options = arguments.analysis_options(flags)
    if allow_return_allocs:
        options = replace(options, allow_return_allocs_from_loops=True)
    rewrite = BufferizeOptions(
        bufferize_function_boundaries=options.bufferize_function_boundaries,
        function_boundary_layout=flags.function_boundary_type_conversion,
    )
    result = analyze(module, options, registry)
    if result.errors:
        raise BufferizeError(result.errors)
    bufferize(module, rewrite, result, registry, mirrors_mlir_22=bool(flags.compat))


def _explain(program: Program, flags: argparse.Namespace, registry: Any) -> Explanation:
    from ..explain.report import explain

    wanted = _wanted(program, flags)
    explanation = explain(
        program.module,
        arguments.analysis_options(flags),
        registry,
        source=program.source,
        wanted=wanted,
        show_all=flags.all,
        with_help=flags.suggest,
        function_boundary_layout=flags.function_boundary_type_conversion,
    )
    if flags.memory:
        from ..explain.at_peak import add_peaks

        add_peaks(explanation)
    if flags.measure:
        if explanation.bufferized is None or not explanation.is_bufferized:
            measurement.nothing_to_run(explanation)
        else:
            measurement.measure_program(
                program.module, explanation.bufferized, explanation, flags, registry, wanted
            )
    return explanation


def _diagnostics(explanation: Explanation, flags: argparse.Namespace) -> list[Diagnostic]:
    from ..explain.report import value_named, why

    found = explanation.diagnostics
    if flags.why:
        module = explanation.result.state.root
        if not value_named(module, flags.why):
            raise arguments.UsageError(f"there is no value '{flags.why}' in the program")
        found = why(explanation, flags.why)
    if flags.proof:
        from ..explain.proofs import add_proofs

        add_proofs(explanation)
    return [*explanation.errors, *found]


def _render(explanations: list[Explanation], flags: argparse.Namespace) -> str:
    diagnostics = [d for explanation in explanations for d in _diagnostics(explanation, flags)]
    if flags.format == "text":
        return _text(explanations, diagnostics, flags)
    from ..explain.codes import sarif_rules

    summary = [explanation.data() for explanation in explanations]
    return findings_output.for_machines(diagnostics, flags.format, summary, sarif_rules())


def _text(explanations: list[Explanation], diagnostics: list[Diagnostic], flags: argparse.Namespace) -> str:
    from ..explain.contracts import describe_contracts

    parts = [findings_output.as_text(diagnostics, flags)] if diagnostics else []
    if not flags.why:
        for explanation in explanations:
            lines = [explanation.summary(), *describe_contracts(explanation.contracts)]
            lines += [line for run in explanation.measured for line in run.lines()]
            lines += [f"help: {line}" for line in explanation.advice]
            parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _budgets(texts: list[str]) -> dict[str, int]:
    """Copies allowed by function name; "" for all others.

    Raises:
        UsageError: not a number.
    """
    found: dict[str, int] = {}
    for text in texts:
        name, _, count = text.rpartition("=")
        if not count.isdigit():
            raise arguments.UsageError(f"--budget takes a number or NAME=NUMBER, not '{text}'")
        found[name.removeprefix("@")] = int(count)
    return found


def _over_budget(explanations: list[Explanation], budgets: dict[str, int], none: bool) -> list[str]:
    found = []
    for explanation in explanations:
        for name, copies in explanation.copies_by_function().items():
            allowed = 0 if none else budgets.get(name, budgets.get(""))
            if allowed is not None and copies > allowed:
                where = f"@{name}" if name else "the program"
                found.append(f"{where} makes {copies} cop{'y' if copies == 1 else 'ies'}, {allowed} allowed")
    return found

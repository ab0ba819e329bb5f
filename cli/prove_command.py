"""`bufferize prove`: proves for all inputs that a program on buffers is equivalent to its tensor form."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..ir.source.diagnostics import BufferizeError
from .arguments import Parser, UsageError, add_choice, add_color, add_models, add_unregistered, one_of
from .crash import NOT_DONE
from .output import show_errors, write_file, write_stdout
from .verify_command import before_and_after, run_with_passes

if TYPE_CHECKING:
    from ..ir.program.core import Operation
    from ..proof.check import ProofOfProgram

SUMMARY = "Prove for all inputs that passes preserve what a program computes and use memory correctly."

EXAMPLES = (
    ("bufferize prove cell.mlir", "after One-Shot Bufferize with function boundaries"),
    ("bufferize prove cell.mlir -one-shot-bufferize=bufferize-function-boundaries -buffer-deallocation-pipeline",
     "after these passes; memory must be freed"),
    ("bufferize prove cell.mlir -buffer-deallocation-static --ownership", "each buffer is freed once, and never used after that"),
    ("bufferize prove cell.mlir --against cell.out.mlir", "compare with the output of another compiler"),
    ("bufferize prove cell.mlir --solver islpy --solver z3", "with solvers for difficult indices"),
)  # fmt: skip

EXIT = {"proved": 0, "refuted": 1, "not proved": 2}


def configure(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="the program, MLIR text; - reads standard input")
    parser.flags("""
        --passes PIPELINE   run this pipeline, written as for --pass-pipeline
        --against OTHER     compare with this program instead of running passes
        --split-input-file  prove the parts between '// -----' lines separately
    """)
    add_choice(
        parser,
        "--leaks",
        ("auto", "yes", "no"),
        "auto",
        "whether leaked memory is an error; auto: if one of both programs frees any memory",
    )
    parser.add_argument(
        "--solver",
        metavar="NAME",
        type=one_of(("islpy", "z3")),
        action="append",
        default=[],
        help="ask islpy or z3 about indices that bounds cannot decide; can be repeated (needs the extra 'proof')",
    )
    parser.flags("--ownership  prove only that nothing is freed twice, used after it is freed, or leaked")
    add_unregistered(parser)
    add_models(parser)
    add_choice(parser, "--format", ("text", "json"), "text", "what is printed")
    parser.flags("""
        -o, --output CERTIFICATE  write a certificate of the proof, as JSON
        --check CERTIFICATE       do not search; check the steps of this certificate
        --no-run                  do not search for a counterexample
        --quiet                   print only what could not be proved
    """)
    add_color(parser)


def main(arguments: list[str]) -> int:
    """Parse flags and passes (`Parser` does not handle the latter), and prove."""
    return run_with_passes(Parser("prove", SUMMARY, EXAMPLES), configure, run, arguments)


def run(flags: argparse.Namespace, passes: list[tuple[str, str]]) -> int:
    from ..viz.render_formats import to_plain

    shown: list[dict[str, Any]] = []
    codes: list[int] = []
    if (flags.check or flags.output) and (flags.split_input_file or flags.ownership or flags.solver):
        raise UsageError("a certificate covers one whole program, proved without solvers")
    for pair in before_and_after(flags, passes):
        if isinstance(pair, BufferizeError):
            codes.append(NOT_DONE)
            if flags.format == "json":
                shown.append({"verdict": "refused", **to_plain(pair.diagnostics)})
            else:
                show_errors(pair, flags.color)
            continue
        before, after = pair
        if flags.check:
            return _check(before, after, flags)
        proof = _prove(before, after, flags)
        if flags.output and proof.proved:
            _write_certificate(before, after, proof, flags)
        codes.append(EXIT[proof.verdict])
        if flags.format == "json":
            shown.append(_as_json(proof))
        else:
            _report(proof, flags)
    if flags.format == "json":
        write_stdout(json.dumps(shown if flags.split_input_file else shown[0], indent=2) + "\n")
    return 1 if 1 in codes else max(codes, default=0)


def _prove(before: Operation, after: Operation, flags: argparse.Namespace) -> ProofOfProgram:
    from .. import prove

    leaks = {"yes": True, "no": False}.get(flags.leaks)
    if flags.ownership:
        return prove(before, after, leaks=leaks, solvers=flags.solver).of_ownership()
    return prove(before, after, leaks=leaks, run=not flags.no_run, solvers=flags.solver)


def _write_certificate(
    before: Operation, after: Operation, proof: ProofOfProgram, flags: argparse.Namespace
) -> None:
    from ..proof.checker import certificate_of

    leaks = _leaks_matter(before, after, flags)
    text = json.dumps(certificate_of(before, after, proof, leaks), indent=1) + "\n"
    write_file(flags.output, text)


def _leaks_matter(before: Operation, after: Operation, flags: argparse.Namespace) -> bool:
    from ..semantics.frees import leaks_matter

    return leaks_matter(before, after) if flags.leaks == "auto" else flags.leaks == "yes"


def _check(before: Operation, after: Operation, flags: argparse.Namespace) -> int:
    """Exit code 0 if the certificate is valid, else 1."""
    from ..proof.checker import Refused, check_certificate

    try:
        text = Path(flags.check).read_bytes()
    except OSError as failure:
        raise UsageError(f"cannot read '{flags.check}': {failure.strerror}") from None
    try:
        certificate = json.loads(text)
        check_certificate(before, after, certificate)
        if _leaks_matter(before, after, flags) and not certificate["leaks"]:
            raise Refused("it does not say that no memory leaks")
    except (Refused, ValueError) as refused:
        write_stdout(f"refused: {refused}\n")
        return 1
    write_stdout("accepted\n")
    return 0


def _report(proof: ProofOfProgram, flags: argparse.Namespace) -> None:
    from ..proof.check import diagnostics
    from ..proof.observables import ASSUMED
    from ..viz.render_diagnostic import render_diagnostics
    from ..viz.render_style import clean_lines, wants_color

    for outcome in proof.outcomes:
        if outcome.verdict == "proved" and flags.quiet:
            continue
        write_stdout(clean_lines([f"{outcome.function}: {outcome.verdict}"]))
        if outcome.verdict == "proved" and outcome.compared:
            write_stdout(clean_lines([f"  compared: {', '.join(outcome.compared)}"]))
        if outcome.verdict != "proved":
            found = diagnostics(outcome)
            text = render_diagnostics(found, color=wants_color(sys.stdout, flags.color))
            write_stdout(text if text.endswith("\n") else text + "\n")
    if proof.not_run:
        write_stdout(f"{proof.not_run}\n")
    if proof.is_empty:
        write_stdout("not proved: nothing was compared, since no module defines a function or a global\n")
    elif not flags.quiet and proof.proved:
        if proof.compared:
            write_stdout(clean_lines([f"also compared: {', '.join(proof.compared)}"]))
        write_stdout(clean_lines(["assumed:", *(f"  {text}" for text in ASSUMED)]))


def _as_json(proof: ProofOfProgram) -> dict[str, Any]:
    from ..proof.check import diagnostics
    from ..proof.observables import ASSUMED
    from ..viz.render_formats import to_plain

    return {
        "verdict": proof.verdict,
        "compared": proof.compared,
        "assumed": list(ASSUMED),
        "functions": [
            {
                "function": outcome.function,
                "verdict": outcome.verdict,
                "operations": outcome.operations,
                "compared": outcome.compared,
                "questions": [question.text for question in outcome.questions],
                **to_plain(diagnostics(outcome) if outcome.verdict != "proved" else []),
            }
            for outcome in proof.outcomes
        ],
    }

"""`bufferize-opt`: runs passes on MLIR with `mlir-opt`'s flags; `--checked` proves the result.

Standard output contains only the resulting program; errors go to standard error in `mlir-opt`'s
style, with exit code 1. With `-o FILE` the file is written completely, and only on success.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

from ..ir.program.core import Operation
from ..ir.source.diagnostics import (
    BufferizeError,
    Diagnostic,
    DiagnosticEngine,
    PassFailed,
    Severity,
    error,
    format_plain,
)
from ..ir.source.locations import Source
from ..ir.source.reading import keep_programs, read_source, split_source
from ..ir.source.text import quoted
from ..ir.text.op_printer import PrintStyle
from ..ir.text.parser import DocumentParser
from ..ir.text.printer import print_in_place, print_module, print_operation
from ..ir.text.registry import default_registry, mlir_registry
from ..ir.types.elements import HEX_THRESHOLD
from ..ir.verifier import verify
from . import output
from .crash import guarded
from .opt_settings import Settings, parse_arguments
from .output import Progress, UsageError

if TYPE_CHECKING:
    from ..explain.memory import FunctionMemory
    from ..ir.source.metadata import Section


class AlreadyReported(Exception):
    """A pass failed after reporting the reason through the engine."""


@guarded("bufferize-opt")
def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit code."""
    try:
        settings = parse_arguments(sys.argv[1:] if arguments is None else arguments)
        if isinstance(settings, str):
            sys.stdout.write(settings)
            return 0
        if settings.ods or settings.irdl or settings.models or settings.dialect:
            from .arguments import declare_operations

            declare_operations(settings.ods, settings.irdl, settings.models, settings.dialect)
        return Run(settings).run()
    except UsageError as failure:
        sys.stderr.write(f"bufferize-opt: {failure.diagnostic.message}\n")
    except BufferizeError as failure:
        for diagnostic in failure.diagnostics:
            sys.stderr.write(format_plain(diagnostic) + "\n")
    return 1


def show_operations(failure: BufferizeError, module: Operation) -> None:
    """Attach the current form of the operation to each error of `failure` that points at one. O(operations).

    As in mlir-opt, only verification errors of the input get such a note, and syntax errors do not.
    """
    wanted = {
        (d.span.source, d.span.start): d
        for d in failure.diagnostics
        if d.span is not None and d.severity is Severity.ERROR
    }
    found: dict[Any, Operation] = {}
    for op in module.walk():
        place = (op.where[0], op.where[2]) if op.where is not None else None
        # of several operations at one position, prefer the one that the error names
        if place in wanted and (place not in found or f"'{op.name}'" in wanted[place].message):
            found[place] = op
    for place, op in found.items():
        wanted[place].attach(f"see current operation: {print_in_place(op)}", wanted[place].span)


class Run:
    """One invocation: all parts of one input."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self.stderr: TextIO = sys.stderr
        self.timings: dict[str, float] = {}
        self.statistics: dict[tuple[str, str], int] = {}
        self.memory: list[FunctionMemory] = []
        self.progress = Progress(0)

    def source(self) -> Source:
        """The input, which may be a model in Python, as `bufferize explain` prints it in command lines."""
        if ".py:" in self.settings.input:
            from .programs import source_named

            return source_named(self.settings.input, self.settings.example)
        return read_source(self.settings.input)

    def run(self) -> int:
        settings = self.settings
        steps = self.steps()
        source = self.source()
        parts = split_source(source, settings.split) if settings.split else [source]
        if settings.dump_pipeline:
            from ..transforms.pass_manager import pipeline_page

            self.stderr.write(pipeline_page(steps) * len(parts))
        if len(parts) == 1:
            keep_programs()
        texts: list[str] = []
        failed = False
        with Progress(len(parts) * (3 + len(steps))) as self.progress:
            for part in parts:
                text, ok = self.part(part, steps)
                texts.append(text)
                failed = failed or not ok
        result = f"{settings.output_split}\n".join(texts)
        if settings.output == "-":
            output.write_stdout(result)
        elif not failed:
            output.write_file(settings.output, result)
        if settings.trace:
            from ..viz.memory_plan import to_trace

            output.write_file(settings.trace, to_trace(self.memory, self.timings))
        if settings.timing:
            self.stderr.write(self.timing_report())
        if settings.statistics:
            self.stderr.write(self.statistics_report())
        return 1 if failed else 0

    def steps(self) -> list[Any]:
        settings = self.settings
        if settings.pipeline is not None:
            from ..transforms.pass_manager import parse_pipeline

            return [parse_pipeline(settings.pipeline)]
        if settings.passes:
            from ..transforms.pass_manager import make_pass

            return [make_pass(name, options) for name, options in settings.passes]
        return []

    def part(self, source: Source, steps: list[Any]) -> tuple[str, bool]:
        """The output for one part of the input, and whether it succeeded."""
        if self.settings.verify_diagnostics:
            return self.verified_part(source, steps)
        engine = DiagnosticEngine(self.show)
        return self.process(source, steps, engine)

    def verified_part(self, source: Source, steps: list[Any]) -> tuple[str, bool]:
        from ..ir.source.expected_diagnostics import DiagnosticVerifier

        verifier = DiagnosticVerifier(source)
        text, _ = self.process(source, steps, DiagnosticEngine(verifier))
        unexpected = verifier.finish()
        for diagnostic in unexpected:
            self.show(diagnostic)
        return text, not unexpected

    def show(self, diagnostic: Diagnostic) -> None:
        self.stderr.write(format_plain(diagnostic) + "\n")

    def process(self, source: Source, steps: list[Any], engine: DiagnosticEngine) -> tuple[str, bool]:
        settings = self.settings
        clock = time.perf_counter
        module: Operation | None = None
        try:
            self.progress.step(f"reading {source.name}")
            started = clock()
            registry = mlir_registry() if settings.allow_unregistered else default_registry()
            parser = DocumentParser(source, registry, settings.allow_unregistered)
            module = parser.parse(implicit_module=not settings.no_implicit_module)
            self.add_time("(parse)", clock() - started)
            self.progress.step("verifying")
            started = clock()
            verify(module, allow_unregistered=settings.allow_unregistered)
            if settings.verify_roundtrip:
                self.check_roundtrip(module, parser.metadata)
            self.add_time("(verify)", clock() - started)
            if settings.pipeline is not None and steps[0].anchor not in (module.name, "any"):
                message = f"can't run '{steps[0].anchor}' pass manager on '{module.name}' op"
                raise PassFailed(error(message, module.name_span))
            if steps:
                self.passes(module, steps, engine)
            if settings.trace:
                self.measure_memory(module)
            self.progress.step("printing")
            started = clock()
            metadata = parser.metadata
            if settings.elide_resources:
                from ..ir.source.metadata import without_long_blobs

                metadata = without_long_blobs(metadata, int(settings.elide_resources))
            text = print_module(module, generic=settings.generic, metadata=metadata, style=self.style())
            self.add_time("(print)", clock() - started)
            return text, not engine.has_errors
        except AlreadyReported:
            return "", False
        except BufferizeError as failure:
            if module is not None and settings.note_operations and not settings.verify_diagnostics:
                show_operations(failure, module)
            engine.emit_all(failure)
            return "", False

    def check_roundtrip(self, module: Operation, metadata: Section) -> None:
        """Print and read the program in custom and in generic form.

        Raises:
            BufferizeError: the text cannot be read, or prints as another.
        """
        for generic in (False, True):
            text = print_module(module, generic=generic, metadata=metadata)
            registry = mlir_registry() if self.settings.allow_unregistered else default_registry()
            parser = DocumentParser(Source("<roundtrip>", text), registry, self.settings.allow_unregistered)
            read = parser.parse(implicit_module=not self.settings.no_implicit_module)
            if print_module(read, generic=True) != print_module(module, generic=True):
                raise BufferizeError("roundTrip testing roundtripped module differs from reference")

    def style(self) -> PrintStyle:
        settings = self.settings
        largest = int(settings.elide_larger) if settings.elide_larger else None
        return PrintStyle(
            settings.local_scope,
            settings.debug_info,
            settings.skip_regions,
            largest,
            int(settings.hex_larger) if settings.hex_larger else HEX_THRESHOLD,
            settings.pretty_locations,
            settings.named_by_location,
            settings.unique_numbers,
            settings.value_users,
        )

    def dumps(self) -> Any:
        """The printer of programs between passes, if requested."""
        settings = self.settings
        after_all = settings.print_after_all or settings.print_after_failure
        if not (after_all or settings.print_before_all or settings.print_before or settings.print_after):
            return None
        from ..transforms.pass_manager import Dumps

        style = self.style()

        def show(op: Operation) -> str:
            return print_operation(op, generic=settings.generic, style=style) + (
                "\n" if op.parent_op is None else ""
            )

        return Dumps(
            self.stderr.write,
            show,
            None if settings.print_before_all else set(filter(None, settings.print_before.split(","))),
            None if after_all else set(filter(None, settings.print_after.split(","))),
            settings.print_after_change,
            settings.print_after_failure,
            settings.print_module_scope,
            settings.print_tree,
        )

    def reproduce(self, text: str, steps: list[Any], name: str) -> None:
        """Write a reproducer: the input of a failed run, and its pipeline."""
        from ..ir.source.metadata import format_metadata
        from ..transforms.pass_manager import pipeline_text

        settings = self.settings
        section: Section = {
            "pipeline": quoted(pipeline_text(steps)),
            "disable_threading": "false",
            "verify_each": str(settings.verify_each).lower(),
        }
        made = format_metadata({"external_resources": {"mlir_reproducer": section}}, ())
        output.write_file(settings.reproducer, text + made.rstrip("\n"))
        self.stderr.write(
            f"{name}:0:0: error: Failures have been detected while processing an MLIR pass pipeline\n"
            f"{name}:0:0: note: reproducer generated at `{settings.reproducer}`\n"
        )

    def passes(self, module: Operation, steps: list[Any], engine: DiagnosticEngine) -> None:
        from ..transforms.pass_base import Context
        from ..transforms.pass_manager import PassManager

        models, rules = (
            [read_source(p) for p in paths] for paths in (self.settings.models, self.settings.rules)
        )
        context = Context(engine, self.settings.compat, models, rules)
        context.dumps = self.dumps()
        started_from = print_module(module) if self.settings.reproducer else ""
        done = False
        kind = PassManager
        if self.settings.checked:
            from .checked_passes import CheckedPassManager  # imports One-Shot, which other passes do not need

            kind = CheckedPassManager
        manager = kind(
            steps,
            context,
            verify_each=self.settings.verify_each,
            allow_unregistered=self.settings.allow_unregistered,
            on_step=self.progress.step,
        )
        try:
            manager.run(module)
            done = not engine.has_errors
            if self.settings.checked and done:
                self.stderr.write(manager.report())  # pyright: ignore[reportAttributeAccessIssue]
        finally:
            if self.settings.reproducer and not done:
                self.reproduce(started_from, steps, module.where[0].name if module.where else "<unknown>")
            for name, seconds in manager.timings.items():
                self.add_time(name, seconds)
            for key, count in context.statistics.items():
                self.statistics[key] = self.statistics.get(key, 0) + count
        if engine.has_errors:
            raise AlreadyReported

    def measure_memory(self, module: Operation) -> None:
        """Record the memory plan at this point; dynamic sizes are assumed to be 64."""
        from ..analysis.memory_plan.planner import Effort
        from ..explain.memory import Assumptions, memory_of

        self.memory += memory_of(module, Assumptions({}, 64), Effort(seconds=0))

    def add_time(self, name: str, seconds: float) -> None:
        self.timings[name] = self.timings.get(name, 0.0) + seconds

    def timing_report(self) -> str:
        """The times in mlir-opt's layout: in pipeline order, or sorted with `--mlir-timing-display=list`."""
        total = sum(self.timings.values()) or 1e-9
        entries = list(self.timings.items())
        if self.settings.timing_display == "list":
            entries.sort(key=lambda entry: -entry[1])
        rule = f"===-{'-' * 73}-==="
        lines = [rule, f"{'... Execution time report ...':^79}".rstrip(), rule]
        lines += [f"  Total Execution Time: {total:.4f} seconds", "", "  ----Wall Time----  ----Name----"]
        for name, seconds in [*entries, ("Total", total)]:
            lines.append(f"  {seconds:8.4f} ({100 * seconds / total:5.1f}%)  {name}")
        return "\n".join(lines) + "\n"

    def statistics_report(self) -> str:
        lines = ["===---- Pass statistics report ----==="]
        current = ""
        for (pass_name, what), count in sorted(self.statistics.items()):
            if pass_name != current:
                lines.append(f"{pass_name}")
                current = pass_name
            lines.append(f"  {count:10}  {what}")
        return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())

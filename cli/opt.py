"""`bufferize-opt`: run passes on MLIR, with the flags of `mlir-opt`.

Everything a run prints to standard output is the resulting program; what is wrong goes to standard error in `mlir-opt`'s
style, and the exit code is 1. With `-o FILE` the file is written whole, after all went well, or not at all.
"""

from __future__ import annotations

import difflib
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TextIO

from .. import __version__
from ..ir.source.collection import keep_programs
from ..ir.source.diagnostics import BufferizeError, Diagnostic, DiagnosticEngine, format_plain
from ..ir.source.places import Source
from ..ir.source.reading import read_source, split_source
from ..ir.text.parser import DocumentParser
from ..ir.text.printer import print_module
from ..ir.text.registry import default_registry
from ..ir.verifier import verify
from . import output
from .arguments import UsageError
from .crash import guarded
from .progress import Progress

USAGE = "usage: bufferize-opt [FILE] [-PASS[=OPTIONS] ...] [flags]; see bufferize-opt --help"


@dataclass
class Settings:
    """What a command line asks for."""

    input: str = "-"
    output: str = "-"
    generic: bool = False
    allow_unregistered: bool = False
    split: bool = False
    verify_diagnostics: bool = False
    verify_each: bool = True
    timing: bool = False
    statistics: bool = False
    compat: str = ""
    models: list[str] = field(default_factory=list)
    ods: list[str] = field(default_factory=list)
    irdl: list[str] = field(default_factory=list)
    pipeline: str | None = None
    passes: list[tuple[str, str]] = field(default_factory=list)


BOOLEAN_FLAGS = {
    "mlir-print-op-generic": ("generic", "print all operations in generic form"),
    "allow-unregistered-dialect": (
        "allow_unregistered",
        "read operations of unknown dialects (in generic form)",
    ),
    "split-input-file": ("split", "process the parts of the input between '// -----' lines one by one"),
    "verify-diagnostics": ("verify_diagnostics", "compare what is reported with 'expected-error' comments"),
    "verify-each": ("verify_each", "check the program after each pass (default: true)"),
    "mlir-timing": ("timing", "report the time of parsing, each pass and printing"),
    "mlir-pass-statistics": ("statistics", "report what passes counted"),
}
VALUE_FLAGS = {
    "pass-pipeline": ("pipeline", "TEXT", "run a pipeline such as builtin.module(func.func(cse))"),
    "compat": ("compat", "VERSION", "mirror the defects of a reference version too: mlir-22"),
    "models": ("models", "FILE", "facts that describe custom operations; may be given several times"),
    "ods": (
        "ods",
        "FILE",
        "definitions of operations, as llvm-tblgen -dump-json writes them; may be given several times",
    ),
    "irdl": ("irdl", "FILE", "definitions of operations in IRDL; may be given several times"),
    "o": ("output", "FILE", "write the result to FILE"),
}


class AlreadyReported(Exception):
    """A pass failed after reporting why through the engine."""


def parse_arguments(arguments: Sequence[str]) -> Settings | str:
    """The settings, or the text of a page to show (`--help`, `--version`, `--show-dialects`).

    Raises:
        UsageError: an unknown flag or a missing value.
    """
    settings = Settings()
    inputs: list[str] = []
    at = 0
    while at < len(arguments):
        argument = arguments[at]
        at += 1
        if not argument.startswith("-") or argument == "-":
            inputs.append(argument)
            continue
        name, equals, value = argument.lstrip("-").partition("=")
        if name in ("help", "h"):
            return help_text()
        if name == "version":
            return f"bufferize-opt {__version__}\n"
        if name == "show-dialects":
            return "Available Dialects: " + ",".join(default_registry().dialects) + "\n"
        if name in BOOLEAN_FLAGS:
            setattr(settings, BOOLEAN_FLAGS[name][0], _flag_value(name, value if equals else "true"))
        elif name in VALUE_FLAGS:
            if not equals:
                if at >= len(arguments):
                    raise UsageError(f"for the --{name} option: requires a value!")
                value = arguments[at]
                at += 1
            if name in ("models", "ods", "irdl"):
                getattr(settings, name).append(value)
            else:
                setattr(settings, VALUE_FLAGS[name][0], value)
        else:
            _pass_flag(settings, name, value)
    if len(inputs) > 1:
        raise UsageError(f"too many positional arguments: expected one input file, got {', '.join(inputs)}")
    if inputs:
        settings.input = inputs[0]
    if settings.compat not in ("", "mlir-22"):
        raise UsageError(f"unknown --compat '{settings.compat}': only mlir-22 can be mirrored")
    if settings.pipeline is not None and settings.passes:
        raise UsageError("'-pass-pipeline' option can't be used with individual pass options")
    return settings


def _flag_value(name: str, text: str) -> bool:
    if text.lower() in ("true", "1", ""):
        return True
    if text.lower() in ("false", "0"):
        return False
    raise UsageError(f"for the --{name} option: '{text}' is invalid value for boolean argument! Try 0 or 1")


def _pass_flag(settings: Settings, name: str, options: str) -> None:
    from ..transforms.catalog import PASSES
    from ..transforms.retired import retired_pass

    if name not in PASSES:
        gone = retired_pass(name)
        if gone is not None:
            raise UsageError(gone)
        known = [*PASSES, *BOOLEAN_FLAGS, *VALUE_FLAGS, "help", "version", "show-dialects"]
        close = difflib.get_close_matches(name, known, 1)
        hint = f" Did you mean '--{close[0]}'?" if close else ""
        raise UsageError(f"Unknown command line argument '--{name}'.{hint}  Try: 'bufferize-opt --help'")
    settings.passes.append((name, options))


def help_text() -> str:
    from ..transforms.catalog import all_passes

    lines = ["Run bufferization passes on MLIR text, with the flags of mlir-opt.", "", USAGE, "", "Flags:"]
    for name, (_, help) in BOOLEAN_FLAGS.items():
        lines.append(f"  --{name:30} {help}")
    for name, (_, value, help) in VALUE_FLAGS.items():
        shown = f"-o {value}" if name == "o" else f"--{name}={value}"
        lines.append(f"  {shown:32} {help}")
    lines += ["", 'Passes, run in the order given; options follow as -PASS="option=value list=a,b":']
    for cls in all_passes():
        lines.append(f"  --{cls.name:30} {cls.summary}")
        for option in cls.declared_options().values():
            lines.append(f"      {option.key:28} {option.help}")
    lines += ["", "Examples:", "  bufferize-opt in.mlir -one-shot-bufferize=bufferize-function-boundaries"]
    lines += ["  bufferize-opt - --pass-pipeline='builtin.module(func.func(buffer-hoisting))' < in.mlir", ""]
    return "\n".join(lines)


@guarded("bufferize-opt")
def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; the exit code."""
    try:
        settings = parse_arguments(sys.argv[1:] if arguments is None else arguments)
        if isinstance(settings, str):
            sys.stdout.write(settings)
            return 0
        if settings.ods or settings.irdl:
            from ..dialects.ods import declare_files

            declare_files(settings.ods, settings.irdl)
        return Run(settings).run()
    except UsageError as failure:
        sys.stderr.write(f"bufferize-opt: {failure.diagnostic.message}\n")
    except BufferizeError as failure:
        for diagnostic in failure.diagnostics:
            sys.stderr.write(format_plain(diagnostic) + "\n")
    return 1


class Run:
    """One invocation: all parts of one input."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self.stderr: TextIO = sys.stderr
        self.timings: dict[str, float] = {}
        self.statistics: dict[tuple[str, str], int] = {}
        self.progress = Progress(0)

    def run(self) -> int:
        settings = self.settings
        steps = self.steps()
        source = read_source(settings.input)
        parts = split_source(source) if settings.split else [source]
        if len(parts) == 1:
            keep_programs()
        texts: list[str] = []
        failed = False
        with Progress(len(parts) * (3 + len(steps))) as self.progress:
            for part in parts:
                text, ok = self.part(part, steps)
                texts.append(text)
                failed = failed or not ok
        result = "// -----\n".join(texts)
        if settings.output == "-":
            if not settings.verify_diagnostics:
                output.write_stdout(result)
        elif not failed:
            output.write_file(settings.output, result)
        if settings.timing:
            self.stderr.write(self.timing_report())
        if settings.statistics:
            self.stderr.write(self.statistics_report())
        return 1 if failed else 0

    def steps(self) -> list[object]:
        settings = self.settings
        if settings.pipeline is not None:
            from ..transforms.pass_manager import parse_pipeline

            return [parse_pipeline(settings.pipeline)]
        if settings.passes:
            from ..transforms.pass_manager import make_pass

            return [make_pass(name, options) for name, options in settings.passes]
        return []

    def part(self, source: Source, steps: list[object]) -> tuple[str, bool]:
        """The output for one part of the input, and whether it went well."""
        if self.settings.verify_diagnostics:
            return self.verified_part(source, steps)
        engine = DiagnosticEngine(self.show)
        return self.process(source, steps, engine)

    def verified_part(self, source: Source, steps: list[object]) -> tuple[str, bool]:
        from ..ir.source.expected_diagnostics import DiagnosticVerifier

        verifier = DiagnosticVerifier(source)
        text, _ = self.process(source, steps, DiagnosticEngine(verifier))
        unexpected = verifier.finish()
        for diagnostic in unexpected:
            self.show(diagnostic)
        return text, not unexpected

    def show(self, diagnostic: Diagnostic) -> None:
        self.stderr.write(format_plain(diagnostic) + "\n")

    def process(self, source: Source, steps: list[object], engine: DiagnosticEngine) -> tuple[str, bool]:
        settings = self.settings
        clock = time.perf_counter
        try:
            self.progress.step(f"reading {source.name}")
            started = clock()
            parser = DocumentParser(source, default_registry(), settings.allow_unregistered)
            module = parser.parse()
            self.add_time("(parse)", clock() - started)
            self.progress.step("verifying")
            started = clock()
            verify(module, allow_unregistered=settings.allow_unregistered)
            self.add_time("(verify)", clock() - started)
            if steps:
                self.passes(module, steps, engine)
            self.progress.step("printing")
            started = clock()
            text = print_module(module, generic=settings.generic, metadata=parser.metadata)
            self.add_time("(print)", clock() - started)
            return text, not engine.has_errors
        except AlreadyReported:
            return "", False
        except BufferizeError as failure:
            engine.emit_all(failure)
            return "", False

    def passes(self, module: object, steps: list[object], engine: DiagnosticEngine) -> None:
        from ..transforms.pass_base import Context
        from ..transforms.pass_manager import PassManager

        context = Context(engine, self.settings.compat, [read_source(path) for path in self.settings.models])
        manager = PassManager(
            steps,  # pyright: ignore[reportArgumentType]
            context,
            verify_each=self.settings.verify_each,
            allow_unregistered=self.settings.allow_unregistered,
            on_step=self.progress.step,
        )
        try:
            manager.run(module)  # pyright: ignore[reportArgumentType]
        finally:
            for name, seconds in manager.timings.items():
                self.add_time(name, seconds)
            for key, count in context.statistics.items():
                self.statistics[key] = self.statistics.get(key, 0) + count
        if engine.has_errors:
            raise AlreadyReported

    def add_time(self, name: str, seconds: float) -> None:
        self.timings[name] = self.timings.get(name, 0.0) + seconds

    def timing_report(self) -> str:
        total = sum(self.timings.values()) or 1e-9
        lines = [
            "===---- Execution time report ----===",
            f"  Total: {total:.4f} seconds",
            "",
            "  Seconds  (share)  Name",
        ]
        for name, seconds in self.timings.items():
            lines.append(f"  {seconds:7.4f}  ({100 * seconds / total:4.1f}%)  {name}")
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

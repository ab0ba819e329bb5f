"""Command line of `bufferize-opt`: its flags, how they are parsed, and their help page."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .. import __version__
from ..ir.defects import MLIR_22
from ..ir.source.reading import SPLIT_MARKER
from ..ir.source.records import field, record
from ..ir.text.registry import default_registry
from .output import UsageError

USAGE = "usage: bufferize-opt [FILE] [-PASS[=OPTIONS] ...] [flags]; see bufferize-opt --help"


@record()
class Settings:
    """The parsed command line."""

    input: str = "-"
    output: str = "-"
    generic: bool = False
    allow_unregistered: bool = False
    split: str = ""
    output_split: str = SPLIT_MARKER
    skip_regions: bool = False
    verify_diagnostics: bool = False
    verify_each: bool = True
    note_operations: bool = True
    timing: bool = False
    timing_display: str = "tree"
    statistics: bool = False
    checked: bool = False
    compat: str = ""
    example: str = ""
    models: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    dialect: list[str] = field(default_factory=list)
    ods: list[str] = field(default_factory=list)
    irdl: list[str] = field(default_factory=list)
    dump_pipeline: bool = False
    ignored: bool = False
    local_scope: bool = False
    debug_info: bool = False
    pretty_locations: bool = False
    value_users: bool = False
    unique_numbers: bool = False
    named_by_location: bool = False
    no_implicit_module: bool = False
    verify_roundtrip: bool = False
    hex_larger: str = ""
    elide_larger: str = ""
    elide_resources: str = ""
    print_before: str = ""
    print_after: str = ""
    print_before_all: bool = False
    print_after_all: bool = False
    print_after_change: bool = False
    print_after_failure: bool = False
    print_module_scope: bool = False
    print_tree: str = ""
    reproducer: str = ""
    trace: str = ""
    pipeline: str | None = None
    passes: list[tuple[str, str]] = field(default_factory=list)


def _table(text: str, columns: int) -> dict[str, list[str]]:
    """Lines of columns that two spaces separate, by the first; an indented line continues the one before."""
    rows = re.sub("\n +", " ", text).strip().split("\n")
    return {name: more for name, *more in (re.split("  +", row, maxsplit=columns - 1) for row in rows)}


_BOOLEAN = """
checked  checked  prove the result against the input, and single passes only if that is open; where One-Shot
    cannot be proved, insert copies; fail if that does not help
mlir-print-op-generic  generic  print all operations in generic form
allow-unregistered-dialect  allow_unregistered  read operations of unknown dialects (in generic form)
verify-diagnostics  verify_diagnostics  compare diagnostics with 'expected-error' comments
verify-each  verify_each  check the program after each pass (default: true)
mlir-timing  timing  report the time of parsing, each pass and printing
mlir-pass-statistics  statistics  report the statistics of passes
dump-pass-pipeline  dump_pipeline  print the pipeline with all options before running it
mlir-print-ir-before-all  print_before_all  print the program before each pass
mlir-print-ir-after-all  print_after_all  print the program after each pass
mlir-print-ir-after-change  print_after_change  print after a pass only if it changed the program
mlir-print-ir-after-failure  print_after_failure  print after a pass only if it failed
mlir-print-ir-module-scope  print_module_scope  print the whole program instead of the operation that the
    pass runs on
mlir-print-local-scope  local_scope  print attributes inline, without aliases
mlir-print-debuginfo  debug_info  print the location of each operation, as 'loc(...)'
mlir-print-op-on-diagnostic  note_operations  when an error points at an operation, show its current form
    (default: true)
mlir-print-assume-verified  ignored  accepted; programs are verified before they are printed
mlir-print-stacktrace-on-diagnostic  ignored  accepted; there are no stack traces
mlir-print-skip-regions  skip_regions  print the regions of operations as '{...}'
mlir-pretty-debuginfo  pretty_locations  with --mlir-print-debuginfo, print locations without 'loc' and quotes
mlir-print-value-users  value_users  show the users of each value in a comment
mlir-print-unique-ssa-ids  unique_numbers  number values across all regions
mlir-use-nameloc-as-prefix  named_by_location  name values by the names in their locations
no-implicit-module  no_implicit_module  read one operation, without a module around it
verify-roundtrip  verify_roundtrip  fail if the program, printed and read again, is another
mlir-disable-threading  ignored  accepted; there is one thread
"""
_VALUE = f"""
pass-pipeline  pipeline  TEXT  run a pipeline such as builtin.module(func.func(cse))
compat  compat  VERSION  reproduce the defects of a reference version: {MLIR_22}
example  example  SHAPES  argument types of the model, if the input is MODEL.py:NAME, such as 16x8xf32,f32[4]
models  models  FILE  facts about custom operations; can be repeated
rules  rules  FILE  additional rules for the analysis; can be repeated
dialect  dialect  FOLDER  load a dialect written in Python (its code is executed); can be repeated
ods  ods  FILE  definitions of operations, as written by llvm-tblgen -dump-json; can be repeated
irdl  irdl  FILE  definitions of operations in IRDL; can be repeated
split-input-file  split  MARKER  process the parts of the input between lines of the marker one by one
    (default: {SPLIT_MARKER})
output-split-marker  output_split  MARKER  the line between the outputs of the parts
mlir-print-ir-before  print_before  PASSES  print the program before these passes
mlir-print-ir-after  print_after  PASSES  print the program after these passes
mlir-print-ir-tree-dir  print_tree  DIRECTORY  write what is printed between passes to files in this
    directory
mlir-timing-display  timing_display  KIND  show times in execution order (tree) or sorted (list)
mlir-elide-elementsattrs-if-larger  elide_larger  N  elide dense elements with more than N numbers
mlir-print-elementsattrs-with-hex-if-larger  hex_larger  N  print dense elements with more than N numbers in
    hexadecimal (default: 100); -1: never
mlir-elide-resource-strings-if-larger  elide_resources  N  elide resources with more than N characters
mlir-pass-pipeline-crash-reproducer  reproducer  FILE  if a pass fails, write the program and the pipeline
    to FILE
trace  trace  FILE  write the time of each pass and the lifetimes of buffers as a trace for ui.perfetto.dev
o  output  FILE  write the result to FILE
"""
BOOLEAN_FLAGS = _table(_BOOLEAN, 3)
"""The field of `Settings` and the meaning of each flag."""
VALUE_FLAGS = _table(_VALUE, 4)
"""The field of `Settings`, what the value is called, and the meaning of each flag."""


def parse_arguments(arguments: Sequence[str]) -> Settings | str:
    """Parse the settings, or return the text of a page to print (`--help`, `--version`, `--show-dialects`).

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
        if name == "list-passes":
            return "Passes:\n" + "\n".join(_pass_lines()) + "\n"
        if name == "show-dialects":
            return "Available Dialects: " + ",".join(default_registry().public_dialects) + "\n"
        if name in BOOLEAN_FLAGS:
            setattr(settings, BOOLEAN_FLAGS[name][0], _flag_value(name, value if equals else "true"))
        elif name == "split-input-file":
            settings.split = value or SPLIT_MARKER
        elif name in VALUE_FLAGS:
            if not equals:
                if at >= len(arguments):
                    raise UsageError(f"for the --{name} option: requires a value!")
                value = arguments[at]
                at += 1
            if name in ("models", "rules", "ods", "irdl", "dialect"):
                getattr(settings, name).append(value)
            else:
                setattr(settings, VALUE_FLAGS[name][0], value)
        else:
            _pass_flag(settings, name, value)
    if len(inputs) > 1:
        raise UsageError(f"too many positional arguments: expected one input file, got {', '.join(inputs)}")
    if inputs:
        settings.input = inputs[0]
    if settings.compat not in ("", MLIR_22):
        raise UsageError(f"unknown --compat '{settings.compat}': only {MLIR_22} can be mirrored")
    if settings.timing_display not in ("list", "tree"):
        raise UsageError(
            f"for the --mlir-timing-display option: Cannot find option named '{settings.timing_display}'!"
        )
    for name in ("elide_larger", "elide_resources"):
        if getattr(settings, name) and not getattr(settings, name).isdigit():
            flag = next(key for key, entry in VALUE_FLAGS.items() if entry[0] == name)
            raise UsageError(
                f"for the --{flag} option: '{getattr(settings, name)}' value invalid for uint argument!"
            )
    if not re.fullmatch(r"-?\d+", settings.hex_larger or "0"):
        raise UsageError(
            f"for the --mlir-print-elementsattrs-with-hex-if-larger option: '{settings.hex_larger}' value invalid for long "
            "argument!"
        )
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
    from ..transforms.pass_base import PASSES, retired_pass

    if name not in PASSES:
        gone = retired_pass(name)
        if gone is not None:
            raise UsageError(gone)
        known = [*PASSES, *BOOLEAN_FLAGS, *VALUE_FLAGS, "help", "version", "show-dialects", "list-passes"]
        import difflib

        close = difflib.get_close_matches(name, known, 1)
        hint = f" Did you mean '--{close[0]}'?" if close else ""
        raise UsageError(f"Unknown command line argument '--{name}'.{hint}  Try: 'bufferize-opt --help'")
    settings.passes.append((name, options))


def _pass_lines() -> list[str]:
    from ..transforms.pass_base import all_passes

    lines: list[str] = []
    for cls in all_passes():
        lines.append(f"  --{cls.name:30} {cls.summary}")
        for option in cls.declared_options().values():
            lines.append(f"      {option.key:28} {option.help}")
    return lines


def help_text() -> str:
    lines = ["Run bufferization passes on MLIR text, with the flags of mlir-opt.", "", USAGE, "", "Flags:"]
    for name, (_, help) in BOOLEAN_FLAGS.items():
        lines.append(f"  --{name:30} {help}")
    for name, (_, value, help) in VALUE_FLAGS.items():
        shown = f"-o {value}" if name == "o" else f"--{name}={value}"
        lines.append(f"  {shown:32} {help}")
    lines += ["", 'Passes, run in the order given; options follow as -PASS="option=value list=a,b":']
    lines += _pass_lines()
    lines += ["", "Examples:", "  bufferize-opt in.mlir -one-shot-bufferize=bufferize-function-boundaries"]
    lines += ["  bufferize-opt - --pass-pipeline='builtin.module(func.func(buffer-hoisting))' < in.mlir", ""]
    return "\n".join(lines)

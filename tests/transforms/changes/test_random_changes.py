"""Random programs: each safe change keeps what the program computes, and its text says what was done."""

import pytest
from bufferize import parse
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.interpreter.generate_programs import tensor_program
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.program.interfaces import SubsetInsertionOp
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_source
from bufferize.ir.text.printer import print_operation
from bufferize.ir.verifier import verify
from bufferize.transforms.changes import ProgramCopy
from bufferize.transforms.changes.difference import apply_edits, difference
from bufferize.transforms.changes.search import changes_at
from hypothesis import example, given, settings, strategies as st

OPTIONS = AnalysisOptions(bufferize_function_boundaries=True, allow_return_allocs_from_loops=True)
MAX_CHANGES = 6


def changes_keep_what_is_computed(seed: int) -> None:
    source = Source("random", tensor_program(seed))
    module = parse_source(source)
    result = analyze(module, OPTIONS)
    uses = [*result.out_of_place()]
    uses += [op.subset_source() for op in module.walk() if isinstance(op, SubsetInsertionOp)]
    changes = [
        change
        for use in dict.fromkeys(uses)
        for change in changes_at(result, use, result.reasons(use))
        if change.is_safe
    ]
    for change in changes[:MAX_CHANGES]:
        program = ProgramCopy(module)
        if not change.apply(program):
            continue
        verify(program.copy)
        for finding in verify_module(parse(source.text), program.copy, Options(inputs=1, tries=4)):
            assert not finding.failed, change
        edits = difference(program, source)
        text = apply_edits(source, edits) if edits is not None else None
        if text is not None:
            assert print_operation(parse(text)) == print_operation(program.copy), change


@settings(max_examples=3)
@given(st.integers(0, 100_000))
@example(4026)  # rematerialized where only insertions may stand
@example(9000)  # the index of an element is another outside of its operation
def test_safe_changes_of_random_programs(seed):
    changes_keep_what_is_computed(seed)


@pytest.mark.long
@settings(max_examples=300)
@given(st.integers(0, 100_000))
def test_safe_changes_of_many_random_programs(seed):
    changes_keep_what_is_computed(seed)

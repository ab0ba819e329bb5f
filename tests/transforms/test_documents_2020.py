"""The examples of the document on buffer deallocation of 2020: each pass gives the result that the page shows.

The programs stand, in the spelling of their time, in tests/documents/buffer_deallocation_2020.mlir. Names and the order of
independent operations are not compared.
"""

import re
from pathlib import Path

import pytest
from bufferize.ir.source.reading import read_source, split_source
from bufferize.ir.text.parser import parse_text
from bufferize.ir.verifier import verify
from bufferize.transforms.pass_base import Context
from bufferize.transforms.pass_manager import PassManager, make_pass

from .structure import structure

DOCUMENT = Path(__file__).parent.parent / "documents" / "buffer_deallocation_2020.mlir"
DEALLOCATION = ("buffer-deallocation", "copies=alloc-and-copy")


def programs(function):
    """The programs on the page with that function, in order."""
    parts = [part.text for part in split_source(read_source(DOCUMENT))]
    return [part for part in parts if re.findall(r"func @(\w+)", part) == [function]]


CASES = {
    "hoisting out of a branch": ("condBranch", 0, 1, ("buffer-hoisting", "")),
    "hoisting stops at the definition of a size": ("condBranchDynamicType", 0, 0, ("buffer-hoisting", "")),
    "copies at a branch": ("branch", 0, 1, DEALLOCATION),
    "copies of dynamic size": ("condBranchDynamicType", 1, 2, DEALLOCATION),
    "critical and other aliases": ("condBranchDynamicTypeNested", 0, 1, DEALLOCATION),
    "an allocation inside scf.if": ("nested_region_control_flow", 0, 1, DEALLOCATION),
    "regions that join": ("inner_region_control_flow_div", 0, 1, DEALLOCATION),
    "a loop around a branch": ("loop_nested_if", 0, 1, DEALLOCATION),
    "copy removal reuses the source": ("dynamic_allocation", 0, 1, ("copy-removal", "")),
    "copy removal reuses the target": ("reuseTarget", 0, 1, ("copy-removal", "")),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_example_gives_what_the_document_shows(case):
    function, before, after, (name, options) = case
    examples = programs(function)
    expected = examples[after]
    if function == "condBranchDynamicTypeNested":
        # the page copies %1, which %2 always is
        expected = re.sub(r'("linalg.copy"\()%1, %6', r"\g<1>%2, %6", expected)
    module = parse_text(examples[before])
    PassManager([make_pass(name, options)], Context()).run(module)
    verify(module)
    assert structure(module) == structure(parse_text(expected))


def test_a_program_without_critical_aliases_gets_no_copies():
    """All regions pass the one buffer on, which is returned."""
    (example,) = programs("inner_region_control_flow")
    module = parse_text(example)
    PassManager([make_pass(*DEALLOCATION)], Context()).run(module)
    assert structure(module) == structure(parse_text(example))


def test_stack_and_heap_mix():
    """Only what is on the heap is freed, where both ways have joined."""
    (example,) = programs("mixedAllocation")
    module = parse_text(example.replace("...", "return"))  # the page leaves out what follows
    PassManager([make_pass("buffer-deallocation")], Context()).run(module)
    (free,) = [op for op in module.walk() if op.name == "memref.dealloc"]
    assert free.operands[0].defining_op.name == "memref.alloc"
    assert free.next_op.name == "func.return"

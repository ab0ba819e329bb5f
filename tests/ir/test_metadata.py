"""Resources: nothing that a program refers to is missing from what is printed, in any form of any attribute."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from bufferize.ir.program.core import Operation
from bufferize.ir.source.diagnostics import BufferizeError, ParseError
from bufferize.ir.source.locations import Source
from bufferize.ir.source.metadata import blob_bytes, builtin_blobs, format_metadata, read_metadata
from bufferize.ir.source.reading import read_source, split_source
from bufferize.ir.text.parser import parse_source
from bufferize.ir.text.printer import print_module
from bufferize.ir.types import attributes as a

REFERRING = {
    "a constant": "%0 = arith.constant dense_resource<w> : tensor<2xi8>",
    "an attribute": '"t.op"() {x = dense_resource<w> : tensor<2xi8>} : () -> ()',
    "nested": '"t.op"() {x = [{y = dense_resource<w> : tensor<2xi8>}]} : () -> ()',
    "a property": '"t.op"() <{x = dense_resource<w> : tensor<2xi8>}> : () -> ()',
    "a global": "memref.global @g : memref<2xi8> = dense_resource<w>",
    "a tensor global": "ml_program.global private @g(dense_resource<w> : tensor<2xi8>) : tensor<2xi8>",
}
SECTION = '\n{-#\n  dialect_resources: {\n    builtin: {\n      w: "0x010000000A0B"\n    }\n  }\n#-}\n'


@pytest.mark.parametrize("generic", [False, True])
@pytest.mark.parametrize("form", REFERRING)
def test_what_an_attribute_refers_to_is_printed(form, generic):
    source = Source("r.mlir", REFERRING[form] + SECTION)
    module = parse_source(source, allow_unregistered=True)
    text = print_module(module, generic=generic, metadata=source.metadata)
    assert text.count('w: "0x010000000A0B"') == 1


def section(text: str) -> dict[str, Any]:
    return read_metadata(Source("m.mlir", text), 0)[0]


def test_sections_are_read_and_printed_as_they_are():
    text = '{-#\n  dialect_resources: {\n    builtin: {\n      a: "0x01",\n      b: "q\\"}\\\\"\n    }\n  },\n  x: {\n    y: 1\n  }\n#-}\n\n'
    assert format_metadata(section(text), ["a", "b"]) == text
    assert builtin_blobs(section(text))["b"] == '"q\\"}\\\\"'


def test_blobs_are_bytes_behind_an_alignment():
    read = section(
        '{-# dialect_resources: { builtin: { w: "0x040000000A0B", "odd key": "0x0100000000" } } #-}'
    )
    assert blob_bytes(read, "w") == b"\x0a\x0b"
    assert blob_bytes(read, "odd key") == b"\0"
    assert blob_bytes(read, "other") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{-# a: { b: 1", "expected '#-}' to end"),
        ('{-# a: "open\n" #-}', "expected '#-}' to end"),
        ("{-# a: { b: 1 #-}", "expected '}'"),
        ("{-# a } #-}", "unbalanced '}'"),
        ('{-# a: "', "expected '#-}' to end"),
    ],
)
def test_broken_sections_are_errors(text, message):
    with pytest.raises(ParseError, match=message):
        section(text)


def everything(op: Operation, metadata: dict[str, Any]) -> list[Any]:
    """All operations with their attributes and types, in order, and the blobs they refer to."""
    found: list[Any] = []
    keys: set[str] = set()
    for inner in op.walk():
        values = {**inner.properties, **inner.attributes}
        for counted in ("operandSegmentSizes", "resultSegmentSizes"):  # follow from the operands and results
            values.pop(counted, None)
        found.append((inner.name, values, [r.type for r in inner.results], [v.type for v in inner.operands]))
        found += [[arg.type for arg in block.args] for region in inner.regions for block in region]
        stack: list[Any] = list(values.values())
        seen: set[Any] = set()
        while stack:
            current = stack.pop()
            if current in seen:
                continue
            seen.add(current)
            if isinstance(current, a.DenseResourceAttr):
                keys.add(current.key)
            stack += current.children
    found.append({key: blob_bytes(metadata, key) for key in sorted(keys)})
    return found


RECORDED = os.environ.get("BUFFERIZE_RECORDED")


@pytest.mark.skipif(not RECORDED, reason="BUFFERIZE_RECORDED names no folder of programs")
@pytest.mark.parametrize("generic", [False, True])
def test_no_attribute_of_a_recorded_program_is_lost(generic):
    """Structures are compared, not only texts that both happen to print."""
    assert RECORDED is not None
    compared = 0
    for path in sorted(Path(RECORDED).glob("**/inputs/*.mlir")):
        for part in split_source(read_source(path)):
            try:
                module = parse_source(part, allow_unregistered=True)
            except BufferizeError:
                continue
            text = print_module(module, generic=generic, metadata=part.metadata)
            again = Source(str(path), text)
            other = parse_source(again, allow_unregistered=True)
            assert everything(other, again.metadata) == everything(module, part.metadata), path
            compared += 1
    assert compared

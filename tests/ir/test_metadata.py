"""Resources: nothing that a program refers to is missing from what is printed, in any form of any attribute."""

from __future__ import annotations

import os
import re
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
    text = '{-#\n  dialect_resources: {\n    builtin: {\n      a: "0x01000000",\n      b: "0x"\n    }\n  },\n  external_resources: {\n    x: {\n      y: "q\\"}\\\\"\n    }\n  }\n#-}\n\n'
    assert format_metadata(section(text), ["a", "b"]) == text
    assert builtin_blobs(section(text))["b"] == '"0x"'


def test_blobs_are_bytes_behind_an_alignment():
    read = section(
        '{-# dialect_resources: { builtin: { w: "0x040000000A0B", "odd key": "0x0100000000" } } #-}'
    )
    assert blob_bytes(read, "w") == b"\x0a\x0b"
    assert blob_bytes(read, "odd key") == b"\0"
    assert blob_bytes(read, "other") is None


BLOB = '"0x0400000001"'
BROKEN = [
    ("{-#", 4, "expected identifier key in file metadata dictionary"),
    ("{-# dialect_resources: {}, #-}", 28, "expected identifier key in file metadata dictionary"),
    ("{-# key #-}", 8, "expected ':'"),
    ("{-# key: {} #-}", 5, "unknown key 'key' in file metadata dictionary"),
    ("{-# dialect_resources {} #-}", 22, "expected ':'"),
    ('{-# dialect_resources: "value" #-}', 23, "expected '{'"),
    ("{-# dialect_resources: {} #", 26, "expected ',' or '#-}'"),
    ("{-# dialect_resources: { 10 } #-}", 26, "expected identifier key for 'resource' entry"),
    ('{-# dialect_resources: { "builtin": {} } #-}', 26, "expected identifier key for 'resource' entry"),
    ("{-# dialect_resources: { foobar: { a: 1 } } #-}", 26, "dialect 'foobar' is unknown"),
    ("{-# dialect_resources: { builtin: { 3: 1 } } #-}", 37, "expected identifier key for 'resource' entry"),
    ("{-# dialect_resources: { builtin: { a: 10 } } #-}", 40, "expected hex string blob for key 'a'"),
    ('{-# dialect_resources: { builtin: { a: "abc" } } #-}', 40, "expected hex string blob for key 'a'"),
    ('{-# dialect_resources: { builtin: { a: "0x040" } } #-}', 40, "expected hex string blob for key 'a'"),
    ('{-# dialect_resources: { builtin: { a: "0x04" } } #-}', 40, "to encode alignment in first 4 bytes"),
    ('{-# dialect_resources: { builtin: { a: "0x03000000" } } #-}', 40, "but got non-power-of-2 value: 3"),
    ('{-# dialect_resources: { builtin: { a: "open\n" } } #-}', 40, "expected hex string blob for key 'a'"),
    (f"{{-# dialect_resources: {{ builtin: {{ a: {BLOB} b: 1 }} }} #-}}", 54, "expected ',' or '}'"),
    (f"{{-# dialect_resources: {{ builtin: {{ a: {BLOB} }} #-}}", 56, "expected ',' or '}'"),
    ("{-# external_resources: { x: { c: 1 } } #-}", 35, "expected string value for key 'c'"),
]


@pytest.mark.parametrize(("text", "column", "message"), BROKEN)
def test_broken_sections_are_errors(text: str, column: int, message: str):
    with pytest.raises(ParseError, match=re.escape(message)) as caught:
        section(text)
    assert caught.value.diagnostic.span is not None
    assert caught.value.diagnostic.span.column in (column, len(text))


def test_resources_belong_to_few_dialects():
    with pytest.raises(ParseError, match="unexpected 'resource' section for dialect 'arith'"):
        parse_source(Source("m.mlir", "{-# dialect_resources: { arith: { } } #-}"))


def test_sections_of_one_name_are_one():
    first, second = (f"dialect_resources: {{ builtin: {{ {key}: {BLOB} }} }}" for key in "ab")
    assert [*builtin_blobs(section(f"{{-# {first}, {second} #-}}"))] == ["a", "b"]


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

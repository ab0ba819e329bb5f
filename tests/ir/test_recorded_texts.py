"""Types and attributes print as mlir-opt 22 prints them, errors read as its errors.

The files in `data/` were recorded from mlir-opt; `left ==> right` is a text and what came of it.
"""

import shutil
import subprocess
from pathlib import Path

import pytest
from bufferize.ir.source.diagnostics import ParseError
from bufferize.ir.source.locations import Source
from bufferize.ir.source.parts import attribute_end, type_end
from bufferize.ir.text.syntax import SyntaxScope

DATA = Path(__file__).parent / "data"


def rows(name: str) -> list[tuple[str, str]]:
    lines = (DATA / f"{name}.txt").read_text("utf-8").splitlines()
    pairs = (line.partition(" ==> ") for line in lines if not line.startswith("# "))
    return [(left, right) for left, _, right in pairs]


def parse(kind: str, text: str, follow: str):
    """`text`, found by its extent in front of `follow`."""
    source = Source("input.mlir", text + follow)
    if kind == "type":
        end = type_end(source, 0)
        value = SyntaxScope().parse_type(source, 0, end)
    else:
        end = attribute_end(source, 0)
        value = SyntaxScope().parse_attribute(source, 0, end)
    assert source.text[end:] == follow
    return value


@pytest.mark.parametrize(("text", "printed"), rows("types"))
def test_type_is_printed_as_by_mlir_opt(text: str, printed: str):
    assert str(parse("type", text, ") -> ()")) == printed


@pytest.mark.parametrize("name", ["attributes", "affine", "floats"])
def test_attributes_are_printed_as_by_mlir_opt(name: str):
    printed = {text: str(parse("attribute", text, ", b = 1}")) for text, _ in rows(name)}
    assert printed == dict(rows(name))


def reads_back_exactly(printed: str) -> bool:
    """Not so are sums, whose grouping is not printed, and what is wider than the double a literal passes through."""
    return not printed.endswith((": f80", ": f128")) and "affine" not in printed


@pytest.mark.parametrize("name", ["types", "attributes", "floats"])
def test_printed_text_reads_back_as_the_same_object(name: str):
    kind = "type" if name == "types" else "attribute"
    for text, printed in rows(name):
        if reads_back_exactly(printed):
            assert parse(kind, printed, "}") is parse(kind, text, "}"), text


@pytest.mark.parametrize(("text", "expected"), rows("errors"))
def test_error_is_that_of_mlir_opt(text: str, expected: str):
    kind, _, text = text.partition(" ")
    with pytest.raises(ParseError) as caught:
        parse(kind, text, ")\n" if kind == "type" else "}\n")
    span = caught.value.span
    assert span is not None
    assert f"{span.start}: {caught.value.diagnostic.message}" == expected


@pytest.mark.mlir
@pytest.mark.skipif(shutil.which("mlir-opt-22") is None, reason="needs mlir-opt 22")
def test_recorded_types_are_still_what_mlir_opt_prints():
    named = ("sparse_tensor", "affine_map")  # printed as aliases
    texts = [row for row in rows("types") if not any(name in row[1] for name in named)]
    program = "".join(f'"test.op"() {{t = {text}}} : () -> ()\n' for text, _ in texts)
    run = subprocess.run(
        ["mlir-opt-22", "--allow-unregistered-dialect"],
        input=program,
        capture_output=True,
        text=True,
        check=True,
    )
    printed = [line.strip() for line in run.stdout.splitlines() if "test.op" in line]
    assert printed == [f'"test.op"() {{t = {text}}} : () -> ()' for _, text in texts]

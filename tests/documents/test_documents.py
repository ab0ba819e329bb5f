"""The programs of the documents that describe bufferization, in the spelling of their time, are read as they stand.

Shapes that were lost on a page are put back. Some leave a body out (`...`): those are read, but have nothing to verify.
"""

from pathlib import Path

import pytest
from bufferize.ir.source.diagnostics import BufferizeError
from bufferize.ir.source.reading import read_source, split_source
from bufferize.ir.text.parser import parse_source, parse_text
from bufferize.ir.text.printer import print_operation
from bufferize.ir.verifier import verify

HERE = Path(__file__).parent
PARTS = [
    (path.stem, number, part)
    for path in sorted(HERE.glob("*.mlir"))
    for number, part in enumerate(split_source(read_source(path)))
]
MISTAKEN = {
    (
        "ownership_2023",
        5,
    ): "use of value '%0' expects different type",  # the page's own mistake: memref<f64>
}
CALLS_OUTSIDE = "does not reference a valid function"


@pytest.mark.parametrize(("document", "number", "part"), PARTS, ids=[f"{d}-{n}" for d, n, _ in PARTS])
def test_document_program_is_read(document, number, part):
    if (document, number) in MISTAKEN:
        with pytest.raises(BufferizeError, match=MISTAKEN[document, number]):
            parse_source(part, allow_unregistered=True)
        return
    module = parse_source(part, allow_unregistered=True)
    text = print_operation(module)
    again = parse_text(text, allow_unregistered=True)
    assert print_operation(again) == text
    if "..." in part.text or "…" in part.text:
        return
    try:
        verify(module, allow_unregistered=True)
    except BufferizeError as failure:
        assert all(CALLS_OUTSIDE in d.message for d in failure.diagnostics), str(failure)


def test_there_are_programs():
    assert len(PARTS) > 35

"""Every diagram of the buffer deallocation document (2020) is redrawn beside its description, and says what it said.

The labels are those of `mlir/docs/includes/img/NAME.svg`, in today's spelling of the operations.
"""

import html
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"

DIAGRAMS = {
    "branch_example_pre_move": (
        "branch-before",
        [
            "^bb0(%arg0",
            "^bb1",
            "^bb2",
            "^bb3(%1",
            "%0 = memref.alloc()",
            "memref.copy %1, %arg2",
            "%1 ← %0",
            "%1 ← %arg1",
        ],
        "In `branch.mlir`, the buffer `%0` is allocated in one branch only",
    ),
    "branch_example_post_move": (
        "branch-after",
        [
            "^bb0(%arg0",
            "^bb1",
            "^bb2",
            "^bb3(%1",
            "%0 = memref.alloc()",
            "memref.copy %1, %arg2",
            "%1 ← %0",
            "%1 ← %arg1",
        ],
        "`-buffer-hoisting` moves the allocation",
    ),
    "nested_branch_example_pre_move": (
        "nested-branch-before",
        [
            *(f"^bb{i}" for i in range(8)),
            "%1 = memref.alloc(%0)",
            "memref.copy %4, %arg2",
            "%3 ← %arg1",
            "%2 ← %1",
            "%3 ← %2",
            "%4 ← %3",
        ],
        "In `nested_branch.mlir`, the size of the buffer",
    ),
    "nested_branch_example_post_move": (
        "nested-branch-after",
        [
            *(f"^bb{i}" for i in range(8)),
            "clone %arg1",
            "clone %2",
            "memref.dealloc %1",
            "memref.dealloc %3",
            "%3 ← %_0",
            "%3 ← %_3",
            "%4 ← %3",
        ],
        "`%3` is a *critical alias*",
    ),
    "region_branch_example_pre_move": (
        "region-branch-before",
        [
            "test.region_if",
            "then",
            "else",
            "join",
            "%arg2 ← %0",
            "%arg3 ← %0",
            "%arg4 ← %arg2",
            "%arg4 ← %2",
            "%1 ← %arg4",
        ],
        "`test.region_if` runs its first or its second region",
    ),
}


@pytest.mark.parametrize("name", DIAGRAMS)
def test_the_diagram_is_redrawn_by_a_command_beside_its_description(name):
    picture, labels, description = DIAGRAMS[name]
    commands = (DOCS / "pictures.txt").read_text(encoding="utf-8").splitlines()
    (command,) = [line for line in commands if line.endswith(f" -o {picture}.svg")]
    page = (DOCS / "deallocation.md").read_text(encoding="utf-8")
    place = page.index(f"(pictures/{picture}.svg)")
    assert page.rindex(description, 0, place) > page.rindex("\n## ", 0, place), (
        "described in the same section, above"
    )
    assert command in page[place:], "the command that draws it stands below"
    drawn = (DOCS / f"pictures/{picture}.svg").read_text(encoding="utf-8")
    said = "".join(html.unescape("".join(re.findall(r"<text[^>]*>([^<]*)</text>", drawn))).split())
    assert not [label for label in labels if "".join(label.split()) not in said]

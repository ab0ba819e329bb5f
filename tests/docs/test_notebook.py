"""The notebook of the handbook: each cell runs, what it ends in shows itself, and what fails is meant to."""

import ast
import json
from pathlib import Path
from typing import Any

import bufferize

NOTEBOOK = json.loads((Path(__file__).parents[2] / "docs" / "notebook.ipynb").read_text(encoding="utf-8"))


def run(source: str, names: dict[str, Any]) -> Any:
    """What a cell ends in, as a notebook shows it; None if it ends in a statement."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)
    return (
        eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
        if isinstance(last, ast.Expr)
        else None
    )


def test_every_cell_runs():
    names: dict[str, Any] = {}
    shown: list[str] = []
    failed = 0
    for cell in NOTEBOOK["cells"]:
        if cell["cell_type"] != "code":
            continue
        try:
            result = run("".join(cell["source"]), names)
        except bufferize.BufferizeError as refused:
            assert "raises-exception" in cell["metadata"].get("tags", [])
            assert "Traceback" not in "\n".join(refused._render_traceback_())
            failed += 1
            continue
        if result is not None:
            html = (
                getattr(result, "_repr_html_", lambda: None)()
                or getattr(result, "_repr_svg_", lambda: None)()
            )
            assert html
            shown.append(html)
    assert failed == 1 and len(shown) == 5
    assert "tensor.insert" in shown[0] and "read-after-write" in shown[1] and "%t" in shown[2]
    assert "memref.store" in shown[4] and "memref.copy" not in shown[4]

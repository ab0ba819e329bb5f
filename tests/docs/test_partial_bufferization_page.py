"""The commands and the blocks of docs/partial_bufferization.md run, and do what the page says."""

import importlib.util
import re
import sys
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "partial_bufferization.md"


def _runnable():
    name = "docs_runnable"
    spec = importlib.util.spec_from_file_location(name, DOCS / "runnable.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def test_commands_print_what_the_page_says():
    page = PAGE.read_text(encoding="utf-8")
    assert page.count("$ bufferize-opt") >= 5
    assert _runnable().differences(page) == []


def test_python_blocks_run_and_the_pass_is_short():
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    own_pass = next(block for block in blocks if "def toy_bufferize" in block)
    assert len(own_pass.splitlines()) < 40
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)

"""The handbook says what is: generated pages fit the code, commands print what pages show, links lead somewhere."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(DOCS.glob("*.md"))
RECORDED = os.environ.get("BUFFERIZE_RECORDED")


def load(name: str) -> ModuleType:
    known = sys.modules.get(f"handbook_{name}")
    if known is not None:
        return known
    spec = importlib.util.spec_from_file_location(f"handbook_{name}", DOCS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[f"handbook_{name}"] = module
    spec.loader.exec_module(module)
    return module


runnable, generate = load("runnable"), load("generate")


@pytest.mark.parametrize("name", generate.PAGES)
def test_generated_pages_fit_the_code(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == generate.PAGES[name](), (
        "run 'python docs/generate.py'"
    )


def test_every_limit_says_what_it_bounds() -> None:
    found = list(generate.limits())
    assert [(file, name) for file, name, _, document in found if not document] == []
    assert {file.partition("/")[0] for file, *_ in found} >= {"ir", "analysis", "proof", "transforms", "viz"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_print_what_the_page_shows(page: Path) -> None:
    for command, printed in runnable.differences(page.read_text(encoding="utf-8")):
        assert printed == command.expected, (
            f"'{command.line}'; if this is right, run 'python docs/generate.py'"
        )
        pytest.fail(f"'{command.line}' prints something else than the page shows")


def anchors(page: Path) -> set[str]:
    """The anchors that a code host gives to the headings of a page."""
    headings = re.findall(
        r"^#+ (.*)$", re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S), re.M
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    for target in re.findall(r"\]\(([^)]+)\)", text):
        if target.startswith(("http:", "https:")):
            continue
        name, _, anchor = target.partition("#")
        file = page if not name else (page.parent / name)
        assert file.exists(), target
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file), target


def test_tables_about_recorded_programs_are_measured(tmp_path: Path) -> None:
    for folder in ("conformance/inputs", "conformance/expected/oneshot", "real/inputs"):
        (tmp_path / folder).mkdir(parents=True)
    program = (DOCS.parent / "examples/cell.mlir").read_text(encoding="utf-8")
    (tmp_path / "conformance/inputs/cell.mlir").write_text(program)
    (tmp_path / "conformance/expected/oneshot/cell.mlir").write_text(program)
    tables = generate.recorded_tables(tmp_path)
    assert "| all | 1 of 1 |" in tables["proofs"]
    assert "| read-after-write | 0 | 0 | 1 | 0 |" in tables["verdicts"]
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for name, old in re.findall(r"<!-- recorded: (\S+) -->\n(.*?)<!-- end -->", text, re.DOTALL):
            made = generate.with_recorded_tables(text, tables)
            assert tables[name] in made
            assert old not in made
            assert old.partition("\n")[0] == tables[name].partition("\n")[0] or not tables[name]


@pytest.mark.long
@pytest.mark.skipif(not RECORDED, reason="BUFFERIZE_RECORDED names no folder of recorded programs")
def test_the_tables_about_recorded_programs() -> None:
    tables = generate.recorded_tables(Path(RECORDED or ""))
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert generate.with_recorded_tables(text, tables) == text, "run 'python docs/generate.py --recorded'"


OF_READERS = {
    "folds.py",
    "patterns.py",
    "mydialect/__init__.py",
    "mydialect/models.py",
    "mydialect/rewrites.py",
}
"""Files that readers write, by the recipes of architecture.md."""
TELLS_OF_FILES = [
    *(DOCS.parent / page for page in ("docs/architecture.md", "CONTRIBUTING.md")),
    *(
        file
        for folder in DOCS.parent.iterdir()
        if folder.is_dir() and folder.name not in {"tests", "build"} and not folder.name.startswith(".")
        for kind in ("*.py", "*.dl")
        for file in folder.rglob(kind)
    ),
]


def test_files_that_pages_and_comments_name_exist() -> None:
    files = {
        f"/{file.relative_to(DOCS.parent).as_posix()}"
        for file in DOCS.parent.rglob("*.*")
        if not file.parts[len(DOCS.parent.parts)].startswith(".")
    }
    missing = {
        f"{page.relative_to(DOCS.parent)}: {name}"
        for page in TELLS_OF_FILES
        for name in re.findall(r"`([\w./-]+\.(?:py|dl|md))`", page.read_text(encoding="utf-8"))
        if name not in OF_READERS and not any(file.endswith(f"/{name}") for file in files)
    }
    assert not missing


def test_every_picture_has_its_command() -> None:
    drawn = {name for name, _ in generate.pictures()} | {
        "benchmark-analysis.svg"
    }  # that one is `bufferize bench`'s
    assert {path.name for path in (DOCS / "pictures").glob("*.svg")} == drawn
    shown = {
        name
        for page in PAGES
        for name in re.findall(r"pictures/([\w-]+\.svg)", page.read_text(encoding="utf-8"))
    }
    assert shown <= drawn


def test_commands_of_pictures_draw() -> None:
    with runnable.folder():
        for name, line in generate.pictures():
            assert runnable.run(line.replace(f"-o {name}", "-o picture.dot")) == "", line


PAGE = """\
<!-- file: a.txt -->
```text
one
two
```

```console
$ cat a.txt
one
...
$ cat a.txt
one
```
"""


def test_blocks_are_run_and_compared() -> None:
    (different,) = runnable.differences(PAGE)
    command, printed = different
    assert (command.expected, printed) == ("one\n", "one\ntwo\n")
    assert runnable.differences(runnable.refreshed(PAGE)) == []


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("a\n", "a", True),
        ("a \n", "a\n\n", True),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\n...\nd\n", "a\nd\n", True),
        ("...\n", "anything\n", True),
        ("a\n...\nd\n", "a\nb\n", False),
        ("a.c\n", "abc\n", False),
    ],
)
def test_dots_stand_for_lines(expected: str, printed: str, same: bool) -> None:
    assert runnable.matches(expected, printed) is same


def test_no_example_names_a_file_that_is_not_there():
    pages = sorted((Path(__file__).parents[2] / "docs").glob("*.md"))
    assert pages
    for page in pages:
        assert "error: cannot open input file" not in page.read_text(encoding="utf-8"), page.name

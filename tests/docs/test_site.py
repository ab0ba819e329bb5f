"""The site of the handbook: every page is there, every link leads somewhere, programs open in the playground."""

import base64
import importlib.util
import re
import zlib
from pathlib import Path
from urllib.parse import unquote

import pytest
from bufferize.cli.playground_command import PYODIDE_FILES

ROOT = Path(__file__).parents[2]
pytest.importorskip("markdown_it", reason="markdown-it-py is not installed")
SPEC = importlib.util.spec_from_file_location("site_of_the_handbook", ROOT / "docs" / "site.py")
assert SPEC is not None and SPEC.loader is not None
site = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(site)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    for name in PYODIDE_FILES:
        (folder / "pyodide").mkdir(exist_ok=True)
        (folder / "pyodide" / name).write_text("")
    assert site.main(["-o", str(folder / "site"), "--pyodide", str(folder / "pyodide")]) == 0
    return folder / "site"


def test_every_page_of_the_handbook_is_there(written: Path):
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")} - {"README"}
    assert pages | {"index"} == {path.stem for path in written.glob("*.html")}


def test_every_link_leads_somewhere(written: Path):
    broken = [
        f"{page.name}: {address}"
        for page in written.glob("*.html")
        for address in re.findall(r'(?:href|src)="([^"]+)"', page.read_text(encoding="utf-8"))
        if not re.match(r"\w+:", address)
        if not _leads_somewhere(page, unquote(address))
    ]
    assert broken == []


def _leads_somewhere(page: Path, address: str) -> bool:
    path, _, anchor = address.partition("#")
    target = page if not path else page.parent / path
    if not target.is_file():
        return False
    return not anchor or "playground" in path or f'id="{anchor}"' in target.read_text(encoding="utf-8")


def test_programs_open_in_the_playground(written: Path):
    text = (written / "rules.html").read_text(encoding="utf-8")
    packed = re.findall(r'href="playground/index.html#([\w-]+)"', text)
    programs = [zlib.decompress(base64.urlsafe_b64decode(p + "=" * (-len(p) % 4)), wbits=-15) for p in packed]
    assert any(b"tensor.extract %a[%i] {watch}" in program for program in programs)
    assert (written / "playground" / "index.html").is_file()


def test_pages_stand_in_four_sections_and_the_search_knows_their_parts(written: Path):
    text = (written / "rules.html").read_text(encoding="utf-8")
    assert re.findall(r"<h2>(\w+)</h2>\n<a", text) == ["Start", "Explain", "Passes", "Inside"]
    index = (written / "search.js").read_text(encoding="utf-8")
    assert '"drop_in.html#where-text-differs"' in index

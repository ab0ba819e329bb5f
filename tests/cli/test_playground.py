"""The playground: its files are all it needs, and in a real browser it explains each example."""

from __future__ import annotations

import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from bufferize.cli.main import main
from bufferize.cli.playground_command import PYODIDE_FILES

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "viz" / "html"))
from browser import Browser, find_browser  # noqa: E402


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page with files of the right names in the place of Pyodide."""
    folder = tmp_path_factory.mktemp("playground")
    for name in PYODIDE_FILES:
        (folder / "pyodide").mkdir(exist_ok=True)
        (folder / "pyodide" / name).write_text("")
    assert main(["playground", "-o", str(folder / "site"), "--pyodide", str(folder / "pyodide")]) == 0
    return folder / "site"


def test_its_files_are_all_that_the_page_needs(site: Path, tmp_path: Path):
    with zipfile.ZipFile(site / "bufferize.zip") as archive:
        archive.extractall(tmp_path / "packages")
    (tmp_path / "p.mlir").write_bytes((ROOT / "examples" / "loop.mlir").read_bytes())
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'packages')!r})\n"
        "from bufferize.cli.main import main\n"
        "code = main(['explain', 'p.mlir']) + main(['report', 'p.mlir', '-o', 'r.html'])\n"
        "import json; from bufferize.cli.playground import ANSWERS, answer\n"
        "asked = {'program': open('p.mlir').read(), 'flags': [], 'pipeline': 'cse', 'kind': 'cfg', 'line': 1, 'character': 4}\n"
        "found = {do: json.loads(answer(json.dumps({'do': do, **asked}))) for do in ANSWERS}\n"
        "assert found['assist']['diagnostics'] and found['complete']['items'], found\n"
        "raise SystemExit(code or ('numpy' in sys.modules))\n"
    )
    # -S: nothing that is installed is there; no PATH: neither is Graphviz
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], cwd=tmp_path, capture_output=True, env={"PATH": ""}
    )
    assert done.returncode == 0, done.stderr.decode()
    assert b"carried-around-loop" in done.stdout
    assert "<svg" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_the_same_files_make_the_same_page(site: Path, tmp_path: Path):
    assert main(["playground", "-o", str(tmp_path), "--pyodide", str(site / "pyodide")]) == 0
    assert (tmp_path / "bufferize.zip").read_bytes() == (site / "bufferize.zip").read_bytes()


def test_an_address_is_allowed_and_nothing_else(site: Path, tmp_path: Path):
    assert main(["playground", "-o", str(tmp_path), "--pyodide", "https://cdn.example/p/v1"]) == 0
    assert json.loads((tmp_path / "settings.json").read_text()) == {"pyodide": "https://cdn.example/p/v1/"}
    assert "https://cdn.example;" in (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "http" not in (site / "index.html").read_text(encoding="utf-8").replace("http-equiv", "")
    assert not (tmp_path / "pyodide").exists()


@pytest.mark.parametrize(
    ("flags", "said"),
    [(["--pyodide", "."], "is not Pyodide: there is no 'pyodide.mjs'"), ([], "npm, which is not installed")],
)
def test_what_is_missing_is_said(
    flags: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "")
    assert main(["playground", "-o", str(tmp_path / "site"), *flags]) != 0
    shown = capsys.readouterr().err
    assert said in shown and "pyodide@" in shown


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the real page."""
    if find_browser() is None:
        pytest.skip("no Chromium or Chrome is installed")
    folder = tmp_path_factory.mktemp("served")
    given = os.environ.get("BUFFERIZE_PYODIDE")
    if given is None and shutil.which("npm") is None:
        pytest.skip("npm is not installed, and BUFFERIZE_PYODIDE names no folder of Pyodide")
    if main(["playground", "-o", str(folder), *(["--pyodide", given] if given else [])]) != 0:
        pytest.skip("npm cannot fetch Pyodide here")

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None: ...

    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


IDLE = "/ s$/.test(document.getElementById('state').textContent) && !document.querySelector('.waiting')"
TEXT = "document.getElementById('program').editor.text"


def _press(browser: Browser, key: str) -> None:
    for kind in ("rawKeyDown", "keyUp"):
        browser.send("Input.dispatchKeyEvent", type=kind, key=key, code=key)


def _opened(browser: Browser, pane: str) -> None:
    browser.run(
        f"document.getElementById('state').textContent = ''; document.getElementById('tab-{pane}').click()"
    )
    browser.wait_for(IDLE)


@pytest.mark.long
def test_each_example_is_worked_on_in_a_browser(served: str):
    with Browser(timeout=60) as browser:
        browser.send("Page.navigate", url=served)
        browser.wait_for("document.getElementById('text')?.textContent.length > 0")
        browser.wait_for(IDLE)
        names = browser.run("[...document.getElementById('example').options].map(option => option.text)")
        assert names == sorted(path.name for path in (ROOT / "examples").glob("*.mlir"))
        for i, name in enumerate(names):
            _opened(browser, "explain")
            browser.run(
                f"(e => {{ e.selectedIndex = {i}; document.getElementById('state').textContent = ''; "
                "e.dispatchEvent(new Event('change')); })(document.getElementById('example'))"
            )
            browser.wait_for(IDLE)
            text = browser.run("document.getElementById('text').textContent")
            assert "tensor operand" in text or "no tensor" in text, name
            _opened(browser, "report")
            report = browser.run("document.getElementById('page').srcdoc")
            assert '<section id="source">' in report and '<section id="after">' in report, name
            _opened(browser, "passes")
            assert browser.run("document.getElementById('stage').options.length") > 5, name
            _opened(browser, "picture")
            assert browser.run("document.querySelector('#drawing img').naturalWidth") > 50, name
        assert "<svg" in report
        assert browser.run(
            "document.getElementById('program').shadowRoot.querySelector('.cm-content') !== null"
        )
        _opened(browser, "memory")
        link, program = browser.run("location.href"), browser.run(TEXT)
        browser.send("Page.navigate", url="about:blank")
        browser.send("Page.navigate", url=link)
        browser.wait_for(f"document.getElementById('program')?.editor && {TEXT}.length > 0")
        assert browser.run(TEXT) == program
        assert browser.run("document.querySelector('[aria-selected=true]').id") == "tab-memory"
        browser.wait_for(IDLE)
        browser.run("document.getElementById('tab-memory').focus()")
        _press(browser, "Home")
        assert browser.run("document.activeElement.id") == "tab-explain", (
            "panes are chosen by arrow keys, Home and End"
        )
        assert browser.run("document.getElementById('example').selectedIndex") == len(names) - 1
        browser.run(f"{TEXT} = 'func.func @f( <img src=x>'")
        assert browser.run("document.getElementById('example').selectedIndex") == -1
        browser.wait_for("document.getElementById('text').textContent.includes('error')")
        assert browser.problems() == []
        assert all(address.startswith((served, "about:", "data:", "blob:")) for address in browser.requests())


@pytest.mark.long
@pytest.mark.parametrize("width", [1400, 1024, 390])
def test_the_page_fits_its_window(served: str, width: int):
    with Browser(timeout=60) as browser:
        browser.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=800,
            deviceScaleFactor=1,
            mobile=width < 500,
        )
        browser.send("Page.navigate", url=served)
        browser.wait_for("document.getElementById('text')?.textContent.length > 0")
        for pane in ("explain", "report", "passes", "fix", "memory", "picture"):
            _opened(browser, pane)
            assert browser.run("document.documentElement.scrollWidth - innerWidth") <= 0, pane
            if pane == "explain":  # totals and the command to paste are wrapped; what is drawn scrolls
                lines = "[...document.querySelectorAll('#text div')]"
                assert browser.run(f"{lines}.some(line => line.textContent.includes('-> 0'))")
                assert browser.run(f"{lines}.every(line => line.scrollWidth <= line.clientWidth)")


EDITOR = "document.getElementById('program').shadowRoot"


def _chord(browser: Browser, key: str, code: str, number: int, modifiers: int = 0) -> None:
    for kind in ("rawKeyDown", "keyUp"):
        browser.send(
            "Input.dispatchKeyEvent",
            type=kind,
            key=key,
            code=code,
            windowsVirtualKeyCode=number,
            modifiers=modifiers,
        )


@pytest.mark.long
def test_hover_completion_and_a_change_are_had_in_the_editor(served: str):
    with Browser(timeout=60) as browser:
        browser.size(1400, 900)
        browser.send("Page.navigate", url=served)
        browser.wait_for("document.getElementById('text')?.textContent.length > 0")
        browser.wait_for(IDLE)
        browser.run(f"{TEXT} = {json.dumps((ROOT / 'examples' / 'cell.mlir').read_text())}")
        browser.wait_for(f"{EDITOR}.querySelector('.cm-lintRange')")
        x, y = browser.run(
            f"(() => {{ const line = [...{EDITOR}.querySelectorAll('.cm-line')].find(l => l.textContent.includes('%new ='));"
            "const words = document.createTreeWalker(line, NodeFilter.SHOW_TEXT); let node;"
            "while ((node = words.nextNode()) && !node.data.includes('%new'));"
            "const at = node.data.indexOf('%new'), range = document.createRange();"
            "range.setStart(node, at + 1); range.setEnd(node, at + 3);"
            "const box = range.getBoundingClientRect(); return [box.x, box.y + box.height / 2]; })()"
        )
        for shift in (-20, 1):
            browser.send("Input.dispatchMouseEvent", type="mouseMoved", x=x + shift, y=y)
        browser.wait_for(f"{EDITOR}.querySelector('.hover')?.textContent.includes('%new : tensor<1024xf32>')")
        browser.send("Input.dispatchMouseEvent", type="mouseMoved", x=5, y=5)
        browser.run("document.getElementById('program').editor.focus()")
        _chord(browser, "M", "KeyM", 77, modifiers=2 | 8)  # the list of findings, by keyboard alone
        browser.wait_for(
            f"{EDITOR}.querySelector('.cm-panel-lint')?.textContent.includes('move \\'tensor.extract\\' up')"
        )
        _chord(browser, "m", "KeyM", 77)
        browser.wait_for(f"{TEXT}.indexOf('%old =') < {TEXT}.indexOf('%new =')")
        _chord(browser, "Escape", "Escape", 27)
        browser.run(f"{TEXT} = 'func.func @f(%t: tensor<4xf32>) {{\\n  %x = tensor.ext\\n  return\\n}}\\n'")
        browser.run("document.getElementById('program').editor.jump(2, 18)")
        _chord(browser, " ", "Space", 32, modifiers=2)
        browser.wait_for(f"{EDITOR}.querySelectorAll('.cm-tooltip-autocomplete li').length > 1")
        browser.run("new Promise(done => setTimeout(done, 300))")  # the list takes no key at once
        browser.press("Enter")
        browser.wait_for(f"{TEXT}.includes('%x = tensor.extract\\n')")
        _chord(browser, "Escape", "Escape", 27)
        browser.press("Tab")
        assert browser.run("document.activeElement.id") == "tab-explain", (
            "Escape and Tab lead out of the editor"
        )
        assert browser.problems() == []

"""The report in a real browser: it opens, nothing goes wrong, search finds, links jump, and nothing leaves the page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from browser import Browser
from conftest import CELL

HOSTILE = (
    'func.func @"</script><script>document.title=1</script>"(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {\n'
    '  %0 = tensor.insert %f into %t[%i] {a = "<img src=http://example.org/x onerror=document.title=1>"} : tensor<4xf32>\n'
    "  %1 = tensor.extract %t[%i] : tensor<4xf32>\n"
    "  return %0, %1 : tensor<4xf32>, f32\n}\n"
)
VISIBLE = "(() => {{ const b = document.querySelector('{}').getBoundingClientRect(); return b.bottom > 0 && b.top < innerHeight; }})()"


@pytest.fixture
def opened(page: Callable[..., str], browser: Browser, tmp_path: Path) -> Callable[..., Browser]:
    """Opens the report of a program."""

    def open_page(text: str, *flags: str) -> Browser:
        page(text, *flags)
        browser.size(1280, 900)
        browser.appearance()
        browser.open(tmp_path / "report.html")
        return browser

    return open_page


def several(count: int) -> str:
    return "\n".join(CELL.replace("swap_cell", f"swap_{i}") for i in range(count))


def settled(browser: Browser) -> Browser:
    """Nothing went wrong up to now, and the only request was the page itself."""
    assert browser.problems() == []
    assert len(browser.requests()) == 1
    return browser


def test_it_opens_without_errors_and_requests(opened: Callable[..., Browser]) -> None:
    browser = settled(opened(CELL))
    assert browser.run("document.title") == "cell.mlir: bufferize report"
    assert browser.run("document.querySelector('#f1').open") is True
    assert browser.run("getComputedStyle(document.querySelector('.first .l')).display") == "grid"


def test_names_of_the_input_cannot_run_script(opened: Callable[..., Browser]) -> None:
    browser = settled(opened(HOSTILE))
    assert browser.run("document.title") == "cell.mlir: bufferize report"
    assert browser.run("document.images.length") == 0
    assert browser.run("document.scripts.length") == 1


def test_the_policy_stops_scripts_that_get_in_anyway(opened: Callable[..., Browser]) -> None:
    browser = opened(CELL)
    browser.run(
        "(() => { const s = document.createElement('script'); s.textContent = 'document.title = 1';"
        "document.body.append(s); const i = new Image(); i.src = 'http://example.org/'; document.body.append(i); })()"
    )
    assert browser.run("document.title") == "cell.mlir: bufferize report"
    assert any("Content Security Policy" in problem for problem in browser.problems())
    browser.events.clear()


def test_search_finds_findings_and_lines_and_steps_through_them(opened: Callable[..., Browser]) -> None:
    browser = opened(several(8), "--no-pictures")
    browser.press("/")
    assert browser.run("document.activeElement.id") == "search"
    browser.press(*"swap_6")
    browser.wait_for("document.querySelectorAll('.listing .l.hit').length === 1")
    browser.press("Enter")
    assert browser.run("document.querySelector('.l.at').textContent").find("@swap_6") > 0
    assert browser.run(VISIBLE.format(".l.at"))
    browser.run("document.querySelector('#search').value = ''")
    browser.press(*"no such words")
    browser.wait_for("document.querySelector('#results').textContent.includes('nothing found')")
    settled(browser)


def test_links_jump_from_finding_to_line_and_back(opened: Callable[..., Browser]) -> None:
    browser = opened(several(30), "--no-pictures")
    browser.click(".k[href='#f29']")
    assert browser.run("document.querySelector('#f29').open")
    assert browser.run(VISIBLE.format("#f29"))
    browser.click("#f29 .go")
    assert browser.run("document.querySelector('.l.at').id") == browser.run(
        "document.querySelector('#f29 .go').getAttribute('href').slice(1)"
    )
    assert browser.run(VISIBLE.format(".l.at"))
    settled(browser)


def test_an_address_with_a_line_opens_there(
    page: Callable[..., str], browser: Browser, tmp_path: Path
) -> None:
    page(several(40), "--no-pictures")
    browser.open(tmp_path / "report.html")
    browser.run("location.hash = '#L150'")
    browser.wait_for(VISIBLE.format("#L150"))
    settled(browser)


def test_keys_walk_through_the_findings(opened: Callable[..., Browser]) -> None:
    browser = opened(several(5), "--no-pictures")
    at = "document.querySelector('.card.at').id"
    browser.press("j")
    assert browser.run(at) == "f1"
    browser.press("j", "j", "k")
    assert browser.run(at) == "f2"
    assert browser.run(VISIBLE.format("#f2"))
    assert browser.run("document.querySelectorAll('mark.on').length") >= 3
    assert browser.run("document.querySelectorAll('.card[open]').length") == 1
    browser.press("e")
    assert browser.run("document.querySelectorAll('.card:not([open])').length") == 0
    browser.press("?")
    assert browser.run("document.querySelector('#help').open")
    browser.press("Escape")
    browser.wait_for("!document.querySelector('#help').open")
    settled(browser)


def test_the_tab_key_alone_leads_from_the_plan_to_a_copy_and_its_line(opened: Callable[..., Browser]) -> None:
    browser = opened(CELL, "--no-pictures")
    at = "document.activeElement.getAttribute('href') || document.activeElement.id"
    seen: list[str] = []
    while len(seen) < 40 and "#f1" not in seen:
        browser.press("Tab")
        seen.append(browser.run(at))
    assert seen[0] == "#source", "first a way past the bar"
    assert seen[1:5] == ["#plan", "#totals", "#source", "#after"]
    assert {"search", "#L2"} <= set(seen)
    browser.press("Enter")
    assert browser.run("document.activeElement.closest('.card').id") == "f1"
    browser.press("Tab", "Tab", "Enter")
    assert browser.run("document.querySelector('.l.at').id") == "L2"
    settled(browser)


def test_light_and_dark_follow_the_system_until_chosen(opened: Callable[..., Browser]) -> None:
    browser = opened(CELL, "--no-pictures")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = browser.run(paper)
    browser.appearance(dark=True)
    dark = browser.run(paper)
    assert light != dark
    browser.press("t")
    assert browser.run(paper) == light
    browser.press("t", "t")
    assert browser.run(paper) == dark
    browser.appearance()
    settled(browser)


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_nothing_sticks_out_sideways(opened: Callable[..., Browser], width: int) -> None:
    browser = opened(several(3))
    browser.size(width, 800)
    assert browser.run("document.documentElement.scrollWidth") <= width
    settled(browser)


def test_on_paper_everything_is_unfolded(opened: Callable[..., Browser]) -> None:
    browser = opened(several(5), "--no-pictures")
    browser.appearance(printed=True)
    assert browser.run("getComputedStyle(document.querySelector('nav')).display") == "none"
    browser.run("dispatchEvent(new Event('beforeprint'))")
    assert browser.run("document.querySelectorAll('details:not([open])').length") == 0
    browser.run("dispatchEvent(new Event('afterprint'))")
    browser.appearance()
    settled(browser)

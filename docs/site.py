"""The handbook as a site, with the playground in it.

    python docs/site.py -o site            write the site; npm fetches what the playground runs on
    python -m http.server --directory site

Each page of this folder becomes a page of the site, in the order of `README.md`. Programs in them can be opened in the playground, by its
permalinks. What pages link to outside of this folder (examples, rules) is copied; so the site is all that its links need. Markdown
and colours are those of `markdown-it-py` and Pygments, which `rich` brings along.
"""

from __future__ import annotations

import argparse
import base64
import html
import json
import re
import shutil
import sys
import zlib
from pathlib import Path

from bufferize.cli.main import main as bufferize
from bufferize.viz.lexer import MlirLexer
from markdown_it import MarkdownIt
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
ENTRY = re.compile(r"^## (.+)$|^\| \[([^\]]+)\]\((\w[\w-]*\.md)\) \|", re.M)
SECTION = re.compile(r'<h[1-6] id="([^"]*)">(.*?)</h[1-6]>(.*?)(?=<h[1-6] |\Z)', re.S)
SEARCHED = 1500
"""Characters of a section that the search knows."""
LINK = re.compile(r'(?<=[ "])(href|src)="([^":#]+)(#[^"]*)?"')
FILES = "files"
"""The folder of the site with what pages link to outside of the handbook."""
DARK_PICTURES = "img { filter: invert(.9) hue-rotate(180deg); }"
"""Pictures have dark lines on white paper; inverted, they keep their hues."""
STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; display: grid; grid-template-columns: 16rem minmax(0, 54rem); gap: 2rem; }
nav { padding: 1rem; border-right: 1px solid #8884; font-size: .9rem; min-height: 100vh; }
nav a { display: block; padding: .15rem 0; text-decoration: none; } nav a[aria-current] { font-weight: bold; }
main { padding: 1rem; } pre { overflow-x: auto; padding: .7rem; border: 1px solid #8884; border-radius: 4px; font-size: .85rem; }
table { border-collapse: collapse; } td, th { border: 1px solid #8884; padding: .25rem .6rem; text-align: left; } thead:not(:has(th:not(:empty))) { display: none; }
img { max-width: 100%; } .try { font-size: .8rem; display: block; text-align: right; margin-bottom: -.9rem; }
nav h2 { font-size: .8rem; margin: .8rem 0 .2rem; opacity: .7; } nav summary { display: none; }
#search { width: 100%; box-sizing: border-box; font: inherit; padding: .3rem; } #found { padding-left: 1.2rem; } #found p { margin: 0 0 .4rem; opacity: .8; }
table { display: block; overflow-x: auto; max-width: 100%; } p, li, h1, h2, h3 { overflow-wrap: anywhere; } td, th { overflow-wrap: break-word; }
@media (max-width: 60rem) { body { display: block; } nav { min-height: 0; border-right: 0; } nav summary { display: list-item; cursor: pointer; padding: .4rem 0; } }
"""
SEARCH = """
const box = document.getElementById("search"), list = document.getElementById("found");
const pages = document.querySelector("nav details");
const narrow = matchMedia("(max-width: 60rem)"), fold = () => { pages.open = !narrow.matches; };
narrow.addEventListener("change", fold);
fold();
box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  list.replaceChildren();
  if (!words.length) return;
  const ranked = [];
  for (const [address, title, text] of INDEX) {
    const head = title.toLowerCase(), body = text.toLowerCase();
    if (words.every((word) => head.includes(word) || body.includes(word)))
      ranked.push([words.filter((word) => head.includes(word)).length, address, title, text, body.indexOf(words[0])]);
  }
  ranked.sort((a, b) => b[0] - a[0]);
  for (const [, address, title, text, at] of ranked.slice(0, 12)) {
    const item = document.createElement("li"), link = document.createElement("a"), shown = document.createElement("p");
    link.href = address;
    link.textContent = title;
    shown.textContent = text.slice(Math.max(0, at - 40), Math.max(0, at - 40) + 120);
    item.append(link, shown);
    list.append(item);
  }
  if (!ranked.length) list.textContent = "Nothing found.";
});
box.addEventListener("keydown", (event) => {
  const first = list.querySelector("a");
  if (event.key === "Enter" && first) location.href = first.href;
});
"""


def permalink(program: str) -> str:
    """The address of the playground that shows a program, as `playground.js` packs it."""
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(program.encode()) + packer.flush()
    return f"playground/index.html#{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def _code(text: str, language: str) -> str:
    """A block of code with colours, and a link to the playground if it is a program."""
    try:
        lexer = MlirLexer() if language == "mlir" else get_lexer_by_name(language or "text")
    except ClassNotFound:
        lexer = get_lexer_by_name("text")
    shown = highlight(text, lexer, HtmlFormatter(nowrap=True))
    link = f'<a class="try" href="{permalink(text)}">try it</a>' if language == "mlir" else ""
    return f"{link}<pre><code>{shown}</code></pre>\n"


def pages() -> list[tuple[str, str, str]]:
    """Section, title and name of the pages, the first one `README.md`."""
    found = [("", "The handbook", "README.md")]
    section = ""
    for heading, title, name in ENTRY.findall((DOCS / "README.md").read_text(encoding="utf-8")):
        section = heading or section
        if name:
            found.append((section, title, name))
    return found


def write(target: Path) -> None:
    """Write all pages, and what they link to."""
    target.mkdir(parents=True, exist_ok=True)
    colours = HtmlFormatter().get_style_defs("pre")
    dark = HtmlFormatter(style="monokai").get_style_defs("pre")
    style = f"{STYLE}{colours}\n@media (prefers-color-scheme: dark) {{ {dark} {DARK_PICTURES} }}\n"
    (target / "site.css").write_text(style, encoding="utf-8")
    markdown = MarkdownIt("commonmark").enable("table")
    markdown.add_render_rule(
        "fence", lambda _, tokens, i, *__: _code(tokens[i].content, tokens[i].info.strip())
    )
    index: list[list[str]] = []
    for _, title, name in pages():
        text = re.sub(r"<!--.*?-->\n?", "", (DOCS / name).read_text(encoding="utf-8"), flags=re.S)
        body = _with_anchors(markdown.render(text))
        body = LINK.sub(lambda found: _linked(found, target), body)
        index += _sections(title, name, body)
        (target / _page_of(name)).write_text(_whole(title, name, body), encoding="utf-8")
    (target / "search.js").write_text(f"const INDEX = {json.dumps(index)};\n{SEARCH}", encoding="utf-8")


def _sections(title: str, name: str, body: str) -> list[list[str]]:
    """Address, title and text of each section of a page, as the search wants them."""
    return [
        [f"{_page_of(name)}#{anchor}", f"{title}: {_plain(heading)}", _plain(text)[:SEARCHED]]
        for anchor, heading, text in SECTION.findall(body)
    ]


def _plain(body: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def _page_of(name: str) -> str:
    return "index.html" if name == "README.md" else f"{Path(name).stem}.html"


def _with_anchors(body: str) -> str:
    """Headings with the names by which code hosts know them."""

    def named(found: re.Match[str]) -> str:
        words = html.unescape(re.sub(r"<[^>]+>", "", found[2])).lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        return f'<h{found[1]} id="{html.escape(anchor)}">{found[2]}</h{found[1]}>'

    return re.sub(r"<h([1-6])>(.*?)</h\1>", named, body, flags=re.S)


def _linked(found: re.Match[str], target: Path) -> str:
    """A link of a page as the site has it; what it leads to is copied."""
    kind, address, anchor = found[1], html.unescape(found[2]), found[3] or ""
    if address.startswith("playground/"):
        return found[0]
    path = (DOCS / address).resolve()
    if path.parent == DOCS and path.suffix == ".md":
        address = _page_of(path.name)
    elif path.exists() and path.is_relative_to(ROOT):
        address = f"{FILES}/{path.relative_to(ROOT).as_posix()}"
        _copy(path, target / address)
        if path.is_dir():
            address += "/index.html"
    return f'{kind}="{html.escape(address)}{anchor}"'


def _copy(path: Path, to: Path) -> None:
    """A file; or the files of a folder, with a page that lists them."""
    if path.is_file():
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, to)
        return
    inside = sorted(file for file in path.iterdir() if file.is_file() and not file.name.startswith("."))
    for file in inside:
        _copy(file, to / file.name)
    to.mkdir(parents=True, exist_ok=True)
    rows = "".join(f'<li><a href="{html.escape(f.name)}">{html.escape(f.name)}</a></li>\n' for f in inside)
    name = html.escape(path.relative_to(ROOT).as_posix())
    page = f'<!doctype html>\n<meta charset="utf-8">\n<title>{name}</title>\n<h1>{name}</h1>\n<ul>\n{rows}</ul>\n'
    (to / "index.html").write_text(page, encoding="utf-8")


def _whole(title: str, name: str, body: str) -> str:
    links, section = "", ""
    for group, text, page in pages():
        links += f"<h2>{html.escape(group)}</h2>\n" if group != section else ""
        current = " aria-current=page" if page == name else ""
        links += f'<a href="{_page_of(page)}"{current}>{html.escape(text)}</a>\n'
        section = group
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{html.escape(title)} · bufferize</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<link rel="stylesheet" href="site.css">\n<link rel="icon" href="data:,">\n</head>\n'
        '<body>\n<nav>\n<input type="search" id="search" placeholder="Search" aria-label="Search the handbook">\n'
        '<ol id="found" aria-live="polite"></ol>\n'
        f'<details open>\n<summary>Pages</summary>\n<a href="playground/index.html"><b>Try it: the playground</b></a>\n{links}</details>\n</nav>\n'
        f'<main>\n{body}</main>\n<script src="search.js"></script>\n</body>\n</html>\n'
    )


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Write the handbook as a site, with the playground in it.")
    parser.add_argument(
        "-o", "--output", metavar="DIR", required=True, help="the folder to write the site to"
    )
    parser.add_argument("--pyodide", metavar="DIR|URL", help="as 'bufferize playground' takes it")
    flags = parser.parse_args(words)
    target = Path(flags.output)
    given = ["--pyodide", flags.pyodide] if flags.pyodide else []
    code = bufferize(["playground", "-o", str(target / "playground"), *given])
    if code == 0:
        write(target)
        sys.stdout.write(f"the site is in {target}; python -m http.server --directory {target} serves it\n")
    return code


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

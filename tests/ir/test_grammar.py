"""Grammars whose tables are kept parse as grammars that are made anew, and nothing that others could have written is read."""

import json
import os
from pathlib import Path

import pytest
from bufferize.ir.source import grammar, private_cache

GRAMMAR = """
start: item ("," item)*
item: NAME | NUMBER | "[" start "]"
%import common.CNAME -> NAME
%import common.INT -> NUMBER
%ignore " "
"""
TEXT = "a, 12, [b, [3]]"


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("BUFFERIZE_CACHE", raising=False)
    return tmp_path / "bufferize"


def test_a_kept_grammar_parses_alike(empty_cache: Path, monkeypatch: pytest.MonkeyPatch):
    first = grammar.parser(GRAMMAR, propagate_positions=True)
    assert len(list(empty_cache.iterdir())) == 1
    monkeypatch.setattr(grammar.lark, "Lark", _OnlyRestores)
    second = grammar.parser(GRAMMAR, propagate_positions=True)
    assert second.parse(TEXT) == first.parse(TEXT)
    assert [t.column for t in second.parse(TEXT).scan_values(bool)] == [1, 4, 9, 13]


class _OnlyRestores(grammar.lark.Lark):
    def __init__(self, *args: object, **options: object) -> None:
        raise AssertionError("made anew")


@pytest.mark.parametrize("content", ["", "{", "[]", '{"data": {}, "memo": {}}', "\0\xff"])
def test_a_spoilt_file_is_made_anew(empty_cache: Path, content: str):
    expected = grammar.parser(GRAMMAR).parse(TEXT)
    (file,) = empty_cache.iterdir()
    file.write_text(content, encoding="utf-8")
    assert grammar.parser(GRAMMAR).parse(TEXT) == expected
    assert json.loads(file.read_text(encoding="utf-8"))["data"]


@pytest.mark.skipif(os.name != "posix", reason="permissions of files are those of POSIX")
@pytest.mark.parametrize("of_directory", [False, True])
def test_what_others_may_write_is_not_read(empty_cache: Path, of_directory: bool):
    private_cache.write("x", {"a": 1})
    assert private_cache.read("x") == {"a": 1}
    file = empty_cache if of_directory else empty_cache / "x.json"
    file.chmod(file.stat().st_mode | 0o020)
    assert private_cache.read("x") is None


@pytest.mark.skipif(os.name != "posix", reason="links need no privilege on POSIX")
def test_links_are_not_followed(empty_cache: Path, tmp_path: Path):
    private_cache.write("x", 1)
    elsewhere = tmp_path / "elsewhere.json"
    (empty_cache / "x.json").rename(elsewhere)
    (empty_cache / "x.json").symlink_to(elsewhere)
    assert private_cache.read("x") is None


def test_the_cache_can_be_off_or_impossible(
    empty_cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("BUFFERIZE_CACHE", "off")
    private_cache.write("x", 1)
    assert private_cache.read("x") is None and not empty_cache.exists()
    monkeypatch.delenv("BUFFERIZE_CACHE")
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    private_cache.write("x", 1)
    assert private_cache.read("x") is None

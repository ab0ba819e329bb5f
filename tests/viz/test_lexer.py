"""MLIR in Pygments: nothing of a text is lost, nothing in real programs is an error, and the lexer is found by name."""

from pathlib import Path

import pytest
from bufferize.viz.lexer import MlirLexer
from hypothesis import given, strategies as st
from pygments.lexers import get_lexer_by_name
from pygments.token import Error, Keyword, Name, Number, Token

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("file", sorted(ROOT.glob("examples/*.mlir")), ids=lambda file: file.name)
def test_programs_have_no_errors(file: Path):
    text = file.read_text(encoding="utf-8")
    found = list(MlirLexer(stripnl=False, ensurenl=False).get_tokens(text))
    assert "".join(piece for _, piece in found) == text
    assert not [piece for kind, piece in found if kind is Error]


@given(st.text(alphabet='%@^!#<>x?*1-"ab.\\ \n/é', max_size=60))
def test_no_text_is_lost(text: str):
    found = MlirLexer(stripnl=False, ensurenl=False).get_tokens(text)
    assert "".join(piece for _, piece in found) == text.replace("\r", "\n")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("%a#1", Name.Variable),
        ('@"a b"', Name.Function),
        ("^bb0", Name.Label),
        ("tensor.insert", Name.Builtin),
        ("f32", Keyword.Type),
        ("-1.5e+3", Number.Float),
        ("#map", Name.Class),
    ],
)
def test_spellings(text: str, kind: type[Token]):
    assert next(iter(MlirLexer().get_tokens(text))) == (kind, text)


def test_the_lexer_is_found_by_name():
    assert isinstance(get_lexer_by_name("mlir"), MlirLexer)

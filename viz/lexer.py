"""Pygments lexer of MLIR, for documents, notebooks and terminals.

Registered as `mlir` through the entry point `pygments.lexers`; `rich.syntax.Syntax(text, "mlir")` finds it.
"""

from __future__ import annotations

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

_ID = r"(?:\d+|[A-Za-z_$.-][\w$.-]*)"


class MlirLexer(RegexLexer):
    """Operations, values, symbols, types and attributes of any dialect, by their spelling alone."""

    name = "MLIR"
    aliases = ["mlir"]  # noqa: RUF012  what Pygments expects
    filenames = ["*.mlir"]  # noqa: RUF012
    url = "https://mlir.llvm.org/docs/LangRef/"

    tokens = {  # noqa: RUF012
        "root": [
            (r"\s+", Text),
            (r"//[^\n]*", Comment.Single),
            (r'"(?:[^"\\\n]|\\.)*"', String.Double),
            (rf"%{_ID}(?:#\d+)?", Name.Variable),
            (rf"@(?:{_ID}|\"(?:[^\"\\\n]|\\.)*\")", Name.Function),
            (rf"\^{_ID}", Name.Label),
            (r"[!#][A-Za-z_][\w$.]*", Name.Class),
            (r"(?:tensor|memref|vector|complex|tuple)(?=<)", Keyword.Type, "shape"),
            (r"(?:[su]?i\d+|b?f\d+\w*|tf32|index|none)\b", Keyword.Type),
            (r"(?:true|false|unit|dense|loc|affine_map|affine_set)\b", Keyword.Constant),
            (r"0x[0-9A-Fa-f]+", Number.Hex),
            (r"-?\d+\.\d*(?:[eE][-+]?\d+)?", Number.Float),
            (r"-?\d+", Number.Integer),
            (r"[A-Za-z_]\w*(?:\.[A-Za-z_][\w.]*)+", Name.Builtin),
            (r"[A-Za-z_]\w*", Keyword),
            (r"->|::|[=:]", Operator),
            (r"[(){}\[\]<>,]", Punctuation),
            (r".", Text),
        ],
        "shape": [(r"<", Punctuation), (r"(?:\?|\*|\d+|\[\d+\])x", Number.Integer), (r"", Text, "#pop")],
    }

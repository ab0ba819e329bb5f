"""The plain rendering, the collector, the errors, and --verify-diagnostics."""

import shutil
import subprocess

import pytest
from bufferize.ir.source import diagnostics as d
from bufferize.ir.source.diagnostics import DiagnosticEngine, Severity, error, format_plain, warning
from bufferize.ir.source.expected_diagnostics import DiagnosticVerifier
from bufferize.ir.source.locations import Source


def source(text: str) -> Source:
    return Source("cell.mlir", text)


def at(text: str, needle: str, occurrence: int = 0):
    """Span of the given occurrence of `needle` in a fresh source of `text`."""
    start = -1
    for _ in range(occurrence + 1):
        start = text.index(needle, start + 1)
    return source(text).span(start, start + len(needle))


class TestPlain:
    @pytest.mark.parametrize(
        ("text", "needle", "snippet"),
        [
            ("  foo bar", "foo", ["  foo bar", "  ^"]),
            ("\t%a = foo", "%a", ["        %a = foo", "        ^"]),
            ("a\tfoo", "foo", ["a       foo", "        ^"]),
            ('"é漢" foo', "foo", ['"é漢" foo', "      ^"]),
            ("a\r\n foo\r\n", "foo", [" foo", " ^"]),
            ("a\nfoo", "a", ["a", "^"]),
        ],
    )
    def test_caret_stands_under_the_place(self, text, needle, snippet):
        span = at(text, needle)
        assert format_plain(error("no", span)).split("\n") == [f"{span}: error: no", *snippet]

    def test_underline_covers_the_span_up_to_the_end_of_its_line(self):
        text = "a foo\nbar"
        assert format_plain(error("no", source(text).span(2, 8)), underline=True).endswith("\n  ^~~")

    def test_place_at_the_end_of_the_text(self):
        assert format_plain(error("no", source("module {").span(8))).endswith("module {\n        ^")

    def test_notes_show_their_line_unless_it_was_just_shown(self):
        text = "func.func @f(%a: i32) {\n  %a = foo\n"
        first, second = at(text, "%a"), at(text, "%a", 1)
        second.source = first.source
        diagnostic = error("redefinition of SSA value '%a'", second)
        diagnostic.attach("see current operation", second).attach("previously defined here", first)
        assert format_plain(diagnostic).split("\n") == [
            "cell.mlir:2:3: error: redefinition of SSA value '%a'",
            "  %a = foo",
            "  ^",
            "cell.mlir:2:3: note: see current operation",
            "cell.mlir:1:14: note: previously defined here",
            "func.func @f(%a: i32) {",
            "             ^",
        ]

    def test_without_a_place(self):
        assert format_plain(error("no")) == "<unknown>:0: error: no"
        diagnostic = error("no")
        diagnostic.place = "model.py:3:4"
        assert str(diagnostic) == "model.py:3:4: error: no"

    def test_a_huge_line_is_cut_around_the_place(self):
        text = "x" * 100_000 + "!" + "y" * 100_000
        line, caret = format_plain(error("no", at(text, "!"))).split("\n")[1:]
        assert line[len(caret) - 1] == "!" and len(line) == d.SNIPPET_WIDTH


class TestErrors:
    def test_a_message_a_diagnostic_or_several(self):
        span = at("foo", "foo")
        assert d.ParseError("no", span).diagnostics == (error("no", span),)
        assert d.ParseError("no", span).span is span
        failure = d.VerifyError([error("one"), error("two")])
        assert str(failure) == "<unknown>:0: error: one\n<unknown>:0: error: two"
        assert d.PassFailed("no", operation=3).operation == 3

    @pytest.mark.parametrize("kind", [d.InputError, d.ParseError, d.VerifyError, d.PassFailed])
    def test_all_are_one_family(self, kind):
        with pytest.raises(d.BufferizeError):
            raise kind("no")

    def test_severity_is_checked(self):
        with pytest.raises(ValueError):
            d.Diagnostic("fatal", "no")  # pyright: ignore[reportArgumentType]


class TestEngine:
    def test_keeps_counts_and_tells(self):
        heard = []
        engine = DiagnosticEngine(heard.append)
        engine.emit(warning("w"))
        assert not engine.has_errors
        engine.emit_all(d.VerifyError([error("a"), error("b")]))
        assert engine.error_count == 2 and engine.counts[Severity.WARNING] == 1
        assert heard == engine.diagnostics == [warning("w"), error("a"), error("b")]

    def test_may_forget(self):
        engine = DiagnosticEngine(keep=False)
        engine.emit(error("a"))
        assert engine.diagnostics == [] and engine.has_errors


def verify(text: str, *emitted: tuple[str, int, str], only_expected: bool = False) -> list[str]:
    """Failures for (severity, line, message) emitted about `text`; line 0 is nowhere."""
    file = source(text)
    verifier = DiagnosticVerifier(file, only_expected)
    for severity, line, message in emitted:
        span = file.span(file.line_start(line)) if line else None
        verifier(d.Diagnostic(Severity(severity), message, span))
    return [format_plain(failure, underline=True) for failure in verifier.finish()]


class TestVerifyDiagnostics:
    @pytest.mark.parametrize(
        ("text", "emitted"),
        [
            ("foo // expected-error{{bad}}", [("error", 1, "a bad thing")]),
            ("// expected-error@+1 {{bad}}\nfoo", [("error", 2, "bad")]),
            ("foo\n// expected-warning @-1{{bad}}   ", [("warning", 1, "bad")]),
            ("// expected-note@below {{bad}}\n// expected-error@below {{no}}\nfoo",
             [("note", 3, "bad"), ("error", 3, "no")]),
            ("foo\n// expected-remark@above {{bad}}\n// expected-error@above {{no}}",
             [("remark", 1, "bad"), ("error", 1, "no")]),
            ("// expected-error@unknown {{bad}}", [("error", 0, "bad")]),
            ("// expected-error-re @+1 {{b{{[a-z]+}} (x)}}\nfoo", [("error", 2, "a bad (x)")]),
            ("// expected-error@+1 {{op {{a}} b}}\nfoo", [("error", 2, "op {{a}} b")]),
            ("// expected-error@+1 {{bad}}\nfoo", [("error", 2, "bad 1"), ("error", 2, "bad 2")]),
            ("// expected-errors {{bad}}\n// expected-error {{open\n", []),
            ("// expected-error {{bad}}\r\n", [("error", 1, "bad")]),
        ],
    )  # fmt: skip
    def test_met(self, text, emitted):
        assert verify(text, *emitted) == []

    def test_attached_notes_are_compared_too(self):
        file = source("a // expected-error {{x}}\nb // expected-note {{y}}\nc")
        verifier = DiagnosticVerifier(file)
        verifier(error("x", file.span(0)).attach("y", file.span(file.line_start(2))))
        assert verifier.finish() == []

    def test_unexpected_and_missing(self):
        assert verify(" foo // expected-error {{good}}", ("error", 1, "bad"), ("note", 0, "also")) == [
            "cell.mlir:1:1: error: unexpected error: bad\n foo // expected-error {{good}}\n^",
            "<unknown>:0: error: unexpected note: also",
            'cell.mlir:1:9: error: expected error "good" was not produced\n'
            " foo // expected-error {{good}}\n"
            "        ^~~~",
        ]

    def test_near_miss(self):
        assert verify("// expected-warning@+1 {{cust}}\nfoo", ("error", 2, "custom op")) == [
            "cell.mlir:1:4: error: 'error' diagnostic emitted when expecting a 'warning'\n"
            "// expected-warning@+1 {{cust}}\n"
            "   ^",
            'cell.mlir:1:4: error: expected warning "cust" was not produced\n'
            "// expected-warning@+1 {{cust}}\n"
            "   ^~~~",
        ]

    def test_only_expected(self):
        assert verify("foo", ("error", 1, "bad"), only_expected=True) == []

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("// expected-error-re {{a {{[}} b}}", "invalid regex: brackets ([ ]) not balanced"),
            ("// expected-error-re {{a {{b}}", "found start of regex with no end '}}'"),
            ("// expected-error @above {{a}}", 'expected error "a" was not produced'),
            ("// expected-error @below {{a}}", 'expected error "a" was not produced'),
            (f"// expected-error @+{'9' * 10_000} {{{{a}}}}", 'expected error "a" was not produced'),
        ],
    )
    def test_expectations_that_cannot_be_met(self, text, message):
        (failure,) = verify(text)
        assert failure.startswith(f"cell.mlir:1:4: error: {message}\n")


MLIR_OPT = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")


@pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt is not installed")
@pytest.mark.parametrize(
    "text",
    [
        "foo // expected-error{{nothing}}",
        "foo // expected-error{{unknown}}",
        "foo // expected-error{{unknown}} expected-note{{kk}}",
        "// expected-error-re@+1{{custom op {{.*}}foo}}\nfoo",
        "// expected-error-re@+1{{custom op {{[}}foo}}\nfoo",
        "// expected-error-re@+1{{custom op {{. is}}\nfoo",
        "// expected-error-re@+1{{{{^}}custom op {{.[fo]+.}} is}}\nfoo",
        "// expected-error-re@+1{{custom op {{.(fo|ba){1,}r?o.}}{{ is}}}}\nfoo",
        "// expected-error-re@+1{{custom op .foo}}\nfoo",
        "// expected-error@-9{{custom}}\nfoo",
        "// expected-error@above{{custom}}\nfoo\n// expected-error@above{{custom}}",
        "// expected-error@below{{custom}}\n\n// expected-error@+1{{custom}}\n\tfoo",
        "// expected-warning@below{{custom}}\nfoo",
        "// expected-errors{{custom}}\n// unexpected-error@+1{{custom}}\nfoo",
        "// expected-error  @+1   {{custom}}  \nfoo",
        "// expected-error @ +1 {{custom}}\nfoo",
    ],
)
def test_agrees_with_mlir_opt(text, tmp_path):
    path = tmp_path / "t.mlir"
    path.write_text(text + "\n")
    command = [str(MLIR_OPT), "--verify-diagnostics", path.name]
    theirs = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stderr

    file = Source(path.name, path.read_text())
    verifier = DiagnosticVerifier(file)
    message = "custom op 'foo' is unknown (tried 'builtin.foo' as well)"
    place = next(n for n in range(1, file.last_line + 1) if file.line(n).lstrip().startswith("foo"))
    verifier(error(message, file.span(file.line_start(place) + file.line(place).index("foo"))))
    ours = "".join(format_plain(failure, underline=True) + "\n" for failure in verifier.finish())
    assert ours == theirs

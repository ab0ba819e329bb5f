"""Expected diagnostics: PosixRegex against Python's `re` on the notation they share, and against patterns that make `re` hang."""

import re

import pytest
from bufferize.ir.source.expected_diagnostics import PosixRegex, RegexError
from hypothesis import given, strategies as st

ATOMS = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", "\\.", "[a-c]", "^", "$"])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=0, max_size=3).map("".join),
        st.lists(inner, min_size=1, max_size=3).map("|".join),
        st.tuples(inner, st.sampled_from(["", "*", "+", "?", "{2}", "{1,}", "{0,2}", "{0}"])).map(
            lambda pair: f"({pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=6,
)


@given(PATTERNS, st.text("abc.", max_size=8))
def test_finds_what_re_finds(pattern, text):
    assert PosixRegex(pattern).search(text) == bool(re.search(pattern, text))


@given(st.text(max_size=12), st.text(max_size=12))
def test_an_escaped_text_matches_itself_only(text, other):
    assert PosixRegex(PosixRegex.escape(text)).search(other) == (text in other)


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("^[[:alpha:]_]+[0-9]*$", "abc_12", True),
        ("^[[:digit:]]+$", "12a", False),
        ("[]x]+", "]", True),
        ("[^]x]", "]x", False),
        ("[a-]", "-", True),
        ("x{3}", "xx", False),
        ("^(x{2}){2}$", "xxxx", True),
        ("", "", True),
        ("()", "a", True),
        ("^a?$", "", True),
    ],
)
def test_notation(pattern, text, found):
    assert PosixRegex(pattern).search(text) is found


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("[a", "brackets ([ ]) not balanced"),
        ("(a", "parentheses not balanced"),
        ("a)", "parentheses not balanced"),
        ("*a", "repetition-operator operand invalid"),
        ("a**", "repetition-operator operand invalid"),
        ("a{2,1}", "invalid repetition count(s)"),
        ("a{x}", "invalid repetition count(s)"),
        ("a{999}", "invalid repetition count(s)"),
        ("a\\", "trailing backslash (\\)"),
        ("[[:word:]]", "invalid character class"),
        ("[b-a]", "invalid character range"),
        ("(" * 5000, "parentheses nested too deeply"),
        ("((((a{99}){99}){99}){99}){99}", "pattern is too big"),
    ],
)
def test_a_malformed_pattern_is_an_error(pattern, reason):
    with pytest.raises(RegexError, match=re.escape(f"invalid regex: {reason}")):
        PosixRegex(pattern)


def test_nested_repetition_does_not_backtrack():
    assert not PosixRegex("^(a*)*(a|aa)+b$").search("a" * 2000)

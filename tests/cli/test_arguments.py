"""Reading flags."""

import pytest
from bufferize.cli import arguments
from bufferize.cli.arguments import HelpRequested, Parser, UsageError


def parser() -> Parser:
    made = Parser("test", "Tests.", [("bufferize test x", "an example")])
    arguments.add_inputs(made)
    arguments.add_output(made, "where to")
    arguments.add_choice(made, "--kind", ("cfg", "alias"), "cfg", "which")
    arguments.add_function(made, "only this")
    arguments.add_color(made)
    return made


@pytest.mark.parametrize(
    "spelled",
    [
        ["in.mlir", "--kind", "alias", "-o", "out"],
        ["--kind=alias", "in.mlir", "--output=out"],
        ["-kind=alias", "-output", "out", "in.mlir"],
        ["-oout", "-kind", "alias", "--", "in.mlir"],
    ],
)
def test_spellings_of_the_same(spelled):
    flags = parser().read(spelled)
    assert (flags.files[0], flags.kind, flags.output) == ("in.mlir", "alias", "out")


def test_defaults_and_repetition():
    flags = parser().read(["-", "--function", "f", "--function=g"])
    assert (flags.files[0], flags.kind, flags.output, flags.color) == ("-", "cfg", "-", "auto")
    assert flags.function == ["f", "g"]


@pytest.mark.parametrize("value", ["-x", "--help", "--nothing"])
def test_behind_two_dashes_everything_is_an_argument(value):
    assert parser().read(["--", value]).files == [value]


def test_help_wins_over_what_is_wrong():
    with pytest.raises(HelpRequested, match="bufferize test x"):
        parser().read(["--kind", "cfg", "--help"])


@pytest.mark.parametrize(
    "spelled", [["--kin=cfg", "x"], ["x", "--colour=never"], ["-z", "x"], ["x", "--kindx"]]
)
def test_flags_are_not_abbreviated_or_guessed(spelled):
    with pytest.raises(UsageError, match="unknown flag"):
        parser().read(spelled)


@pytest.mark.parametrize("amount", ["nan", "-1", "soon"])
def test_a_limit_is_a_number_that_is_not_negative(amount):
    made = Parser("test", "Tests.", [])
    arguments.declare_flags(made, "--seconds S:float  stop after S seconds")
    assert made.parse_args(["--seconds=1e9"]).seconds == 1e9
    with pytest.raises(UsageError, match=f"'{amount}' is not a number that is 0 or more"):
        made.parse_args([f"--seconds={amount}"])

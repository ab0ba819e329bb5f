"""What commands print about small programs is as recorded in `answers.txt`."""

import pytest

from .answers import ANSWERS, answer

NAMES = sorted({name for name, _ in ANSWERS})


@pytest.mark.parametrize("name", NAMES)
def test_answers(name):
    for known, command in ANSWERS:
        if known == name:
            assert answer(name, command) == ANSWERS[name, command], command

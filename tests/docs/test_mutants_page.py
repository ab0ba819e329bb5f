"""docs/mutants.md: its counts add up, and what it says of a line is said of a line that is there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "mutants.md").read_text("utf-8")


def rows(heading: str) -> list[list[str]]:
    """The cells of the table below a heading."""
    table = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def test_the_counts_add_up():
    left = [seed for seed, *_ in rows("What is left")]
    samples = rows("What was measured")
    assert len(samples) >= 2
    for seed, _, tried, at_once, now, gone, not_noticed in samples:
        assert int(at_once) <= int(now)
        assert int(now) + int(gone) + int(not_noticed) == int(tried)
        assert left.count(seed) == int(not_noticed)


def test_what_is_left_is_code_that_is_there():
    for _, place, change, why in rows("What is left"):
        file = ROOT / place.strip("`")
        old = re.findall(r"`([^`]+)`", change)[0]
        assert old in file.read_text("utf-8"), (place, old)
        assert why, place

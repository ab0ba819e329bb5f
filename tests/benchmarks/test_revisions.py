"""Comparing with another revision: what is taken, what is said where there is none, and the table."""

import subprocess
from pathlib import Path

import pytest
from bufferize.benchmarks.measure import RevisionComparison, checked_out, compare, to_markdown
from bufferize.ir.source.diagnostics import InputError

ROOT = Path(__file__).parents[2]


def is_checkout() -> bool:
    done = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, check=False)
    return done.returncode == 0


@pytest.mark.skipif(not is_checkout(), reason="needs a checkout with its history")
def test_a_revision_is_measured_beside_this_one() -> None:
    with checked_out("HEAD") as folder:
        assert (Path(folder) / "bufferize" / "__init__.py").exists()
        rows = compare(folder, "chain", 50, ("parse", "print"))
    assert [(row.family, row.phase) for row in rows] == [("chain", "parse"), ("chain", "print")]
    assert all(row.before > 0 and row.now > 0 for row in rows)
    assert not Path(folder).exists()


def test_a_revision_that_is_not_there_is_said_to_be_so() -> None:
    with pytest.raises(InputError, match="no-such-revision"), checked_out("no-such-revision"):
        pass


def test_the_table_says_by_how_much_time_changed() -> None:
    rows = [RevisionComparison("chain", "parse", 2.0, 1.5), RevisionComparison("chain", "print", 0.0, 0.1)]
    assert to_markdown(rows, "v1").splitlines()[2:] == [
        "| chain | parse | 2.000 s | 1.500 s | -25% |",
        "| chain | print | 0.000 s | 0.100 s | - |",
    ]

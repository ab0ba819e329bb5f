"""Figures of runs in words and data, and how findings are told in the program that runs."""

import bufferize
import pytest
from bufferize.explain.explanation import Figures, Measured, add_measured, by_cause
from bufferize.explain.finding import Share


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (Share(), "did not run"),
        (Share(1, 16, 16), "ran once: 16 bytes allocated and copied"),
        (Share(1024, 1 << 22, 1 << 22), "ran 1,024 times: 4.0 MiB allocated and copied"),
        (Share(2, 32, 0), "ran 2 times: 32 bytes allocated"),
        (Share(2, 32, 16), "ran 2 times: 32 bytes allocated, 16 bytes copied"),
        (Share(3, 0, 48), "ran 3 times: 48 bytes copied"),
    ],
)
def test_what_a_finding_did(share, words):
    assert str(share) == words


def test_figures_in_words_and_data():
    figures = Figures(1, 2, 1 << 20, 1)
    assert str(figures) == "1 operation, 2 allocations, at most 1.0 MiB at once, 1 byte copied"
    assert figures.data() == {"operations": 1, "allocations": 2, "peakBytes": 1 << 20, "bytesCopied": 1}


@pytest.mark.parametrize(
    ("copied", "explained", "cloned", "words"),
    [
        (0, 0, 0, ""),
        (64, 64, 0, ""),
        (64, 0, 64, "all by clones made by deallocation"),
        (64, 0, 0, "all by the program's own operations"),
        (
            64,
            32,
            16,
            "32 bytes by findings, 16 bytes by clones made by deallocation, "
            "16 bytes by the program's own operations",
        ),
    ],
)
def test_who_copied(copied, explained, cloned, words):
    run = Measured("f", [], 0, Figures(1, 1, 1, copied), {finding(): Share(1, 1, explained)}, cloned)
    assert run.who_copied() == words


def test_a_run_in_words():
    run = Measured("f", ["random:4", f"[{'1, ' * 40}1]"], 7, Figures(3, 1, 16, 0), {}, freed=False)
    (line,) = run.lines()
    assert line.startswith("measured: @f(random:4, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ...): 3 operations")
    assert line.endswith("; nothing is freed")
    run.copying_always = Figures(4, 2, 32, 16)
    assert run.lines()[1:] == [f"  without analysis: {run.copying_always}"]
    run.figures = Figures(3, 1, 16, 8)
    assert run.lines()[1] == "  copied: all by the program's own operations"
    data = run.data()
    assert data["arguments"] == run.arguments and data["seed"] == 7 and data["freed"] is False
    assert data["withoutAnalysis"]["peakBytes"] == 32


PROGRAM = """
func.func @f(%t: tensor<4xf32>, %i: index, %f: f32) -> (tensor<4xf32>, f32) {
  %u = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  return %u, %x : tensor<4xf32>, f32
}
"""


def finding(inserted=True):
    (found,) = bufferize.explain(bufferize.parse(PROGRAM), with_help=False).findings
    found.inserted = inserted
    found.diagnostic.notes.clear()
    return found


def test_operations_tell_their_findings_through_further_passes():
    explanation = bufferize.explain(bufferize.parse(PROGRAM), with_help=False)
    (found,) = explanation.findings
    known = by_cause([found])
    copies = [
        op
        for op in explanation.bufferized.module.clone().walk()
        if op.name in ("memref.alloc", "memref.copy")
    ]
    assert [known.get(op.cause) for op in copies] == [found, found]


def run_of(entry, shares):
    return Measured(entry, [], 0, Figures(1, 1, 1, 1), shares)


def test_findings_say_what_they_did():
    once, never, gone, other = finding(), finding(), finding(), finding(inserted=False)
    shares = {once: Share(2, 8, 8), never: Share()}
    add_measured([once, never, gone, other], [run_of("f", shares)])
    assert [[note.text for note in d.diagnostic.notes] for d in (once, never, gone, other)] == [
        ["ran 2 times: 8 bytes allocated and copied"],
        ["did not run"],
        ["not part of the program that was run"],
        [],
    ]
    assert once.diagnostic.data["measured"] == [
        {"entry": "f", "times": 2, "bytesAllocated": 8, "bytesCopied": 8}
    ]
    assert gone.diagnostic.data["measured"] == []
    assert "measured" not in other.diagnostic.data


def test_several_runs_are_told_apart():
    here = finding()
    runs = [run_of("f", {here: Share(1, 4, 4)}), run_of("g", {here: Share()})]
    add_measured([here], runs)
    assert [note.text for note in here.diagnostic.notes] == ["ran once: 4 bytes allocated and copied"]
    there = finding()
    runs = [run_of(name, {there: Share(1, 4, 4)}) for name in ("f", "g")]
    add_measured([there], runs)
    assert [note.text for note in there.diagnostic.notes] == [
        f"in @{name}, it ran once: 4 bytes allocated and copied" for name in ("f", "g")
    ]


def test_without_runs_nothing_is_said():
    here = finding()
    add_measured([here], [])
    assert here.diagnostic.notes == [] and "measured" not in here.diagnostic.data

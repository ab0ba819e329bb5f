"""Copies taken away one at a time: no proof of what loses data, and a checker that believes everything is found out."""

import os
from collections import Counter
from pathlib import Path

import pytest
from bufferize.benchmarks import claims
from bufferize.benchmarks.freeing import programs_in
from bufferize.proof.check import PROVED, FunctionAnswer, ProofOfProgram

RECORDED = os.environ.get("BUFFERIZE_RECORDED")
CONFLICT = """
func.func @f(%t: tensor<8xf32>, %x: f32, %i: index) -> (f32, tensor<8xf32>) {
  %u = tensor.insert %x into %t[%i] : tensor<8xf32>
  %old = tensor.extract %t[%i] : tensor<8xf32>
  return %old, %u : f32, tensor<8xf32>
}
"""


def test_a_copy_that_is_needed_is_missed(monkeypatch):
    assert claims.overrule("f", CONFLICT) == Counter({"not proved, and a run differs": 1})
    assert not claims.overrule("wrong", "no program")
    monkeypatch.setattr(
        claims, "prove_modules", lambda *_, **__: ProofOfProgram([FunctionAnswer("f", PROVED)])
    )
    assert claims.overrule("f", CONFLICT) == Counter({claims.WRONG: 1})


def test_the_command(tmp_path, capsys):
    (tmp_path / "f.mlir").write_text(CONFLICT)
    assert claims.overruled([str(tmp_path)]) == 0
    assert "1 not proved, and a run differs" in capsys.readouterr().out
    assert claims.overruled([]) == 2


@pytest.mark.long
@pytest.mark.skipif(not RECORDED, reason="BUFFERIZE_RECORDED names no folder of recorded inputs")
def test_recorded_programs():
    total: Counter[str] = Counter()
    for name, text in programs_in(str(Path(RECORDED or "") / "conformance" / "inputs")):
        total += claims.overrule(name, text)
    assert not total[claims.WRONG] and total["not proved, and a run differs"]

"""What a copy costs at the peak of memory, and which buffers to shrink."""

import json

import bufferize
from bufferize.cli.main import main
from bufferize.explain.peaks import add_peaks
from bufferize.transforms.memory_report import Kind

TEXT = """
func.func @f(%x: tensor<64x64xf32>, %f: f32, %i: index) -> (f32, f32) {
  %a = tensor.insert %f into %x[%i, %i] : tensor<64x64xf32>
  %e = tensor.empty() : tensor<16x64xf32>
  %h = linalg.fill ins(%f : f32) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %g = tensor.extract %h[%i, %i] : tensor<16x64xf32>
  %y = tensor.extract %a[%i, %i] : tensor<64x64xf32>
  %v = tensor.extract %x[%i, %i] : tensor<64x64xf32>
  %z = arith.addf %y, %g : f32
  %b = tensor.empty() : tensor<8xf32>
  %c = linalg.fill ins(%f : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  %d = tensor.extract %c[%i] : tensor<8xf32>
  %w = arith.addf %v, %d : f32
  return %z, %w : f32, f32
}
"""


def test_each_buffer_says_what_it_costs_at_the_peak():
    explanation = bufferize.explain(bufferize.parse(TEXT))
    add_peaks(explanation)
    costs = {f.name: f.diagnostic.data.get("bytesAtPeak") for f in explanation.findings}
    assert costs == {"%x": 64 * 64 * 4, "%e": 16 * 64 * 4, "%b": None}
    (peak,) = explanation.data()["peaks"]
    assert (peak["function"], peak["bytes"], peak["alive"]) == ("f", 20480, ["%a", "%e"])
    assert peak["relief"][0] == {"without": ["%a"], "bytes": 16 * 64 * 4}


def test_the_order_of_what_a_finding_makes_does_not_matter():
    explanation = bufferize.explain(bufferize.parse(TEXT))
    for finding in explanation.findings:
        finding.records.reverse()
    assert any(finding.records[0].kind is not Kind.ALLOCATION for finding in explanation.findings)
    add_peaks(explanation)
    costs = {f.name: f.diagnostic.data.get("bytesAtPeak") for f in explanation.findings}
    assert costs == {"%x": 64 * 64 * 4, "%e": 16 * 64 * 4, "%b": None}


def test_the_commands_show_it(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    file, page = tmp_path / "p.mlir", tmp_path / "p.html"
    file.write_text(TEXT)
    main(["explain", str(file), "--memory", "--no-help"])
    text = capsys.readouterr().out
    assert "at the peak of @f, where 20.0 KiB are live, this buffer costs 16.0 KiB" in text
    assert "help: at the peak of @f, 20.0 KiB are live; without %a, 4096 bytes" in text
    main(["explain", str(file), "--no-help", "--format", "json"])
    assert "peaks" not in json.loads(capsys.readouterr().out)["summary"][0]
    main(["report", str(file), "-o", str(page)])
    assert "at the peak of @f, 20.0 KiB are live" in page.read_text()

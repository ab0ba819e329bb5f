"""The Python interface as a person meets it: options that are checked, names that are listed, things that say what they are."""

import os
import shutil
import subprocess
import sys
import typing
import warnings
from dataclasses import fields
from pathlib import Path

import bufferize
import pytest
from bufferize.analysis.one_shot import HEURISTICS, AnalysisOptions
from bufferize.explain import explanation
from bufferize.explain.report import OWN_OPTIONS
from bufferize.transforms.one_shot_bufferize import LAYOUT_CONVERSIONS, OneShotBufferize

ROOT = Path(__file__).resolve().parents[1]
TEXT = """func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %u = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  return %u, %x : tensor<4xf32>, f32
}
"""


@pytest.fixture
def module() -> bufferize.Operation:
    return bufferize.parse(TEXT, "f.mlir")


def test_types_of_options_are_those_that_there_are():
    analysis = {field.name for field in fields(AnalysisOptions)}
    assert explanation.AnalysisKeywords.__annotations__.keys() == analysis
    assert typing.get_type_hints(explanation.ExplainKeywords).keys() == analysis | OWN_OPTIONS
    declared = {option.name for option in OneShotBufferize.declared_options().values()}
    assert explanation.OneShotKeywords.__annotations__.keys() == declared
    assert typing.get_args(explanation.Heuristic) == HEURISTICS
    assert typing.get_args(explanation.Layout) == LAYOUT_CONVERSIONS


@pytest.mark.parametrize(
    ("function", "options", "kind", "said"),
    [
        (
            "analyze",
            {"analysis_heuristic": "nonsense"},
            bufferize.BufferizeError,
            "one of 'bottom-up', 'top-down'",
        ),
        ("explain", {"analysis_heuristic": "topdown"}, bufferize.BufferizeError, "did you mean 'top-down'?"),
        ("analyze", {"analysis_heuristik": "top-down"}, TypeError, "did you mean 'analysis_heuristic'?"),
        ("explain", {"with_hlep": True}, TypeError, "did you mean 'with_help'?"),
        ("explain", {"show_all": "yes"}, bufferize.BufferizeError, "True or False"),
        ("analyze", {"analysis_fuzzer_seed": "1"}, bufferize.BufferizeError, "must be an integer"),
        ("analyze", {"compat": "mlir22"}, bufferize.BufferizeError, "did you mean 'mlir-22'?"),
        (
            "one_shot",
            {"function_boundary_type_conversion": "identity"},
            bufferize.BufferizeError,
            "identity-layout-map",
        ),
        ("one_shot", {"copy_before_writes": True}, TypeError, "did you mean 'copy_before_write'?"),
    ],
)
def test_options_are_checked(
    function: str, options: dict[str, object], kind: type[Exception], said: str, module: bufferize.Operation
):
    before = str(module)
    with pytest.raises(kind) as refused:
        getattr(bufferize, function)(module, **options)
    assert said in str(refused.value) and str(module) == before


def test_names_are_listed():
    assert {"parse", "explain", "Model", "__version__"} <= set(dir(bufferize))
    assert all(getattr(bufferize, name) is not None for name in dir(bufferize))


def test_things_say_what_they_are(module: bufferize.Operation):
    insert = next(op for op in module.walk() if op.name == "tensor.insert")
    assert repr(insert) == "<tensor.insert at f.mlir:2:8>"
    assert repr(insert.results[0]) == "<%u, result 0 of tensor.insert: tensor<4xf32>>"
    assert repr(bufferize.analyze(module)) == "<AnalysisResult: 3 tensor operands, 2 in place>"
    explanation = bufferize.explain(module)
    assert repr(explanation) == f"<Explanation: {explanation.summary()}>"
    assert repr(explanation.findings) == (
        "[<ReadAfterWriteCopy [read-after-write]: %t is copied (16 bytes): 'tensor.extract' still needs what "
        "'tensor.insert' would overwrite>]"
    )


def test_notebooks_show_what_is_wrong_and_no_traceback():
    with pytest.raises(bufferize.BufferizeError) as refused:
        bufferize.parse("func.func @f(", "f.mlir")
    shown = refused.value._render_traceback_()
    assert shown[0].startswith("f.mlir:1:14: error:") and not any("Traceback" in line for line in shown)


class Silent(bufferize.Model):
    """Says nothing."""


class Misspelt(bufferize.Model):
    """Answers what was not asked."""

    def reads(self, operand, context):
        return True

    def writes(self, operand, context):
        return True

    def aliasing_values(self, operand, context):
        return []

    def is_writeable(self, value, context):
        return False

    def helper(self):
        return None


def test_a_model_that_says_nothing_is_refused_and_a_misspelt_answer_is_a_warning():
    registry = bufferize.ModelRegistry()
    with pytest.raises(TypeError, match="must say reads and writes and aliasing_values"):
        registry.add("my.op", Silent())
    with pytest.warns(UserWarning) as warned:
        registry.add("my.op", Misspelt())
    (only,) = warned
    assert "Misspelt.is_writeable answers no question (did you mean 'is_writable'?)" in str(only.message)


def test_no_model_of_this_package_is_misspelt():
    from bufferize.analysis import models as registry
    from bufferize.ir.text.registry import default_registry

    for dialect in default_registry().dialects:
        for model in (registry.MODELS.table(dialect) or {}).values():
            assert registry.misspelt(type(model)) == ()


def test_facts_of_operations_that_are_not_there_are_warnings():
    program = bufferize.parse(
        'func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {\n  %u = "my.scale"(%t) : (tensor<4xf32>) -> tensor<4xf32>\n'
        "  return %u : tensor<4xf32>\n}\n",
        allow_unregistered=True,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        models = bufferize.models_from_facts(
            'reads("my.scal", 0).\nreads("tensor.insrt", 0).\nreads("elsewhere.op", 0).\nreads("tensor.insert", 1).'
        )
    said = [str(d) for d in bufferize.explain(program, models=models).diagnostics if d.code == "unused-facts"]
    assert said == [
        "<facts>:1:1: warning: there is no operation 'my.scal' (did you mean 'my.scale'?): its facts are not used",
        "<facts>:2:1: warning: dialect 'tensor' has no operation 'tensor.insrt': its facts are not used",
    ]


SCRIPT = '''
"""What a stranger writes."""

from pathlib import Path

import bufferize


def copies(path: Path) -> dict[str, int]:
    module = bufferize.parse(path.read_text(encoding="utf-8"), str(path))
    result = bufferize.analyze(module, analysis_heuristic="top-down")
    for operand in result.out_of_place():
        print(operand.owner.name, operand.index, operand.value.type, result.is_in_place(operand))
        for reason in result.reasons(operand, limit=1):
            print(reason.rule, reason.kind)
    explanation = bufferize.explain(module, with_help=False)
    for finding in explanation.findings:
        print(finding.id, finding.name, finding.bytes, finding.diagnostic.message)
    for diagnostic in explanation.diagnostics:
        print(diagnostic.code, diagnostic.severity, diagnostic.primary_span)
    bufferize.one_shot(module, function_boundary_type_conversion="identity-layout-map")
    for reported in bufferize.run_passes(module, ["canonicalize", "cse"]):
        print(reported)
    proof = bufferize.prove(module, module.clone())
    print(proof.verdict)
    return {name: len(copies) for name, copies in explanation.copies_by_function().items()}


class Scale(bufferize.Model):
    def reads(self, operand: bufferize.OpOperand, context: object) -> bool:
        return True


models = bufferize.ModelRegistry()
models.add("my.scale", Scale())
try:
    print(copies(Path("cell.mlir")))
except bufferize.BufferizeError as failure:
    for diagnostic in failure.diagnostics:
        print(diagnostic)
'''


@pytest.mark.long
@pytest.mark.parametrize("checker", ["basedpyright", "mypy"])
def test_a_strangers_script_is_typed(checker: str, tmp_path: Path):
    """With the strictest settings nothing is unknown; and a wrong option is found before anything runs."""
    program = shutil.which(checker, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if program is None:
        pytest.skip(f"{checker} is not installed")
    # as a wheel, or "pip install -e . --config-settings editable_mode=strict", has it: a folder of the package's name
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "bufferize").symlink_to(ROOT)
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "wrong.py").write_text(SCRIPT.replace('"top-down"', '"nonsense"'), encoding="utf-8")
    if checker == "mypy":
        flags = ["--strict", "--follow-imports=silent"]
    else:
        (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict", "extraPaths": ["site"]}')
        flags = ["--pythonpath", sys.executable]

    def check(name: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [program, *flags, name], cwd=tmp_path, env=environment, capture_output=True, text=True
        )

    environment = {**os.environ, "MYPYPATH": str(tmp_path / "site")}
    right, wrong = check("script.py"), check("wrong.py")
    assert right.returncode == 0, right.stdout
    assert wrong.returncode != 0 and "nonsense" in wrong.stdout, wrong.stdout


SHARED = """
func.func @f(%t: tensor<8xf32>, %k: index) -> tensor<8xf32> {
  %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> tensor<8xf32> {
    %x = tensor.extract %o[%k] : tensor<8xf32>
    %s = tensor.from_elements %x : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}
"""


def test_an_explanation_changes_no_program_and_says_what_mlir_opt_loses():
    """Iterations that read a shared tensor are separated from each other before the analysis: in a copy."""
    module = bufferize.parse(SHARED)
    before = str(module)
    explanation = bufferize.explain(module)
    assert str(module) == before
    assert [remark.code for remark in explanation.remarks] == ["mlir-22-loses-data"]


def test_analyze_explain_and_the_pass_copy_alike_where_iterations_share_a_tensor():
    module = bufferize.parse(SHARED)
    before = str(module)
    result = bufferize.analyze(module)
    assert str(module) == before
    copied = [use.owner.name for use in result.operands() if not result.is_in_place(use)]
    explained = bufferize.explain(module).result
    assert copied == [use.owner.name for use in explained.operands() if not explained.is_in_place(use)]
    assert copied == ["scf.forall"]
    reproduced = bufferize.analyze(module, compat="mlir-22")
    assert all(map(reproduced.is_in_place, reproduced.operands()))
    assert reproduced.state.root is module

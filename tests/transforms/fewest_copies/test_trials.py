"""How forms of a program are tried: as many as are needed, and no more than the memory allows."""

from contextlib import suppress

import pytest
from bufferize import parse, run_passes
from bufferize.analysis.cost_model import traffic
from bufferize.interpreter.generate_programs import tensor_program
from bufferize.ir.source.diagnostics import PassFailed
from bufferize.transforms.fewest_copies.overwritten import may_overwrite_whole
from bufferize.transforms.fewest_copies.prepare import Preparation
from bufferize.transforms.fewest_copies.rematerialize import erase_dead
from bufferize.transforms.fewest_copies.trial import fingerprint

BASE = "one-shot-bufferize=bufferize-function-boundaries"


def rotated(name: str, size: int, first: int) -> str:
    """The last elements of a tensor go to its beginning, others take their place: one part is copied, or a new tensor filled."""
    whole, rest = f"tensor<{size}xf32>", size - first
    return f"""
  %{name}_kept = tensor.extract_slice %{name}[{first}] [{rest}] [1] : {whole} to tensor<{rest}xf32>
  %{name}_put = tensor.insert_slice %{name}_new into %{name}[{rest}] [{first}] [1] : tensor<{first}xf32> into {whole}
  %{name}_done = tensor.insert_slice %{name}_kept into %{name}_put[0] [{rest}] [1] : tensor<{rest}xf32> into {whole}"""


ROTATIONS = f"""
func.func @f(%t: tensor<8xf32>, %u: tensor<800xf32>, %t_new: tensor<3xf32>, %u_new: tensor<300xf32>)
    -> (tensor<8xf32>, tensor<800xf32>) {{{rotated("t", 8, 3)}{rotated("u", 800, 300)}
  return %t_done, %u_done : tensor<8xf32>, tensor<800xf32>
}}"""


@pytest.mark.parametrize(
    ("options", "copied", "peak"),
    [
        ("", 2 * (20 + 2000) + 12 + 1200, 2000),
        (
            "empty-overwritten peak-percent=110",
            20 + 12 + 2 * 2000 + 1200,
            2032,
        ),  # a tenth more may be held, so only the smaller
        ("empty-overwritten peak-percent=0", 20 + 12 + 2000 + 1200, 3232),
    ],
)
def test_as_many_destinations_are_emptied_as_memory_allows(options, copied, peak):
    module = parse(ROTATIONS)
    run_passes(module, [f"{BASE} {options}".strip(), "cse", "canonicalize"])
    found = traffic(module)
    assert (found.copied, found.peak) == (copied, peak)


COPIED = """
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, f32) {
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, f32
}"""


def test_a_program_of_which_nothing_can_be_saved_is_tried_once(monkeypatch):
    calls: list[str] = []
    make = Preparation.__init__

    def counting(self, root, chosen, decide, settle, bufferize, reorder, **known):
        def decided(root, prepared):
            calls.append("prepared" if prepared else "plain")
            return decide(root, prepared)

        make(self, root, chosen, decided, settle, bufferize, reorder, **known)

    monkeypatch.setattr(Preparation, "__init__", counting)
    run_passes(parse(COPIED), [f"{BASE} make-again"])
    assert calls == ["plain"]  # which are the decisions of what is prepared, too: nothing was changed


def test_steps_without_operations_to_change_are_not_tried(monkeypatch):
    steps: list[str] = []
    known = Preparation._try

    def noting(self, step, before):
        steps.append(step.change.__name__)
        return known(self, step, before)

    monkeypatch.setattr(Preparation, "_try", noting)
    run_passes(parse(COPIED), [f"{BASE} fewest-copies"])
    assert {*steps} == {"_put_in_place", "_copy_remainders", "_move_reads"}
    run_passes(parse(ROTATIONS), [f"{BASE} fewest-copies"])
    assert "_rewrite" in steps and "_choose" not in steps


def test_what_reordering_leads_to_is_not_decided_again(monkeypatch):
    decided: list[bool] = []
    make = Preparation.__init__

    def counting(self, root, chosen, decide, *others, **known):
        def noted(root, prepared):
            decided.append(prepared)
            return decide(root, prepared)

        make(self, root, chosen, noted, *others, **known)

    monkeypatch.setattr(Preparation, "__init__", counting)
    module = parse(COPIED)
    run_passes(module, [f"{BASE} fewest-copies"])
    assert decided == [False, True]
    assert not traffic(module).copied


FORWARDED_TO_A_LOOP = """
func.func @f(%s: tensor<1xi64>, %u: tensor<4xi64>, %x: i64, %most: i64, %n: index) -> (tensor<1xi64>, tensor<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i64
  %cst = arith.constant dense<-2> : tensor<4xi64>
  %z = tensor.extract_slice %cst[0] [%n] [1] : tensor<4xi64> to tensor<?xi64>
  %y = tensor.extract_slice %u[0] [%n] [1] : tensor<4xi64> to tensor<?xi64>
  %r:3 = scf.while (%k = %x, %a = %s, %b = %z) : (i64, tensor<1xi64>, tensor<?xi64>) -> (i64, tensor<1xi64>, tensor<?xi64>) {
    %less = arith.cmpi slt, %k, %most : i64
    scf.condition(%less) %k, %s, %z : i64, tensor<1xi64>, tensor<?xi64>
  } do {
  ^bb0(%k: i64, %a: tensor<1xi64>, %b: tensor<?xi64>):
    %0 = tensor.insert %x into %a[%c0] : tensor<1xi64>
    %more = arith.addi %k, %c1 : i64
    scf.yield %more, %a, %y : i64, tensor<1xi64>, tensor<?xi64>
  }
  return %r#1, %r#2 : tensor<1xi64>, tensor<?xi64>
}"""


def test_hardly_any_form_is_decided_twice(monkeypatch):
    """A fill that is copied whatever it is made of is no reason to try again."""
    forms: list[object] = []
    make = Preparation.__init__

    def recording(self, root, chosen, decide, *others, **known):
        def decided(root, prepared):
            forms.append((fingerprint(root), prepared))
            return decide(root, prepared)

        make(self, root, chosen, decided, *others, **known)

    monkeypatch.setattr(Preparation, "__init__", recording)
    run_passes(parse(FORWARDED_TO_A_LOOP), [f"{BASE} allow-return-allocs-from-loops fewest-copies"])
    assert len(forms) < 2 * len(set(forms))


LARGE = "tensor<?x?x?x?x?x?x?xf32>"
ALL_DYNAMIC = f"""
func.func @f(%t: {LARGE}, %s: tensor<2x1x4x1x1xf32>, %i: index) -> {LARGE} {{
  %0 = tensor.insert_slice %s into %t[%i, %i, %i, %i, %i, %i, %i] [1, 2, 1, 4, 1, 1, 1] [1, 1, 1, 1, 1, 1, 1]
    : tensor<2x1x4x1x1xf32> into {LARGE}
  return %t : {LARGE}
}}"""
"""An insertion with more strips around it than are copied apart."""


@pytest.mark.parametrize("text", [ALL_DYNAMIC, ROTATIONS, *map(tensor_program, range(40))])
def test_a_step_that_does_not_pay_leaves_the_program_as_it_was(text, monkeypatch):
    """The decisions stay those of the program: later steps rely on them."""
    tried = Preparation._try

    def checked(self, step, before):
        form = fingerprint(self.root)
        after = tried(self, step, before)
        assert after is not before or fingerprint(self.root) == form, step
        return after

    monkeypatch.setattr(Preparation, "_try", checked)
    with suppress(PassFailed):
        run_passes(parse(text), [f"{BASE} allow-return-allocs-from-loops fewest-copies"])


INSERTED = """
func.func @f(%t: tensor<2x?xf32>, %x: f32, %i: index) -> (tensor<2x?xf32>, tensor<2x?xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.insert %x into %t[{}, {}] : tensor<2x?xf32>
  return %t, %0 : tensor<2x?xf32>, tensor<2x?xf32>
}}"""


@pytest.mark.parametrize(
    ("type", "indices", "may"),
    [
        ("2x2", "%c0, %c1", True),
        ("2x2", "%c0, %i", False),
        ("2x1", "%c0, %i", True),
        ("2x?", "%c0, %i", True),
        ("2x?", "%i, %i", False),
    ],
)
def test_elements_at_unknown_indices_overwrite_no_tensor_as_a_whole(type, indices, may):
    text = INSERTED.replace("2x?", type).format(*indices.split(", "))
    [insertion] = [op for op in parse(text).walk() if op.name == "tensor.insert"]
    assert may_overwrite_whole(insertion) is may


OVERWRITTEN = """
func.func @f(%t: tensor<2xf32>, %x: f32) -> (tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.insert %x into %t[%c0] : tensor<2xf32>
  %1 = tensor.insert %x into %0[%c1] : tensor<2xf32>
  return %t, %1 : tensor<2xf32>, tensor<2xf32>
}"""


def test_a_tensor_that_single_elements_overwrite_is_not_copied():
    module = parse(OVERWRITTEN)
    run_passes(module, [f"{BASE} eliminate-dead-inits"])
    assert traffic(module).copied == 0


def test_what_is_nested_in_an_erased_operation_is_erased_with_it():
    module = parse("""
    func.func @f(%t: tensor<4xf32>, %e: tensor<4xf32>, %x: f32) {
      %0 = linalg.map ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) (%in: f32, %init: f32) {
        %1 = linalg.fill ins(%in : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
        linalg.yield %in : f32
      }
      return
    }""")
    [outer] = [op for op in module.walk() if op.name == "linalg.map"]
    [inner] = [op for op in module.walk() if op.name == "linalg.fill"]
    assert erase_dead([inner.results[0], outer.results[0]]) == 1
    assert not any(op.name.startswith("linalg") for op in module.walk())

"""What the search proves, against every choice of what stays in place, in every order of operations.

A choice is allowed if nothing conflicts under what follows from it, equivalence included: the rules are asked once everything is decided.
"""

import random
from dataclasses import replace
from itertools import combinations, permutations

import pytest
from bufferize import parse
from bufferize.analysis.certificates import faults
from bufferize.analysis.fewest_copies.choose import certificate, planned_weight
from bufferize.analysis.fewest_copies.hitting_sets import cheapest_hitting_set
from bufferize.analysis.moving import is_bound_to_follow
from bufferize.analysis.one_shot import AnalysisOptions, ReadOnly
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.interpreter.generate_programs import tensor_program
from bufferize.ir.program.core import OpOperand

from ..one_shot.helpers import find_conflict_exhaustively

OPTIONS = AnalysisOptions(bufferize_function_boundaries=True, allow_return_allocs_from_loops=True)
MOST_FREE = 8
QUICK = 4


def of_choice(module, options, kept):
    """What comes of keeping just these operands; None if that is not allowed."""
    found = analyze(module, options, find_conflict=lambda _, use: None if use in kept else ReadOnly(()))
    uses = found.operands()
    if found.errors or any(
        found.is_in_place(u) and find_conflict_exhaustively(found.state, u, True) for u in uses
    ):
        return None
    return found


def cheapest_choice(module, options, most=MOST_FREE):
    """The least that the buffers of any allowed choice weigh; None if there are too many operands to try."""
    first = analyze(module, options)
    free = [use for use in first.operands() if not first.state.must_be_in_place(use)]
    if first.errors or len(free) > most:
        return None
    chosen = (set(kept) for size in range(len(free) + 1) for kept in combinations(free, size))
    allowed = (of_choice(module, options, kept) for kept in chosen)
    return min(planned_weight(found) for found in allowed if found is not None)


def check_choices(text, compare_parts, most=MOST_FREE) -> bool:
    """Whether a program was small enough to be checked."""
    module, options = parse(text), replace(OPTIONS, compare_parts=compare_parts)
    best = cheapest_choice(module, options, most)
    if best is None:
        return False
    found = analyze(module, replace(options, analysis_heuristic="fewest-copies"))
    proofs = [certificate(outcome) for outcome in found.outcomes.values()]
    assert [fault for proof in proofs for fault in faults(found, proof)] == []
    assert sum(proof.bound for proof in proofs) <= best
    return True


def lines(seed: int) -> list[tuple[str, str, tuple[str, ...]]]:
    """A few operations on parts of tensors: what each defines, its text, and what it uses."""
    pick = random.Random(seed)
    whole, part, found = ["%t"], [], []
    for number in range(pick.randint(3, 4)):
        name, big = f"%v{number}", pick.choice(whole)
        kind = pick.choice(["insert", "extract", "slice", "fill", "put", "cast"])
        if kind in ("fill", "put") and not part:
            kind = "slice"
        at = pick.choice(["0", "4"])
        if kind == "insert":
            used, text = (big,), f"tensor.insert %f into {big}[%i] : tensor<8xf32>"
        elif kind == "extract":
            used, text = (big,), f"tensor.extract {big}[%i] : tensor<8xf32>"
        elif kind == "slice":
            used, text = (big,), f"tensor.extract_slice {big}[{at}] [4] [1] : tensor<8xf32> to tensor<4xf32>"
        elif kind == "fill":
            used = (pick.choice(part),)
            text = f"linalg.fill ins(%f : f32) outs({used[0]} : tensor<4xf32>) -> tensor<4xf32>"
        elif kind == "put":
            used = (pick.choice(part), big)
            text = (
                f"tensor.insert_slice {used[0]} into {big}[{at}] [4] [1] : tensor<4xf32> into tensor<8xf32>"
            )
        else:
            used, text = (big,), f"tensor.cast {big} : tensor<8xf32> to tensor<?xf32>"
            text += f"\n  {name} = tensor.cast {name}d : tensor<?xf32> to tensor<8xf32>"
        if kind in ("slice", "fill"):
            part.append(name)
        elif kind != "extract":
            whole.append(name)
        found.append((name, f"  {name}{'d' if kind == 'cast' else ''} = {text}", used))
    return found


def program(ordered) -> str:
    types = {name: text.rsplit(" ", 1)[1] if ".extract %" not in text else "f32" for name, text, _ in ordered}
    kept = sorted(types)
    return "\n".join(
        [
            f"func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> ({', '.join(types[n] for n in kept)}) {{",
            *(text for _, text, _ in ordered),
            f"  return {', '.join(kept)} : {', '.join(types[n] for n in kept)}",
            "}",
        ]
    )


def orders(found):
    """The program in every order that its values allow."""
    for ordered in permutations(found):
        known = {"%t"}
        for name, _, used in ordered:
            if not known.issuperset(used):
                break
            known.add(name)
        else:
            yield program(ordered)


def proved_for_any_order(text, compare_parts) -> int:
    """The bound that remains if each conflict is left out which a motion might settle."""
    options = replace(OPTIONS, analysis_heuristic="fewest-copies", compare_parts=compare_parts)
    (outcome,) = analyze(parse(text), options).outcomes.values()

    def stays(evidence) -> bool:
        read, write = evidence[:2]
        movable = isinstance(read, OpOperand) and isinstance(write, OpOperand) and len(evidence) == 3
        return not movable or is_bound_to_follow(read, write)

    cores = {core.edges for core in outcome.cores if stays(core.meeting.evidence)}
    return cheapest_hitting_set(cores, {i: edge.weight for i, edge in enumerate(outcome.problem.edges)}).bound


@pytest.mark.parametrize("seed", range(500, 530))
def test_no_choice_is_cheaper_than_what_is_proved(seed):
    check_choices(tensor_program(seed), bool(seed % 2), QUICK)
    check_choices(program(lines(seed)), bool(seed % 2), QUICK)


@pytest.mark.parametrize("seed", range(6))
def test_no_order_is_cheaper_than_what_is_proved_for_any(seed):
    check_orders(seed, QUICK)


def check_orders(seed, most):
    found = lines(seed)
    options = replace(OPTIONS, compare_parts=bool(seed % 2))
    proved = proved_for_any_order(program(found), options.compare_parts)
    costs = [cheapest_choice(parse(text), options, most) for text in orders(found)]
    assert all(cost is None or proved <= cost for cost in costs)


@pytest.mark.long
def test_many_choices():
    checked = sum(check_choices(tensor_program(seed), bool(seed % 2)) for seed in range(2000, 2600))
    assert checked > 50


@pytest.mark.long
def test_many_orders():
    for seed in range(100, 160):
        check_orders(seed, 6)


MOTIONS = {
    "out of a conditional": (
        """
func.func @f(%t: tensor<8xf32>, %f: f32, %i: index, %c: i1) -> (tensor<8xf32>, f32) {
  %w = tensor.insert %f into %t[%i] : tensor<8xf32>
  %x = scf.if %c -> f32 {
    %r = tensor.extract %t[%i] : tensor<8xf32>
    scf.yield %r : f32
  } else {
    scf.yield %f : f32
  }
  return %w, %x : tensor<8xf32>, f32
}
""",
        False,
    ),
    "before what holds the write": (
        """
func.func @f(%t: tensor<8xf32>, %f: f32, %i: index, %c: i1) -> (tensor<8xf32>, f32) {
  %w = scf.if %c -> tensor<8xf32> {
    %u = tensor.insert %f into %t[%i] : tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  } else {
    scf.yield %t : tensor<8xf32>
  }
  %x = tensor.extract %t[%i] : tensor<8xf32>
  return %w, %x : tensor<8xf32>, f32
}
""",
        False,
    ),
    "out of a loop, before its write": (
        """
func.func @f(%t: tensor<8xf32>, %n: index, %i: index, %f: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = scf.for %k = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8xf32>) {
    %x = tensor.extract %t[%i] : tensor<8xf32>
    %u = tensor.insert %x into %a[%k] : tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  return %w : tensor<8xf32>
}
""",
        False,
    ),
    "it needs the counter": (
        """
func.func @f(%t: tensor<8xf32>, %n: index, %i: index, %f: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = scf.for %k = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8xf32>) {
    %x = tensor.extract %t[%k] : tensor<8xf32>
    %u = tensor.insert %x into %a[%i] : tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  return %w : tensor<8xf32>
}
""",
        True,
    ),
    "it needs what is written": (
        """
func.func @f(%t: tensor<8xf32>, %j: index, %i: index, %f: f32) -> (tensor<8xf32>, f32) {
  %w = tensor.insert %f into %t[%i] : tensor<8xf32>
  %y = tensor.extract %w[%j] : tensor<8xf32>
  %z = arith.fptosi %y : f32 to i64
  %k = arith.index_cast %z : i64 to index
  %x = tensor.extract %t[%k] : tensor<8xf32>
  return %w, %x : tensor<8xf32>, f32
}
""",
        True,
    ),
}


@pytest.mark.parametrize("name", MOTIONS)
def test_whether_a_read_is_bound_to_follow(name):
    text, expected = MOTIONS[name]
    ops = list(parse(text).walk())
    write = next(op for op in ops if op.name == "tensor.insert").op_operands[1]
    read = [op for op in ops if op.name == "tensor.extract"][-1].op_operands[0]
    assert is_bound_to_follow(read, write) == expected

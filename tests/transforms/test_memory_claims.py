"""Claims about all orders, against all orders: each is bufferized anew, so that One-Shot may decide otherwise."""

import re
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest
from bufferize.analysis.models.facts import registry_with
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.interpreter.fuzz import read
from bufferize.interpreter.verify import Options, verify_module
from bufferize.transforms.memory_arena.tensors import Wanted, improve
from bufferize.transforms.memory_arena.trials import TrialSettings, held

MOST_ORDERS = 40


def settings():
    options = AnalysisOptions(bufferize_function_boundaries=True, allow_return_allocs_from_loops=True)
    return TrialSettings(options, registry_with([], []), 64)


def tensor(size):
    return f"tensor<{size}xf32>"


class Program:
    """A random function: `groups` of lines that may be in any order that respects their operands."""

    def __init__(self, seed, count):
        self.random = Random(seed)
        self.values = [("%x", 64), ("%y", 64), ("%z", 16)]
        self.groups: list[list[str]] = []
        self.results: list[tuple[str, str]] = []
        for _ in range(count):
            self._statement()
        text = " ".join(line for group in self.groups for line in group)
        for value, size in self.values[3:]:
            if not re.search(rf"{value}\b(?! =)", text):
                self._define(f"tensor.extract {value}[%i] : {tensor(size)}", "f32")
        if self.random.random() < 0.3:
            value, size = self.values[-1]
            self.results.append((value, tensor(size)))

    def _name(self):
        return f"%v{len(self.groups)}"

    def _define(self, right, type, before=()):
        name = self._name()
        self.groups.append([*before, f"{name} = {right}"])
        if type == "f32":
            self.results.append((name, type))
        else:
            self.values.append((name, type))

    def _any(self, size=None):
        values = [value for value in self.values if size in (None, value[1])]
        return self.random.choice(values[-4:] if self.random.random() < 0.7 else values)

    def _statement(self):
        a, size = self._any()
        b, of = self._any(size)[0], tensor(size)
        empty, into = (
            f"%e{len(self.groups)} = tensor.empty() : {of}",
            f"outs(%e{len(self.groups)} : {of}) -> {of}",
        )
        match self.random.choice(("map", "map", "add", "add", "over", "insert", "slice", "extract", "put")):
            case "map":
                self._define(f"linalg.exp ins({a} : {of}) {into}", size, (empty,))
            case "add":
                self._define(f"linalg.add ins({a}, {b} : {of}, {of}) {into}", size, (empty,))
            case "over":
                self._define(f"linalg.exp ins({a} : {of}) outs({b} : {of}) -> {of}", size)
            case "insert":
                part, whole = self._any(16)[0], self._any(64)[0]
                where = "[0] [16] [1] : tensor<16xf32> into tensor<64xf32>"
                self._define(f"tensor.insert_slice {part} into {whole}{where}", 64)
            case "slice":
                where = "[8] [16] [1] : tensor<64xf32> to tensor<16xf32>"
                self._define(f"tensor.extract_slice {self._any(64)[0]}{where}", 16)
            case "extract":
                self._define(f"tensor.extract {a}[%i] : {of}", "f32")
            case _:
                self._define(f"tensor.insert %zero into {a}[%i] : {of}", size)

    def text(self, order):
        names, types = (", ".join(each) for each in zip(*self.results, strict=True))
        body = "\n  ".join(line for at in order for line in self.groups[at])
        return f"""
func.func @f(%x: tensor<64xf32>, %y: tensor<64xf32>, %z: tensor<16xf32>) -> ({types}) {{
  %zero = arith.constant 0.0 : f32
  %i = arith.constant 3 : index
  {body}
  return {names} : {types}
}}
"""

    def orders(self) -> Iterator[tuple[int, ...]]:
        made = {group[-1].split(" = ")[0]: at for at, group in enumerate(self.groups)}
        needs = [
            {made[name] for name in re.findall(r"%v\d+", group[-1].split(" = ")[1])} for group in self.groups
        ]

        def continued(order: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
            if len(order) == len(needs):
                yield order
            for at, before in enumerate(needs):
                if at not in order and before <= set(order):
                    yield from continued((*order, at))

        return continued(())


CLAIMS = {
    "order": Wanted(),
    "destinations": Wanted(destinations=True),
    "recomputation": Wanted(1),
    "all": Wanted(1, destinations=True),
}


def claims_that_fail(seeds, count):
    """What orders of random programs refute, and how many claims there were."""
    found, claims = [], 0
    for seed in seeds:
        program = Program(seed, count)
        orders = list(islice(program.orders(), MOST_ORDERS + 1))
        if not 1 < len(orders) <= MOST_ORDERS:
            continue
        texts = [program.text(order) for order in orders]
        peaks = [each["f"].peak for text in texts if (each := held(read(text, "t"), settings())) is not None]
        for name, wanted in CLAIMS.items():
            module = read(texts[0], "t")
            outcome = improve(module, settings(), wanted)["f"]
            claim = outcome.claim
            claims += claim.any_order > 0
            if name == "order" and claim.any_order > min(peaks):
                found.append((seed, name, claim, min(peaks)))
            if max(claim.any_order, claim.these_decisions) > outcome.after.peak:
                found.append((seed, name, claim, outcome.after.peak))
            if claim.any_recomputation > min(*peaks, outcome.after.peak) and name != "destinations":
                found.append((seed, name, claim, min(peaks)))
            if outcome.after.peak > outcome.before.peak or outcome.after.peak < claim.any_recomputation:
                found.append((seed, name, outcome))
            if any(each.failed for each in verify_module(read(texts[0], "t"), module, Options(inputs=1))):
                found.append((seed, name, "computes something else"))
    return found, claims


def test_no_order_of_small_programs_holds_less_than_claimed():
    found, claims = claims_that_fail(range(24), 4)
    assert not found and claims > 8


@pytest.mark.long
@pytest.mark.parametrize("count", [4, 5, 6])
def test_no_order_of_many_small_programs_holds_less_than_claimed(count):
    found, claims = claims_that_fail(range(1000 * count, 1000 * count + 400), count)
    assert not found and claims > 50

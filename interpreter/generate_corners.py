"""Random programs that go where analyses were wrong before.

Several insertions at the end of one loop, in any order; loops that swap what they carry; calls that get one tensor several
times; memory of a tensor that is read or written through a memref long after the memref was made; destinations of which an
operation writes only a part, or nothing where an extent is zero; loops that may not run.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from random import Random

from . import generate_programs
from .generate import INDEX, SCALAR
from .generate_names import NAME, TensorsWithBuffers, helper
from .generate_tensors import DYNAMIC, LARGE, SMALL, SQUARE, TENSORS

COLUMNS = "tensor<4x?xf32>"
ROW = "affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>"
DIAGONAL = "affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0, d0)>"


class Corners(TensorsWithBuffers):
    """Functions on tensors, full of what is easily overlooked."""

    def kinds(self, depth: int) -> list[tuple[int, Callable[[int], None]]]:
        found = super().kinds(depth)
        found += [
            (4, self.load_later),
            (3, self.store_later),
            (3, self.empty_reduction),
            (2, self.diagonal),
            (2, self.map_old),
            (2, self.empty_part),
        ]
        if depth < 2:
            found += [(4, self.forall_several), (4, self.swaps), (2, self.swap_while)]
        if self.callees:
            found.append((4, self.call_with_one))
        return found

    def bounds(self) -> tuple[str, str, str]:
        zero, end, one = super().bounds()
        return (zero, self.pick(INDEX), one) if self.random.random() < 0.5 else (zero, end, one)

    # -- loops

    def forall_several(self, depth: int) -> None:
        """Each iteration reads and writes its own row of each output only."""
        count = self.random.choice([1, 2, 2, 3])
        same = self.tensor(SQUARE)
        inits = [same if self.random.random() < 0.5 else self.tensor(SQUARE) for _ in range(count)]
        args = [self.name() for _ in inits]
        counter, name = self.name(), self.results([SQUARE] * count)
        pairs = ", ".join(f"{arg} = {init}" for arg, init in zip(args, inits, strict=True))
        self.line(
            f"{name} = scf.forall ({counter}) in (4) shared_outs({pairs}) -> ({', '.join([SQUARE] * count)}) {{"
        )
        self.push()
        self.remember(counter, INDEX)
        place = f"[{counter}, 0] [1, 4] [1, 1]"
        rows = [
            self.define(SMALL, f"tensor.extract_slice {arg}{place} : {SQUARE} to {SMALL}") for arg in args
        ]
        self.statements(depth + 1)
        inserted = [(self.yields([SMALL], [self.random.choice(rows)])[0], arg) for arg in args]
        if self.random.random() < 0.6:
            inserted[-1] = (self.random.choice(rows), args[-1])
        self.random.shuffle(inserted)
        self.line("scf.forall.in_parallel {")
        for part, arg in inserted:
            self.line(f"  tensor.parallel_insert_slice {part} into {arg}{place} : {SMALL} into {SQUARE}")
        self.line("}")
        self.pop()
        self.line("}")
        self.remember_all(name, [SQUARE] * count)

    def _carries(self) -> tuple[str, list[str], list[str]]:
        type = self.any_tensor()
        inits = [self.tensor(type) for _ in range(self.random.choice([2, 2, 3]))]
        return type, inits, [self.name() for _ in inits]

    def swaps(self, depth: int) -> None:
        """A loop that hands on what it carries in other places."""
        type, inits, args = self._carries()
        low, high, step = self.bounds()
        counter, results = self.name(), self.results([type] * len(args))
        pairs = ", ".join(f"{arg} = {init}" for arg, init in zip(args, inits, strict=True))
        types = ", ".join([type] * len(args))
        self.line(
            f"{results} = scf.for {counter} = {low} to {high} step {step} iter_args({pairs}) -> ({types}) {{"
        )
        self.push()
        self.remember(counter, INDEX)
        for arg in args:
            self.remember(arg, type)
        self.statements(depth + 1)
        self.line(f"scf.yield {', '.join(self._other_places(type, args))} : {types}")
        self.pop()
        self.line("}")
        self.remember_all(results, [type] * len(args))

    def _other_places(self, type: str, args: list[str]) -> list[str]:
        likely = self.random.sample(args, len(args)) if self.random.random() < 0.7 else args
        return self.yields([type] * len(args), likely) if self.random.random() < 0.5 else list(likely)

    def swap_while(self, depth: int) -> None:
        """The same with a loop of two regions, either of which may swap."""
        type, inits, args = self._carries()
        zero, end, one = self.bounds()
        n, n2, result = self.name(), self.name(), self.name()
        later = [self.name() for _ in args]
        pairs = ", ".join(f"{arg} = {init}" for arg, init in zip(args, inits, strict=True))
        all_types = ", ".join([INDEX, *[type] * len(args)])
        self.line(
            f"{result}:{len(args) + 1} = scf.while ({n} = {zero}, {pairs}) : ({all_types}) -> ({all_types}) {{"
        )
        self.push()
        for arg in args:
            self.remember(arg, type)
        more = self.define("", f"arith.cmpi slt, {n}, {end} : index")
        self.line(f"scf.condition({more}) {', '.join([n, *self._other_places(type, args)])} : {all_types}")
        self.pop()
        self.line("} do {")
        parameters = ", ".join(f"{name}: {type}" for name in later)
        self.line(f"^bb0({n2}: index, {parameters}):")
        self.push()
        for arg in later:
            self.remember(arg, type)
        self.statements(depth + 1)
        following = self.define("", f"arith.addi {n2}, {one} : index")
        self.line(f"scf.yield {', '.join([following, *self._other_places(type, later)])} : {all_types}")
        self.pop()
        self.line("}")
        for i in range(1, len(args) + 1):
            self.remember(f"{result}#{i}", type)

    def call_with_one(self, depth: int) -> None:
        """One tensor for all arguments of its type."""
        callee, inputs, outputs = self.random.choice(self.callees)
        one = {type: self.tensor(type) if type in TENSORS else self.pick(type) for type in inputs}
        results = self.results(list(outputs))
        self.line(
            f"{results} = func.call @{callee}({', '.join(one[type] for type in inputs)}) : ({', '.join(inputs)}) "
            f"-> ({', '.join(outputs)})"
        )
        self.remember_all(results, list(outputs))

    # -- memory of tensors

    def load_later(self, depth: int) -> None:
        memref = self.buffer_of(self.tensor(SMALL), " read_only")
        self.statement(depth)
        if self.random.random() < 0.5:
            self.insert(depth)
        self.define(SCALAR, f"memref.load {memref}[{self.pick(INDEX)}] : {NAME}")

    def store_later(self, depth: int) -> None:
        memref = self.buffer_of(self.tensor(SMALL), "")
        self.statement(depth)
        self.line(f"memref.store {self.pick(SCALAR)}, {memref}[{self.pick(INDEX)}] : {NAME}")
        if self.random.random() < 0.5:
            self.statement(depth)
        self.define(SCALAR, f"memref.load {memref}[{self.pick(INDEX)}] : {NAME}")

    # -- destinations of which something stays

    def empty_reduction(self, depth: int) -> None:
        """The last element of each row that has one; the rows may be empty."""
        source, target, size = self.tensor(SQUARE), self.tensor(SMALL), self.pick(INDEX)
        part = self.define(
            "", f"tensor.extract_slice {source}[0, 0] [4, {size}] [1, 1] : {SQUARE} to {COLUMNS}"
        )
        self.define(
            SMALL,
            f'linalg.generic {{indexing_maps = [{ROW}], iterator_types = ["parallel", "reduction"]}} ins({part} : {COLUMNS}) '
            f"outs({target} : {SMALL}) {{ ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 }} -> {SMALL}",
        )

    def diagonal(self, depth: int) -> None:
        source, target = self.tensor(SMALL), self.tensor(SQUARE)
        self.define(
            SQUARE,
            f'linalg.generic {{indexing_maps = [{DIAGONAL}], iterator_types = ["parallel"]}} ins({source} : {SMALL}) '
            f"outs({target} : {SQUARE}) {{ ^bb0(%in: f32, %out: f32): linalg.yield %in : f32 }} -> {SQUARE}",
        )

    def map_old(self, depth: int) -> None:
        """The body of a map uses the old element, too."""
        type = self.any_tensor()
        a, b, name = self.tensor(type), self.tensor(type), self.name()
        self.line(
            f"{name} = linalg.map ins({a} : {type}) outs({b} : {type}) (%in: f32, %old: f32) {{ "
            "%y = arith.subf %old, %in : f32 linalg.yield %y : f32 }"
        )
        self.remember(name, type)

    def empty_part(self, depth: int) -> None:
        """A part that may have no elements is changed and put elsewhere."""
        whole, size, value = self.tensor(LARGE), self.pick(INDEX), self.pick(SCALAR)
        part = self.define(
            "", f"tensor.extract_slice {whole}[{self.offset()}] [{size}] [1] : {LARGE} to {DYNAMIC}"
        )
        part = self.define("", f"linalg.fill ins({value} : f32) outs({part} : {DYNAMIC}) -> {DYNAMIC}")
        if self.random.random() < 0.5:
            self.statement(depth)
        target = self.tensor(LARGE)
        self.define(
            LARGE,
            f"tensor.insert_slice {part} into {target}[{self.offset()}] [{size}] [1] : {DYNAMIC} into {LARGE}",
        )


def corner_program(seed: int, without: Set[str] = frozenset()) -> str:
    """A module of functions on tensors and buffers; the last one is public. No statement is of a kind in `without`."""
    writer = Corners(Random(seed), without)
    helper(writer, "peek", False)
    helper(writer, "poke", True)
    return generate_programs.write_module(writer)

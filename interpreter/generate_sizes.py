"""Random programs on tensors of dynamic sizes: one type stands for several sizes, some of which may be zero.

A value in scope is remembered under its type and its sizes: `tensor<?xf32>@%n` is a `tensor<?xf32>` of %n elements, and is
printed without the mark. The statements of `generate_tensors` combine values of one marked type, and so of one size. Two
sizes may still be equal under different names, and loops, branches and calls pass on tensors of any size: a pass must
neither take types for sizes nor names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from random import Random

from . import generate_programs
from .generate import INDEX, SCALAR
from .generate_corners import Corners, helper
from .generate_tensors import DYNAMIC, LARGE, SMALL, SQUARE, TENSORS, is_tensor

ROWS, COLUMNS = "tensor<?x4xf32>", "tensor<4x?xf32>"
ANY_SIZE = (DYNAMIC, DYNAMIC, ROWS)
SIZE, PART, FOURFOLD = "a size", "a size and a larger one", "a size and its fourfold"
"""Kinds of names in scope; of pairs, the two names."""
MARK = re.compile(r"@%\w+")


class Sized(Corners):
    """Functions on tensors of dynamic sizes.

    Attributes:
        at_least_four: the sizes for which every index in scope is in bounds.
    """

    def __init__(self, random: Random, without: Set[str] = frozenset()) -> None:
        super().__init__(random, without)
        self.at_least_four: set[str] = set()

    def kinds(self, depth: int) -> list[tuple[int, Callable[[int], None]]]:
        found = super().kinds(depth)
        found += [
            (6, self.cut),
            (5, self.put),
            (3, self.concat_sizes),
            (2, self.pad_size),
            (2, self.reshape_sizes),
            (3, self.generate_size),
            (2, self.reduce_rows),
            (2, self.matmul_rows),
            (2, self.transpose_rows),
            (2, self.shift),
            (3, self.another_size),
        ]
        if depth < 2:
            found += [(4, self.forall_rows), (4, self.loop_over_sizes), (3, self.branch_over_sizes)]
        return found

    # -- sizes

    def size(self) -> str:
        """A size in scope, or a new one."""
        return self.pick(SIZE) if self.all(SIZE) and self.random.random() < 0.8 else self.make(SIZE)

    def make(self, type: str) -> str:
        if type != SIZE:
            return super().make(type)
        choice = self.random.randrange(5)
        if choice < 2:
            number = self.random.choice([0, 1, 3, 4, 4, 5, 6, 8])
            return self.as_size(self.define("", f"arith.constant {number} : index"), number >= 4)
        index = self.pick(INDEX)
        if choice == 2:
            return self.as_size(index, False)
        four = self.define("", "arith.constant 4 : index")
        return self.as_size(self.define("", f"arith.addi {index}, {four} : index"), True)

    def as_size(self, name: str, at_least_four: bool) -> str:
        if at_least_four:
            self.at_least_four.add(name)
        self.remember(name, SIZE)
        return name

    def another_size(self, depth: int) -> None:
        """The smaller, or the sum, of two sizes, or another name of one."""
        a, b = self.size(), self.size()
        four = self.at_least_four.intersection((a, b))
        if self.random.random() < 0.4:
            self.smaller(a, b)
        elif self.random.random() < 0.5:
            self.as_size(self.define("", f"arith.addi {a}, {b} : index"), bool(four))
        elif self.all(f"{DYNAMIC}@{a}"):
            self.remember(self.pick(f"{DYNAMIC}@{a}"), DYNAMIC)

    def smaller(self, a: str, b: str) -> str:
        least = self.as_size(self.define("", f"arith.minui {a}, {b} : index"), {a, b} <= self.at_least_four)
        for size in {a: None, b: None}:
            self.remember(f"{least} {size}", PART)
        return least

    def remember(self, name: str, type: str) -> None:
        """Of a type without marks, the sizes are asked for."""
        if is_tensor(type) and "?" in type and "@" not in type:
            at = 0 if type != COLUMNS else 1
            axis = self.define("", f"arith.constant {at} : index")
            type = f"{type}@{self.as_size(self.define('', f'tensor.dim {name}, {axis} : {type}'), False)}"
        super().remember(name, type)

    def all(self, type: str) -> list[str]:
        """Of a type without marks, values of any size."""
        if is_tensor(type) and "?" in type and "@" not in type:
            return [
                name
                for level in self.scope
                for key, names in level.items()
                if key.startswith(type + "@")
                for name in names
            ]
        return super().all(type)

    def sizes_of(self, type: str) -> str:
        return ", ".join(mark[1:] for mark in MARK.findall(type))

    def any_tensor(self) -> str:
        if self.random.random() < 0.3:
            return super().any_tensor()
        return f"{self.random.choice(ANY_SIZE)}@{self.size()}"

    def indexed_tensor(self) -> str:
        type = self.any_tensor()
        return type if set(self.sizes_of(type).split()) <= self.at_least_four else self.random.choice(TENSORS)

    def passed(self) -> str:
        return self.random.choice((*ANY_SIZE, SMALL, LARGE))

    def fresh(self, type: str) -> str:
        if "?" in type and "@" not in type:
            type = f"{type}@{self.size()}"
        return super().fresh(type)

    # -- statements

    def casts(self, depth: int) -> None:
        four = self.define("", "arith.constant 4 : index")
        type = f"{DYNAMIC}@{four}"
        wide = self.define(type, f"tensor.cast {self.tensor(SMALL)} : {SMALL} to {type}")
        self.as_size(four, True)
        if self.random.random() < 0.5:
            wide = self.define(
                type, f"tensor.insert {self.pick(SCALAR)} into {wide}[{self.pick(INDEX)}] : {type}"
            )
        self.define(SMALL, f"tensor.cast {wide} : {type} to {SMALL}")

    def part(self, depth: int) -> tuple[str, str, str]:
        """A size, a larger one, and an offset of the part in the whole."""
        pairs = self.all(PART)
        if pairs and self.random.random() < 0.7:
            part, whole = self.random.choice(pairs).split()
        else:
            whole = self.size()
            part = self.smaller(whole, self.size())
        last = self.random.random() < 0.4
        return part, whole, self.define("", f"arith.subi {whole}, {part} : index") if last else "0"

    def cut(self, depth: int) -> None:
        part, whole, at = self.part(depth)
        if self.random.random() < 0.7:
            small, large = f"{DYNAMIC}@{part}", f"{DYNAMIC}@{whole}"
            self.define(
                small, f"tensor.extract_slice {self.tensor(large)}[{at}] [{part}] [1] : {large} to {small}"
            )
        else:
            small, large = f"{ROWS}@{part}", f"{ROWS}@{whole}"
            place = f"[{at}, 0] [{part}, 4] [1, 1]"
            self.define(small, f"tensor.extract_slice {self.tensor(large)}{place} : {large} to {small}")

    def put(self, depth: int) -> None:
        part, whole, at = self.part(depth)
        kind, place = (
            (DYNAMIC, f"[{at}] [{part}] [1]")
            if self.random.random() < 0.7
            else (ROWS, f"[{at}, 0] [{part}, 4] [1, 1]")
        )
        small, large = f"{kind}@{part}", f"{kind}@{whole}"
        source, target = self.tensor(small), self.tensor(large)
        self.define(large, f"tensor.insert_slice {source} into {target}{place} : {small} into {large}")

    def shift(self, depth: int) -> None:
        """A tensor whose two parts are swapped."""
        part, whole, _ = self.part(depth)
        rest = self.as_size(self.define("", f"arith.subi {whole}, {part} : index"), False)
        one, two, large = f"{DYNAMIC}@{part}", f"{DYNAMIC}@{rest}", f"{DYNAMIC}@{whole}"
        source, target = self.tensor(large), self.tensor(large)
        a = self.define(one, f"tensor.extract_slice {source}[0] [{part}] [1] : {large} to {one}")
        b = self.define(two, f"tensor.extract_slice {source}[{part}] [{rest}] [1] : {large} to {two}")
        if self.random.random() < 0.5:
            target = self.define(
                large, f"tensor.insert_slice {b} into {target}[0] [{rest}] [1] : {two} into {large}"
            )
            self.define(
                large, f"tensor.insert_slice {a} into {target}[{rest}] [{part}] [1] : {one} into {large}"
            )
        elif "concat" not in self.without:
            both = self.define("", f"tensor.concat dim(0) {b}, {a} : ({two}, {one}) -> {DYNAMIC}")
            self.remember(both, large)

    def concat_sizes(self, depth: int) -> None:
        a, b = self.size(), self.size()
        sum = self.define("", f"arith.addi {a}, {b} : index")
        kind = self.random.choice((DYNAMIC, ROWS))
        one, two, both = (f"{kind}@{size}" for size in (a, b, sum))
        left, right = self.tensor(one), self.tensor(two)
        self.define(both, f"tensor.concat dim(0) {left}, {right} : ({one}, {two}) -> {both}")
        self.as_size(sum, bool(self.at_least_four.intersection((a, b))))
        for size in {a: None, b: None}:
            self.remember(f"{size} {sum}", PART)

    def pad_size(self, depth: int) -> None:
        size, more, value = self.size(), self.pick(INDEX), self.pick(SCALAR)
        sum = self.define("", f"arith.addi {size}, {more} : index")
        small, large = f"{DYNAMIC}@{size}", f"{DYNAMIC}@{sum}"
        low, high = self.random.choice([("0", more), (more, "0")])
        source = self.tensor(small)
        self.define(
            large,
            f"tensor.pad {source} low[{low}] high[{high}] {{ ^bb0(%i: index): tensor.yield {value} : f32 }} "
            f": {small} to {large}",
        )
        self.as_size(sum, size in self.at_least_four)
        self.remember(f"{size} {sum}", PART)

    def reshape_sizes(self, depth: int) -> None:
        pairs = self.all(FOURFOLD)
        if pairs and self.random.random() < 0.7:
            size, product = self.random.choice(pairs).split()
        else:
            size, four = self.size(), self.define("", "arith.constant 4 : index")
            product = self.define("", f"arith.muli {size}, {four} : index")
            self.as_size(product, size in self.at_least_four)
            self.remember(f"{size} {product}", FOURFOLD)
        rows, flat = f"{ROWS}@{size}", f"{DYNAMIC}@{product}"
        if self.random.random() < 0.5:
            self.define(flat, f"tensor.collapse_shape {self.tensor(rows)} [[0, 1]] : {rows} into {flat}")
        else:
            shape = f"[[0, 1]] output_shape [{size}, 4]"
            self.define(rows, f"tensor.expand_shape {self.tensor(flat)} {shape} : {flat} into {rows}")

    def generate_size(self, depth: int) -> None:
        size = self.size()
        type, at = f"{DYNAMIC}@{size}", "%i"
        source, lines = self.tensor(type), ""
        if self.random.random() < 0.4:  # reversed
            last = self.define("", "arith.constant 1 : index")
            lines = f"%n = arith.subi {size}, {last} : index %j = arith.subi %n, %i : index "
            at = "%j"
        self.define(
            type,
            f"tensor.generate {size} {{ ^bb0(%i: index): {lines}%t = tensor.extract {source}[{at}] : {type} "
            f"%y = arith.addf %t, %t : f32 tensor.yield %y : f32 }} : {type}",
        )

    def reduce_rows(self, depth: int) -> None:
        size, axis = self.size(), self.random.randint(0, 1)
        rows, left = f"{ROWS}@{size}", f"{DYNAMIC}@{size}" if axis else SMALL
        source, target, name = self.tensor(rows), self.tensor(left), self.name()
        self.line(
            f"{name} = linalg.reduce {{ arith.addf }} ins({source} : {rows}) outs({target} : {left}) dimensions = [{axis}]"
        )
        self.remember(name, left)

    def matmul_rows(self, depth: int) -> None:
        rows = f"{ROWS}@{self.size()}"
        a, b, c = self.tensor(rows), self.tensor(SQUARE), self.tensor(rows)
        self.define(rows, f"linalg.matmul ins({a}, {b} : {rows}, {SQUARE}) outs({c} : {rows}) -> {rows}")

    def transpose_rows(self, depth: int) -> None:
        size = self.size()
        one, other = self.random.sample((f"{ROWS}@{size}", f"{COLUMNS}@{size}"), 2)
        source, target, name = self.tensor(one), self.tensor(other), self.name()
        self.line(
            f"{name} = linalg.transpose ins({source} : {one}) outs({target} : {other}) permutation = [1, 0]"
        )
        self.remember(name, other)

    # -- nested

    def forall_rows(self, depth: int) -> None:
        """Each iteration replaces its row of an output, in one or two parts, perhaps with values of the row."""
        size = self.size()
        type, half = f"{ROWS}@{size}", "tensor<2xf32>"
        init, arg, counter, name = self.tensor(type), *(self.name() for _ in range(3))
        with self.block(
            f"{name} = scf.forall ({counter}) in ({size}) shared_outs({arg} = {init}) -> ({type}) {{"
        ):
            place = f"[{counter}, 0] [1, 4] [1, 1]"
            row = self.define(SMALL, f"tensor.extract_slice {arg}{place} : {type} to {SMALL}")
            self.statements(depth + 1)
            new = self.yields([SMALL], [row])[0]
            parts = [(new, SMALL, place)]
            if self.random.random() < 0.5:
                parts = [
                    (
                        self.define(
                            "", f"tensor.extract_slice {source}[{other}] [2] [1] : {SMALL} to {half}"
                        ),
                        half,
                        f"[{counter}, {at}] [1, 2] [1, 1]",
                    )
                    for at, other, source in ((0, 2, new), (2, 0, self.random.choice((new, row))))
                ]
            self.line("scf.forall.in_parallel {")
            for part, small, at in parts:
                self.line(f"  tensor.parallel_insert_slice {part} into {arg}{at} : {small} into {type}")
            self.line("}")
        self.remember(name, type)

    def loop_over_sizes(self, depth: int) -> None:
        """A loop whose carried tensors may have other sizes in each iteration."""
        types = [self.random.choice(ANY_SIZE) for _ in range(self.random.choice([1, 2, 2]))]
        inits, bounds = [self.tensor(type) for type in types], self.bounds()
        args = [self.name() for _ in types]

        def following() -> list[str]:
            found = [self.tensor(type) for type in types]
            if len(set(types)) < len(types) and self.random.random() < 0.5:
                return args[::-1]
            return found

        self.for_loop(depth, types, zip(args, inits, strict=True), bounds, following)

    def branch_over_sizes(self, depth: int) -> None:
        """Branches that yield tensors of different sizes."""
        type, condition, name = self.random.choice(ANY_SIZE), self.condition(), self.name()
        self.line(f"{name} = scf.if {condition} -> ({type}) {{")
        for last in (False, True):
            with self.block(end="}" if last else "} else {"):
                if self.random.random() < 0.7:
                    self.statements(depth + 1)
                self.line(f"scf.yield {self.tensor(type)} : {type}")
        self.remember(name, type)


def sized_program(seed: int, without: Set[str] = frozenset()) -> str:
    """A module of functions on tensors of dynamic sizes; the last one is public. Statement kinds in `without` are
    omitted."""
    writer = Sized(Random(seed), without)
    helper(writer, "peek", False)
    helper(writer, "poke", True)
    return MARK.sub("", generate_programs.write_module(writer))

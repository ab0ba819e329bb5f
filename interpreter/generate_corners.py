"""Random programs from corner cases of past defects, and programs in which buffers are aliased.

Several insertions at the end of one loop, in any order; loops that permute their carried values; calls with one
tensor for several arguments; buffers of tensors accessed through a memref long after it was created; operations
that write only part of a destination, or nothing if an extent is zero; loops that may not run.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from random import Random

from . import generate, generate_programs
from .generate import BUFFER, INDEX, PART, SCALAR, MemoryProgram, Writer
from .generate_programs import TensorProgram
from .generate_tensors import DYNAMIC, LARGE, SMALL, SQUARE

# Random programs with aliased buffers: casts, views, equal arguments, buffers of tensors.
#
# A pass that moves or removes memory operations has to know whether two names alias. Here they often do: two views of
# one allocation are passed to a function that stores through one and loads through the other; loops and branches carry
# both; two buffers are taken from one tensor; a tensor is taken from a buffer that was written under another name.
#
# To stay defined, a buffer from which a tensor is taken belongs to the tensor from then on (`restrict`), and the
# buffer of a tensor is read before another tensor is created. Where one operation reads a view and writes another,
# they are equal or disjoint.

NAME = "memref<4xf32, strided<[?], offset: ?>>"
"""The type of a name: any buffer of four numbers can be cast to it."""
WHOLE = "memref<8xf32>"
"""A buffer of twice that size. As an argument it is only written, at the end."""


def rename(writer: Writer, buffer: str, type: str) -> str:
    """Another name of a buffer of four numbers, of type BUFFER or NAME."""
    zero = writer.define("", "arith.constant 0 : index")
    way = writer.random.randrange(3)
    if way == 0 and type == BUFFER:  # with a static offset
        contiguous = "memref<4xf32, strided<[1], offset: ?>>"
        cast = f"{buffer} to offset: [{zero}], sizes: [4], strides: [1] : {type} to {contiguous}"
        buffer, type = writer.define("", f"memref.reinterpret_cast {cast}"), contiguous
    if way == 1 or type == NAME:
        stride = writer.define("", "arith.constant 1 : index")
        return writer.define("", f"memref.subview {buffer}[{zero}] [4] [{stride}] : {type} to {NAME}")
    return writer.define("", f"memref.cast {buffer} : {type} to {NAME}")


def half(writer: Writer, whole: str, at: int) -> str:
    """A name of four elements of a buffer of eight."""
    offset, stride = (writer.define("", f"arith.constant {n} : index") for n in (at, 1))
    return writer.define("", f"memref.subview {whole}[{offset}] [4] [{stride}] : {WHOLE} to {NAME}")


def helper(writer: Writer, name: str, writes: bool) -> None:
    """A function that reads, and perhaps writes, two possibly aliased arguments, and returns a number."""
    random = writer.random
    names = ["%p", "%q"]
    writer.lines.append(f"func.func private @{name}(%p: {NAME}, %q: {NAME}, %at: index, %x: f32) -> f32 {{")
    sum = "%x"
    for _ in range(random.randint(2, 5)):
        a, b = random.choice(names), random.choice(names)
        kind = random.randrange(6) if writes else 0
        if kind == 0:
            read = writer.define("", f"memref.load {a}[%at] : {NAME}")
            sum = writer.define("", f"arith.addf {sum}, {read} : f32")
        elif kind == 1:
            writer.line(f"memref.store {sum}, {a}[%at] : {NAME}")
        elif kind == 2:
            writer.line(f"memref.copy {a}, {b} : {NAME} to {NAME}")
        elif kind == 3:
            writer.line(f"linalg.add ins({a}, {b} : {NAME}, {NAME}) outs({a} : {NAME})")
        elif kind == 4:
            local = writer.define("", f"memref.alloc() : {BUFFER}")
            writer.line(f"memref.copy {a}, {local} : {NAME} to {BUFFER}")
            writer.line(f"memref.store {sum}, {b}[%at] : {NAME}")
            writer.line(f"memref.copy {local}, {a} : {BUFFER} to {NAME}")
        else:
            names.append(rename(writer, a, NAME))
    read = writer.define("", f"memref.load %q[%at] : {NAME}")
    sum = writer.define("", f"arith.addf {sum}, {read} : f32")
    writer.line(f"return {sum} : f32")
    writer.lines.append("}")


def ask(writer: Writer, helper: str, a: str, b: str) -> None:
    """Call a helper with two names."""
    at, value = writer.pick(INDEX), writer.pick(SCALAR)
    inputs = f"{NAME}, {NAME}, index, f32"
    writer.define(SCALAR, f"func.call @{helper}({a}, {b}, {at}, {value}) : ({inputs}) -> f32")


class TensorsWithBuffers(TensorProgram):
    """Functions on tensors, with buffers in between."""

    def kinds(self, depth: int) -> list[tuple[int, Callable[[int], None]]]:
        found = super().kinds(depth)
        return [*found, (2, self.peek), (2, self.poke), (2, self.take), (1, self.given)]

    def inputs(self) -> list[str]:
        return [*super().inputs(), *([BUFFER] * self.random.choice([0, 0, 1, 2]))]

    def make(self, type: str) -> str:
        if type != BUFFER:
            return super().make(type)
        made = self.filled(BUFFER)
        self.remember(made, BUFFER)
        return made

    def filled(self, type: str) -> str:
        made, value = self.define("", f"memref.alloc() : {type}"), self.pick(SCALAR)
        self.line(f"linalg.fill ins({value} : f32) outs({made} : {type})")
        return made

    def buffer_of(self, tensor: str, mark: str) -> str:
        return self.define("", f"bufferization.to_buffer {tensor}{mark} : {SMALL} to {NAME}")

    def two_names(self, tensor: str, mark: str) -> tuple[str, str]:
        """Two names of one tensor's buffer, or two buffers of the tensor."""
        a = self.buffer_of(tensor, mark)
        if mark and self.random.random() < 0.4:
            return a, self.buffer_of(tensor, mark)
        return (a, rename(self, a, NAME)) if self.random.random() < 0.7 else (a, a)

    def peek(self, depth: int) -> None:
        """Read a tensor's buffer under two names."""
        ask(self, "peek", *self.two_names(self.tensor(SMALL), " read_only"))

    def poke(self, depth: int) -> None:
        """Write the buffer of a tensor; the tensor must not change."""
        ask(self, "poke", *self.two_names(self.tensor(SMALL), ""))

    def take(self, depth: int) -> None:
        """Take a tensor from a buffer that was written under other names."""
        if self.random.random() < 0.5:
            whole, type, result = self.filled(BUFFER), BUFFER, SMALL
            names = [rename(self, whole, BUFFER) for _ in range(2)]
        else:
            whole, type, result = self.filled(WHOLE), WHOLE, LARGE
            halves = [half(self, whole, at) for at in (0, 4)]
            names = [self.random.choice(halves) for _ in range(2)]
        ask(self, "poke", *names)
        mark = self.random.choice(["restrict writable", "restrict writable", "restrict"])
        self.define(result, f"bufferization.to_tensor {whole} {mark} : {type} to {result}")

    def given(self, depth: int) -> None:
        """Take a tensor from an argument, or from a buffer passed to others, that is never written."""
        buffer = self.pick(BUFFER)
        if self.random.random() < 0.5:
            ask(self, "peek", *(rename(self, source, BUFFER) for source in (buffer, self.pick(BUFFER))))
        self.define(SMALL, f"bufferization.to_tensor {buffer} restrict : {BUFFER} to {SMALL}")

    def materialize(self, depth: int) -> None:
        """Materialize into a tensor's own buffer: the operation must not be given a copy, and is rejected where it
        needs one."""
        if self.random.random() < 0.1:
            super().materialize(depth)
            return
        type = self.any_tensor()
        made, source = self.empty(type), self.tensor(type)
        self.define(
            type, f"bufferization.materialize_in_destination {source} in {made} : ({type}, {type}) -> {type}"
        )

    def before_return(self) -> None:
        """Store a tensor in a buffer that has other names, in halves or whole."""
        if self.random.random() < 0.5 or "materialize" in self.without:
            return
        made, value = self.define("", f"memref.alloc() : {WHOLE}"), self.tensor(LARGE)
        self.line(
            f"bufferization.materialize_in_destination {value} in restrict writable {made} : ({LARGE}, {WHOLE}) -> ()"
        )
        ask(self, "poke", *(half(self, made, self.random.choice([0, 4])) for _ in range(2)))


class NamesOfMemory(MemoryProgram):
    """Functions on buffers with several names."""

    def kinds(self, depth: int) -> list[tuple[int, Callable[[int], None]]]:
        found = super().kinds(depth)
        found += [
            (3, self.renames),
            (3, self.poke),
            (1, self.add_names),
            (1, self.select_name),
            (2, self.overlap),
        ]
        if depth < 2:
            found.append((1, self.carry_names))
        return found

    def any_name(self) -> str:
        return self.pick(NAME) if self.all(NAME) else self.another_name()

    def another_name(self) -> str:
        name = rename(self, self.buffer(), BUFFER)
        self.remember(name, NAME)
        return name

    def renames(self, depth: int) -> None:
        buffer = self.buffer()
        for _ in range(2):
            self.remember(rename(self, buffer, BUFFER), NAME)

    def poke(self, depth: int) -> None:
        ask(self, "poke", self.any_name(), self.any_name())

    def add_names(self, depth: int) -> None:
        a, b, c = (self.any_name() for _ in range(3))
        self.line(f"linalg.add ins({a}, {b} : {NAME}, {NAME}) outs({c} : {NAME})")

    def select_name(self, depth: int) -> None:
        self.define(NAME, f"arith.select {self.condition()}, {self.any_name()}, {self.any_name()} : {NAME}")

    def overlap(self, depth: int) -> None:
        """Store to and load from two overlapping slices of one buffer in turn."""
        buffer, places = self.buffer(), [self.define("", f"arith.constant {at} : index") for at in (1, 2)]
        parts = [
            self.define(PART, f"memref.subview {buffer}[{at}] [2] [1] : {BUFFER} to {PART}") for at in places
        ]
        zero, one = (self.define("", f"arith.constant {at} : index") for at in (0, 1))
        self.line(f"memref.store {self.pick(SCALAR)}, {parts[0]}[{one}] : {PART}")
        self.define(SCALAR, f"memref.load {parts[1]}[{zero}] : {PART}")
        self.line(f"memref.store {self.pick(SCALAR)}, {parts[1]}[{zero}] : {PART}")
        self.define(SCALAR, f"memref.load {parts[0]}[{one}] : {PART}")

    def carry_names(self, depth: int) -> None:
        """A loop that carries two names and swaps them, or continues with one."""
        first, second = self.any_name(), self.any_name()
        low, high, step = (
            self.define("", f"arith.constant {n} : index") for n in (0, self.random.randint(0, 3), 1)
        )
        counter, a, b, result = (self.name() for _ in range(4))
        with self.block(
            f"{result}:2 = scf.for {counter} = {low} to {high} step {step} iter_args({a} = {first}, {b} = {second}) "
            f"-> ({NAME}, {NAME}) {{"
        ):
            self.remember(counter, INDEX)
            for name in (a, b):
                self.remember(name, NAME)
            ask(self, "poke", a, b)
            self.statements(depth + 1)
            yielded = self.random.choice([(b, a), (a, a), (a, b), (a, self.any_name())])
            self.line(f"scf.yield {', '.join(yielded)} : {NAME}, {NAME}")
        for i in range(2):
            self.remember(f"{result}#{i}", NAME)


def tensor_program_with_names(seed: int, without: Set[str] = frozenset()) -> str:
    """A module of functions on tensors and buffers; the last one is public. Statement kinds in `without` are
    omitted."""
    writer = TensorsWithBuffers(Random(seed), without)
    helper(writer, "peek", False)
    helper(writer, "poke", True)
    return generate_programs.write_module(writer)


def memref_program_with_names(seed: int, without: Set[str] = frozenset()) -> str:
    """A module of functions on buffers; the last one is public. Statement kinds in `without` are omitted."""
    writer = NamesOfMemory(Random(seed), without)
    helper(writer, "poke", True)
    return generate.write_module(writer)


COLUMNS = "tensor<4x?xf32>"
ROW = "affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>"
DIAGONAL = "affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0, d0)>"


class Corners(TensorsWithBuffers):
    """Functions on tensors, full of corner cases."""

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
        """Each iteration reads and writes only its own row of each output."""
        count = self.random.choice([1, 2, 2, 3])
        same = self.tensor(SQUARE)
        inits = [same if self.random.random() < 0.5 else self.tensor(SQUARE) for _ in range(count)]
        args = [self.name() for _ in inits]
        counter, name = self.name(), self.results([SQUARE] * count)
        pairs = ", ".join(f"{arg} = {init}" for arg, init in zip(args, inits, strict=True))
        with self.block(
            f"{name} = scf.forall ({counter}) in (4) shared_outs({pairs}) -> ({', '.join([SQUARE] * count)}) {{"
        ):
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
        self.remember_all(name, [SQUARE] * count)

    def _carries(self) -> tuple[list[str], list[tuple[str, str]], list[str]]:
        type = self.any_tensor()
        inits = [self.tensor(type) for _ in range(self.random.choice([2, 2, 3]))]
        args = [self.name() for _ in inits]
        return [type] * len(args), list(zip(args, inits, strict=True)), args

    def swaps(self, depth: int) -> None:
        """A loop that permutes its carried values."""
        types, carried, args = self._carries()
        self.for_loop(depth, types, carried, self.bounds(), lambda: self._other_places(types, args))

    def _other_places(self, types: list[str], args: list[str]) -> list[str]:
        likely = self.random.sample(args, len(args)) if self.random.random() < 0.7 else args
        return self.yields(types, likely) if self.random.random() < 0.5 else list(likely)

    def swap_while(self, depth: int) -> None:
        """The same with `scf.while`, either region of which may permute."""
        types, carried, _ = self._carries()
        bounds = self.bounds()
        names = (self.name(), self.name(), self.name())
        self.do_while(depth, types, carried, bounds, names, self._other_places)

    def call_with_one(self, depth: int) -> None:
        """A call with one tensor for all arguments of its type."""
        callee, inputs, outputs = self.random.choice(self.callees)
        one = {type: self.give(type) for type in inputs}
        results = self.results(list(outputs))
        self.line(
            f"{results} = func.call @{callee}({', '.join(one[type] for type in inputs)}) : ({', '.join(inputs)}) "
            f"-> ({', '.join(outputs)})"
        )
        self.remember_all(results, list(outputs))

    # -- buffers of tensors

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

    # -- partially written destinations

    def empty_reduction(self, depth: int) -> None:
        """The last element of each nonempty row; the rows may be empty."""
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
        """A map whose body also uses the old element."""
        type = self.any_tensor()
        a, b, name = self.tensor(type), self.tensor(type), self.name()
        self.line(
            f"{name} = linalg.map ins({a} : {type}) outs({b} : {type}) (%in: f32, %old: f32) {{ "
            "%y = arith.subf %old, %in : f32 linalg.yield %y : f32 }"
        )
        self.remember(name, type)

    def empty_part(self, depth: int) -> None:
        """A slice that may be empty is changed and inserted elsewhere."""
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
    """A module of functions on tensors and buffers; the last one is public. Statement kinds in `without` are
    omitted."""
    writer = Corners(Random(seed), without)
    helper(writer, "peek", False)
    helper(writer, "poke", True)
    return generate_programs.write_module(writer)

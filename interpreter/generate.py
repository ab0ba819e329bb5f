"""Random programs for fuzzing: well-typed, with defined behaviour, rich in conflicts.

There are two kinds: `tensor_program` (in `generate_programs`) generates functions on tensors, `memref_program`
functions on buffers; `generate_corners` has variants in which buffers are aliased. Indices are
in bounds and every element read is initialized, so a fault of the transformed program is a defect of the
transformation. Programs are text, like users' programs; the same seed yields the same program.

This module has the parts common to both: the text, the values in scope, and random choice among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager
from random import Random

SCALAR, INDEX, BOOL = "f32", "index", "i1"

MAX_DEPTH = 3
"""Nesting depth of generated regions; at that depth no loop or branch is generated."""

LENGTHS = (1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 5)
"""The maximum number of statements of a body, chosen once per program. Most programs are small: four small ones
run in the time of a large one with many names and deep nests, and most defects need few statements."""


class Writer:
    """The text of a program, and the values in scope by type.

    Kinds of statements (names of the methods that emit them) in `without` are not generated.
    """

    def __init__(self, random: Random, without: Set[str] = frozenset()) -> None:
        self.random = random
        self.without = without
        self.longest = random.choice(LENGTHS)
        self.lines: list[str] = []
        self.indent = 1
        self.count = 0
        self.scope: list[dict[str, list[str]]] = [{}]
        self.callees: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = []

    def line(self, text: str) -> None:
        self.lines.append("  " * self.indent + text)

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def define(self, type: str, text: str) -> str:
        """Emit `%new = text` and remember the value."""
        name = self.name()
        self.line(f"{name} = {text}")
        self.remember(name, type)
        return name

    def remember(self, name: str, type: str) -> None:
        self.scope[-1].setdefault(type, []).append(name)

    def all(self, type: str) -> list[str]:
        return [name for level in self.scope for name in level.get(type, ())]

    def pick(self, type: str) -> str:
        """A value of `type`, more likely a recent one."""
        found = self.all(type)
        if not found:
            return self.make(type)
        if self.random.random() < 0.5:
            return found[-1 - min(int(self.random.expovariate(1.0)), len(found) - 1)]
        return self.random.choice(found)

    def make(self, type: str) -> str:
        """A new value of a scalar type."""
        if type == SCALAR:
            return self.define(SCALAR, f"arith.constant {self.random.randint(-4, 9)}.0 : f32")
        if type == INDEX:
            return self.define(INDEX, f"arith.constant {self.random.randint(0, 3)} : index")
        if type == BOOL:
            return self.define(BOOL, f"arith.constant {self.random.choice(['true', 'false'])}")
        raise AssertionError(type)

    def statement(self, depth: int) -> None:
        """Emit one operation, or a group of related ones. `depth` is the nesting depth of control flow."""
        raise NotImplementedError

    def statements(self, depth: int) -> None:
        """Emit a body; deeper bodies have fewer statements."""
        for _ in range(self.random.randint(1, max(1, self.longest - depth))):
            self.statement(depth)

    def condition(self) -> str:
        """A boolean value: one in scope, or a comparison."""
        if self.all(BOOL) and self.random.random() < 0.6:
            return self.pick(BOOL)
        a, b = self.pick(INDEX), self.pick(INDEX)
        return self.define(BOOL, f"arith.cmpi slt, {a}, {b} : index")

    @contextmanager
    def block(self, head: str = "", end: str = "}") -> Iterator[None]:
        """The lines of a region, between these two; what is defined inside is not visible after it."""
        if head:
            self.line(head)
        self.scope.append({})
        self.indent += 1
        yield
        self.scope.pop()
        self.indent -= 1
        if end:
            self.line(end)

    def write_one(self, kinds: Sequence[tuple[int, Callable[[int], None]]], depth: int) -> None:
        """Emit a statement of one kind, chosen by weight."""
        kinds = [kind for kind in kinds if kind[1].__name__ not in self.without]
        at = self.random.randrange(sum(weight for weight, _ in kinds))
        for weight, write in kinds:
            at -= weight
            if at < 0:
                write(depth)
                return


# Random programs on buffers, for deallocation and hoisting passes.

BUFFER, PART, UNKNOWN = "memref<4xf32>", "memref<2xf32, strided<[1], offset: ?>>", "memref<?xf32>"


class MemoryProgram(Writer):
    """Generates functions on buffers of one type, with views and dynamic sizes."""

    def buffer(self) -> str:
        return self.pick(BUFFER) if self.all(BUFFER) else self.allocate()

    def allocate(self) -> str:
        """A new buffer, filled, so that every element read is initialized."""
        if self.random.random() < 0.2 and self.all(BUFFER):
            return self.duplicate(self.pick(BUFFER))
        made = self.define(BUFFER, f"memref.alloc() : {BUFFER}")
        self.line(f"linalg.fill ins({self.pick(SCALAR)} : f32) outs({made} : {BUFFER})")
        return made

    def kinds(self, depth: int) -> list[tuple[int, Callable[[int], None]]]:
        """The kinds of statements allowed here, with weights."""
        kinds: list[tuple[int, Callable[[int], None]]] = [
            (5, self.allocates),
            (4, self.store),
            (3, self.load),
            (2, self.copy),
            (2, self.view),
            (2, self.cast),
            (1, self.dynamic),
            (2, self.add),
            (1, self.select),
        ]
        if depth < MAX_DEPTH:
            kinds += [(4, self.loop), (4, self.conditional), (2, self.plain_if), (1, self.execute)]
        if self.callees:
            kinds.append((3, self.call))
        return kinds

    def statement(self, depth: int) -> None:
        self.write_one(self.kinds(depth), depth)

    def duplicate(self, source: str) -> str:
        """A copy of another buffer. Not `bufferization.clone`, which forbids later writes."""
        made = self.define(BUFFER, f"memref.alloc() : {BUFFER}")
        self.line(f"memref.copy {source}, {made} : {BUFFER} to {BUFFER}")
        return made

    def allocates(self, depth: int) -> None:
        self.allocate()

    def store(self, depth: int) -> None:
        self.line(f"memref.store {self.pick(SCALAR)}, {self.buffer()}[{self.pick(INDEX)}] : {BUFFER}")

    def load(self, depth: int) -> None:
        self.define(SCALAR, f"memref.load {self.buffer()}[{self.pick(INDEX)}] : {BUFFER}")

    def copy(self, depth: int) -> None:
        self.line(f"memref.copy {self.buffer()}, {self.buffer()} : {BUFFER} to {BUFFER}")

    def view(self, depth: int) -> None:
        source, at = self.buffer(), self.pick(INDEX)
        two = self.define("", "arith.constant 2 : index")
        place = self.define("", f"arith.remui {at}, {two} : index")
        part = self.define(PART, f"memref.subview {source}[{place}] [2] [1] : {BUFFER} to {PART}")
        zero = self.define("", "arith.constant 0 : index")
        self.line(f"memref.store {self.pick(SCALAR)}, {part}[{zero}] : {PART}")

    def cast(self, depth: int) -> None:
        wide = self.define(UNKNOWN, f"memref.cast {self.buffer()} : {BUFFER} to {UNKNOWN}")
        self.define(BUFFER, f"memref.cast {wide} : {UNKNOWN} to {BUFFER}")

    def dynamic(self, depth: int) -> None:
        size = self.define("", "arith.constant 4 : index")
        made = self.define("", f"memref.alloc({size}) : {UNKNOWN}")
        self.line(f"linalg.fill ins({self.pick(SCALAR)} : f32) outs({made} : {UNKNOWN})")
        self.define(BUFFER, f"memref.cast {made} : {UNKNOWN} to {BUFFER}")

    def add(self, depth: int) -> None:
        a, b, c = self.buffer(), self.buffer(), self.buffer()
        self.line(f"linalg.add ins({a}, {b} : {BUFFER}, {BUFFER}) outs({c} : {BUFFER})")

    def select(self, depth: int) -> None:
        self.define(BUFFER, f"arith.select {self.condition()}, {self.buffer()}, {self.buffer()} : {BUFFER}")

    def yielded(self, like: str) -> str:
        inner = self.scope[-1].get(BUFFER, [])
        if inner and self.random.random() < 0.6:
            return self.random.choice(inner)
        return like if self.random.random() < 0.6 else self.buffer()

    def loop(self, depth: int) -> None:
        count = self.random.choice([1, 1, 2])
        inits = [self.buffer() for _ in range(count)]
        zero = self.define("", "arith.constant 0 : index")
        end = self.define("", f"arith.constant {self.random.randint(0, 3)} : index")
        one = self.define("", "arith.constant 1 : index")
        args = [self.name() for _ in inits]
        counter, result = self.name(), self.name()
        pairs = ", ".join(f"{arg} = {init}" for arg, init in zip(args, inits, strict=True))
        types = ", ".join([BUFFER] * count)
        bound = f"{result}:{count}" if count > 1 else result
        with self.block(
            f"{bound} = scf.for {counter} = {zero} to {end} step {one} iter_args({pairs}) -> ({types}) {{"
        ):
            self.remember(counter, INDEX)
            for arg in args:
                self.remember(arg, BUFFER)
            self.statements(depth + 1)
            if count == 2 and self.random.random() < 0.5:
                values = [args[1], args[0]]
            else:
                values = [self.yielded(arg) for arg in args]
            self.line(f"scf.yield {', '.join(values)} : {types}")
        for i in range(count):
            self.remember(f"{result}#{i}" if count > 1 else result, BUFFER)

    def conditional(self, depth: int) -> None:
        condition, like, result = self.condition(), self.buffer(), self.name()
        self.line(f"{result} = scf.if {condition} -> ({BUFFER}) {{")
        for last in (False, True):
            with self.block(end="}" if last else "} else {"):
                if self.random.random() < 0.8:
                    self.statements(depth + 1)
                self.line(f"scf.yield {self.yielded(like)} : {BUFFER}")
        self.remember(result, BUFFER)

    def plain_if(self, depth: int) -> None:
        with self.block(f"scf.if {self.condition()} {{"):
            self.statements(depth + 1)

    def execute(self, depth: int) -> None:
        like, result = self.buffer(), self.name()
        with self.block(f"{result} = scf.execute_region -> {BUFFER} {{"):
            self.statements(depth + 1)
            self.line(f"scf.yield {self.yielded(like)} : {BUFFER}")
        self.remember(result, BUFFER)

    def call(self, depth: int) -> None:
        callee, inputs, outputs = self.random.choice(self.callees)
        args = [self.buffer() if type == BUFFER else self.pick(type) for type in inputs]
        result = self.name()
        self.line(
            f"{result} = func.call @{callee}({', '.join(args)}) : ({', '.join(inputs)}) -> ({', '.join(outputs)})"
        )
        self.remember(result, BUFFER)

    def diamond(self) -> None:
        condition, like = self.condition(), self.buffer()
        joined = self.name()
        label = self.count
        self.line(f"cf.cond_br {condition}, ^then{label}, ^else{label}")
        for side in ("then", "else"):
            self.lines.append(f"^{side}{label}:")
            with self.block(end=""):
                self.statements(2)
                self.line(f"cf.br ^join{label}({self.yielded(like)} : {BUFFER})")
        self.lines.append(f"^join{label}({joined}: {BUFFER}):")
        self.remember(joined, BUFFER)

    def function(self, name: str, private: bool) -> None:
        inputs = [BUFFER] * self.random.randint(1, 2) + [SCALAR, INDEX, BOOL]
        self.scope = [{}]
        self.indent = 1
        args = [f"%a{i}: {type}" for i, type in enumerate(inputs)]
        visibility = "private " if private else ""
        self.lines.append(f"func.func {visibility}@{name}({', '.join(args)}) -> {BUFFER} {{")
        for i, type in enumerate(inputs):
            if type == INDEX:
                four = self.define("", "arith.constant 4 : index")
                self.define(INDEX, f"arith.remui %a{i}, {four} : index")
            else:
                self.remember(f"%a{i}", type)
        self.statements(0)
        for _ in range(self.random.choice([0, 0, 1, 1, 2])):
            self.diamond()
            self.statements(1)
        returned = self.buffer()
        if private:
            # ownership-based deallocation assumes that results are newly owned, and may copy the others
            returned = self.duplicate(returned)
        self.line(f"return {returned} : {BUFFER}")
        self.lines.append("}")
        if private:
            self.callees.append((name, tuple(inputs), (BUFFER,)))


def memref_program(seed: int, without: Set[str] = frozenset()) -> str:
    """A module of one or two functions on buffers; the last one is public. Statement kinds in `without` are
    omitted."""
    return write_module(MemoryProgram(Random(seed), without))


def write_module(writer: MemoryProgram) -> str:
    """The text of a module: a helper or none, and a public function."""
    if writer.random.random() < 0.4:
        writer.function("helper0", private=True)
    writer.function("main", private=False)
    return "\n".join(writer.lines) + "\n"

"""Random programs for fuzzing: well-typed, with defined behaviour, rich in conflicts.

There are two kinds: `tensor_program` (in `generate_programs`) generates functions on tensors, `memref_program` (in
`generate_memory`) functions on buffers; `generate_corners` has variants in which buffers are aliased. Indices are
in bounds and every element read is initialized, so a fault of the transformed program is a defect of the
transformation. Programs are text, like users' programs; the same seed yields the same program.

This module has the parts common to both: the text, the values in scope, and random choice among them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from random import Random

SCALAR, INDEX, BOOL = "f32", "index", "i1"

MAX_DEPTH = 3

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

    def push(self) -> None:
        self.scope.append({})
        self.indent += 1

    def pop(self) -> None:
        self.scope.pop()
        self.indent -= 1

    def write_one(self, kinds: Sequence[tuple[int, Callable[[int], None]]], depth: int) -> None:
        """Emit a statement of one kind, chosen by weight."""
        kinds = [kind for kind in kinds if kind[1].__name__ not in self.without]
        at = self.random.randrange(sum(weight for weight, _ in kinds))
        for weight, write in kinds:
            at -= weight
            if at < 0:
                write(depth)
                return

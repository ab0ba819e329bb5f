"""Random programs for fuzzing: well-typed, with defined behaviour, rich in conflicts.

Two kinds are made: `tensor_program` (in `generate_programs`) writes functions on tensors, `memref_program` (in
`generate_memory`) functions on buffers; in those of `generate_names` buffers have several names. Indices stay in bounds and everything read was written, so a fault of the
transformed program is the fault of the transformation. Programs are text, as users' are; the same seed gives the same
program.

Here is what both have in common: the text, the values in scope, and choosing among them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from random import Random

SCALAR, INDEX, BOOL = "f32", "index", "i1"

MAX_DEPTH = 3

LENGTHS = (1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 5)
"""The most statements of a body, one of these for each program. Most programs are small: in the time of a large one, which shows what many
names and deep nests do, four small ones run, and most defects need few statements.
"""


class Writer:
    """The text of a program, and the values in scope by type.

    Statements whose kinds (names of the methods that write them) are in `without` are not written.
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
        """Write `%new = text` and remember the value."""
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
        """Write one operation, or several that belong together. `depth` is that of nested control flow."""
        raise NotImplementedError

    def statements(self, depth: int) -> None:
        """Write a body: fewer statements the deeper it is."""
        for _ in range(self.random.randint(1, max(1, self.longest - depth))):
            self.statement(depth)

    def condition(self) -> str:
        """A truth value: one in scope, or a comparison."""
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
        """Write a statement of one kind; each has a weight."""
        kinds = [kind for kind in kinds if kind[1].__name__ not in self.without]
        at = self.random.randrange(sum(weight for weight, _ in kinds))
        for weight, write in kinds:
            at -= weight
            if at < 0:
                write(depth)
                return

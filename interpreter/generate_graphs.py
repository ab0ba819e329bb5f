"""Random control-flow graphs and buffer functions over them, for deallocation passes.

Loops of blocks, reducible or not, dead ends, endless loops; nested structured operations; buffers forwarded to and
used across blocks, selected, stored in tables; deallocations and reallocations in the program itself, on some or
all paths. Functions return no buffer or several, possibly the same one twice, and a buffer may be passed twice to a
block or call. Branches are decided by a random generator with its state in memory: the same before and after a
transformation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random

from .generate import BUFFER, INDEX, SCALAR, UNKNOWN, MemoryProgram
from .measure import KEPT

# Random graphs of blocks, reducible or not, with loops and dead ends, and their dominators.


class RandomGraph:
    """A random graph of blocks that are all reachable from the first; the last returns.

    Attributes:
        successors: up to three for each block.
        dominators: for each block, itself included; dominators have smaller numbers.
    """

    def __init__(self, random: Random, count: int) -> None:
        self.successors: list[list[int]] = [[] for _ in range(count)]
        for block in range(1, count):
            sources = [i for i in range(block) if len(self.successors[i]) < 2]
            self.successors[random.choice(sources[-3:])].append(block)
        for block in range(count - 1):
            found = self.successors[block]
            while (not found and random.random() < 0.95) or (len(found) == 1 and random.random() < 0.6):
                found.append(random.randrange(1, count))
            if len(found) == 2 and random.random() < 0.15:
                found.append(random.randrange(1, count))
            random.shuffle(found)
        everything = set(range(count))
        self.dominators: list[set[int]] = [{0}] + [set(everything) for _ in range(1, count)]
        changed = True
        while changed:
            changed = False
            for block in range(1, count):
                sources = [self.dominators[i] for i in range(count) if block in self.successors[i]]
                new = set.intersection(*sources) | {block}
                if new != self.dominators[block]:
                    self.dominators[block] = new
                    changed = True

    def freeing_places(self, home: int) -> list[int]:
        """The blocks in which a buffer allocated in `home` may be freed, at most once on each path."""
        return [
            block
            for block in range(home + 1, len(self.successors))
            if home in self.dominators[block] and block not in self._reached(block, home)
        ]

    def _reached(self, start: int, avoiding: int) -> set[int]:
        found: set[int] = set()
        waiting = list(self.successors[start])
        while waiting:
            block = waiting.pop()
            if block not in found and block != avoiding:
                found.add(block)
                waiting += self.successors[block]
        return found


STATE = "memref<1xi64>"
TABLE = f"memref<2x{BUFFER}>"
GLOBAL = "shared"


class GraphProgram(MemoryProgram):
    """Generates functions over graphs of blocks.

    Attributes:
        tables: the tables of the current block, each with the number of scopes open at its creation.
        has_global: whether functions access a global buffer.
        takers: functions that free their argument.
    """

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.tables: list[tuple[str, int]] = []
        self.has_global = random.random() < 0.15
        self.takers: list[str] = []

    def statement(self, depth: int) -> None:
        kinds: list[tuple[int, Callable[[int], None]]] = [
            (5, self.allocates),
            (3, self.store),
            (2, self.load),
            (2, self.copy),
            (1, self.view),
            (1, self.cast),
            (2, self.select),
            (1, self.freed_by_hand),
            (1, self.reallocated),
            (1, self.table),
        ]
        if self.tables:
            kinds += [(1, self.put_in_table), (1, self.take_from_table)]
        if self.has_global:
            kinds.append((1, self.from_global))
        if self.takers:
            kinds.append((1, self.given_away))
        if depth < 2:
            kinds += [
                (2, self.loop),
                (2, self.conditional),
                (1, self.plain_if),
                (1, self.execute),
                (2, self.repeat),
                (1, self.switch),
                (1, self.parallel),
                (1, self.replaced_by_hand),
                (1, self.chosen_by_hand),
            ]
        if self.callees:
            kinds.append((2, self.call))
        self.write_one(kinds, depth)

    def statements(self, depth: int) -> None:
        for _ in range(self.random.randint(1, max(1, 3 - depth))):
            self.statement(depth)

    def condition(self) -> str:
        """A random condition, evaluated anew on each execution."""
        following = self.following()
        half = self.define("", "arith.constant 2048 : i64")
        return self.define("", f"arith.cmpi ult, {following}, {half} : i64")

    def following(self) -> str:
        """The next random number below 4096."""
        zero = self.define("", "arith.constant 0 : index")
        state = self.define("", f"memref.load %state[{zero}] : {STATE}")
        factor = self.define("", "arith.constant 5 : i64")
        increment = self.define("", f"arith.constant {self.random.choice([3, 7, 11, 13])} : i64")
        modulus = self.define("", "arith.constant 4096 : i64")
        scaled = self.define("", f"arith.muli {state}, {factor} : i64")
        moved = self.define("", f"arith.addi {scaled}, {increment} : i64")
        following = self.define("", f"arith.remui {moved}, {modulus} : i64")
        self.line(f"memref.store {following}, %state[{zero}] : {STATE}")
        return following

    # -- buffers that the program itself frees

    def fresh(self) -> str:
        """A buffer that nothing else uses."""
        made = self.define("", f"memref.alloc() : {BUFFER}")
        self.line(f"linalg.fill ins({self.pick(SCALAR)} : f32) outs({made} : {BUFFER})")
        return made

    def free(self, buffer: str) -> None:
        kind = BUFFER
        if self.random.random() < 0.2:
            kind = UNKNOWN
            buffer = self.define("", f"memref.cast {buffer} : {BUFFER} to {UNKNOWN}")
        self.line(f"memref.dealloc {buffer} {{{KEPT}}} : {kind}")

    def given_away(self, depth: int) -> None:
        """Pass a buffer, perhaps under an alias, to a function that frees it."""
        made = self.fresh()
        if self.random.random() < 0.3:
            made = self.define("", f"arith.select {self.condition()}, {made}, {made} : {BUFFER}")
        self.line(f"func.call @{self.random.choice(self.takers)}({made}) : ({BUFFER}) -> ()")

    def taker(self) -> None:
        """A function that frees its argument, directly or through another function."""
        self.lines.append(f"func.func private @taker(%a: {BUFFER}) {{")
        self.indent = 1
        self.free("%a")
        self.line("return")
        self.lines.append("}")
        self.takers.append("taker")
        if self.random.random() < 0.5:
            self.lines.append(f"func.func private @giver(%a: {BUFFER}) {{")
            zero = self.define("", "arith.constant 0 : index")
            value = self.define("", f"memref.load %a[{zero}] : {BUFFER}")
            self.line(f"memref.store {value}, %a[{zero}] : {BUFFER}")
            self.line(f"func.call @taker(%a) : ({BUFFER}) -> ()")
            self.line("return")
            self.lines.append("}")
            self.takers.append("giver")

    def freed_by_hand(self, depth: int) -> None:
        made = self.fresh()
        self.line(f"memref.copy {made}, {self.buffer()} : {BUFFER} to {BUFFER}")
        if self.random.random() < 0.5:
            self.free(made)
            return
        with self.block(f"scf.if {self.condition()} {{"):
            if self.random.random() < 0.5:
                self.statements(depth + 1)
            self.free(made)

    def reallocated(self, depth: int) -> None:
        made = self.fresh()
        self.define(BUFFER, f"memref.realloc {made} : {BUFFER} to {BUFFER}")

    def replaced_by_hand(self, depth: int) -> None:
        """A loop that frees its carried buffer and continues with a new one; the last is freed after the loop."""
        first, result, carried, counter = self.fresh(), self.name(), self.name(), self.name()
        zero = self.define("", "arith.constant 0 : index")
        end = self.define("", f"arith.constant {self.random.randint(0, 3)} : index")
        one = self.define("", "arith.constant 1 : index")
        with self.block(
            f"{result} = scf.for {counter} = {zero} to {end} step {one} "
            f"iter_args({carried} = {first}) -> ({BUFFER}) {{"
        ):
            following = self.fresh()
            self.line(f"memref.copy {carried}, {following} : {BUFFER} to {BUFFER}")
            self.free(carried)
            self.statements(depth + 1)
            self.line(f"scf.yield {following} : {BUFFER}")
        self.line(f"memref.copy {result}, {self.buffer()} : {BUFFER} to {BUFFER}")
        if self.random.random() < 0.7:
            self.free(result)

    def chosen_by_hand(self, depth: int) -> None:
        """A buffer that is freed under its name after a conditional."""
        result = self.name()
        self.line(f"{result} = scf.if {self.condition()} -> ({BUFFER}) {{")
        for last in (False, True):
            with self.block(end="}" if last else "} else {"):
                made = self.fresh()
                if self.random.random() < 0.5:
                    self.statements(depth + 1)
                self.line(f"scf.yield {made} : {BUFFER}")
        self.line(f"memref.copy {result}, {self.buffer()} : {BUFFER} to {BUFFER}")
        self.free(result)

    def switch(self, depth: int) -> None:
        """An `scf.index_switch` that selects a buffer."""
        like = self.buffer()
        chosen = self.define("", f"arith.index_cast {self.number()} : i64 to index")
        result = self.name()
        self.line(f"{result} = scf.index_switch {chosen} -> {BUFFER}")
        for case in ("case 0", "case 1", "default"):
            with self.block(f"{case} {{"):
                if self.random.random() < 0.5:
                    self.statements(depth + 1)
                self.line(f"scf.yield {self.yielded(like)} : {BUFFER}")
        self.remember(result, BUFFER)

    def parallel(self, depth: int) -> None:
        """An `scf.parallel` or `scf.forall` with equal iterations, since the interpreter runs them in order."""
        count = self.random.randint(0, 3)
        zero = self.define("", "arith.constant 0 : index")
        one = self.define("", "arith.constant 1 : index")
        end = self.define("", f"arith.constant {count} : index")
        counter = self.name()
        if self.random.random() < 0.5:
            self.line(f"scf.parallel ({counter}) = ({zero}) to ({end}) step ({one}) {{")
        else:
            self.line(f"scf.forall ({counter}) in ({count}) {{")
        with self.block():
            self.remember(counter, INDEX)
            self.statements(depth + 1)

    def number(self) -> str:
        """A random number from 0 to 3, computed anew on each execution."""
        quarter = self.define("", "arith.constant 1024 : i64")
        return self.define("", f"arith.divui {self.following()}, {quarter} : i64")

    def table(self, depth: int) -> None:
        """Store two buffers in a table, and load one."""
        table = self.define("", f"memref.alloc() : {TABLE}")
        places = [self.define("", f"arith.constant {i} : index") for i in range(2)]
        for place in places:
            self.line(f"memref.store {self.buffer()}, {table}[{place}] : {TABLE}")
        self.tables.append((table, len(self.scope)))
        if self.random.random() < 0.5:
            self.statements(2)
        self.define(BUFFER, f"memref.load {table}[{self.random.choice(places)}] : {TABLE}")

    @contextmanager
    def block(self, head: str = "", end: str = "}") -> Iterator[None]:
        with super().block(head, end):
            yield
        self.tables = [(table, level) for table, level in self.tables if level <= len(self.scope)]

    def put_in_table(self, depth: int) -> None:
        """Store another buffer in a table of this block; it lives at least as long as the table."""
        table, level = self.random.choice(self.tables)
        held = [name for names in self.scope[:level] for name in names.get(BUFFER, ())]
        if held:
            self.line(f"memref.store {self.random.choice(held)}, {table}[{self.place()}] : {TABLE}")

    def take_from_table(self, depth: int) -> None:
        table, _ = self.random.choice(self.tables)
        self.define(BUFFER, f"memref.load {table}[{self.place()}] : {TABLE}")

    def place(self) -> str:
        """An index into a table."""
        return self.define("", f"arith.constant {self.random.randint(0, 1)} : index")

    def from_global(self, depth: int) -> None:
        """A global buffer."""
        self.define(BUFFER, f"memref.get_global @{GLOBAL} : {BUFFER}")

    def repeat(self, depth: int) -> None:
        """An `scf.while` that carries one or two buffers."""
        count = self.random.choice([1, 1, 2])
        inits = [self.buffer() for _ in range(count)]
        befores, afters = [self.name() for _ in inits], [self.name() for _ in inits]
        result = self.name()
        types = ", ".join([BUFFER] * count)
        pairs = ", ".join(f"{arg} = {init}" for arg, init in zip(befores, inits, strict=True))
        with self.block(
            f"{several(result, count)} = scf.while ({pairs}) : ({types}) -> ({types}) {{", end="} do {"
        ):
            self.carried(befores, depth)
            condition = self.condition()
            self.line(f"scf.condition({condition}) {', '.join(map(self.yielded, befores))} : {types}")
        self.lines.append(f"^bb0({', '.join(f'{arg}: {BUFFER}' for arg in afters)}):")
        with self.block():
            self.carried(afters, depth)
            self.line(f"scf.yield {', '.join(map(self.yielded, afters))} : {types}")
        for i in range(count):
            self.remember(one_of(result, count, i), BUFFER)

    def carried(self, buffers: list[str], depth: int) -> None:
        """The body of a region that receives `buffers`."""
        for buffer in buffers:
            self.remember(buffer, BUFFER)
        if self.random.random() < 0.7:
            self.statements(depth + 1)

    # -- blocks

    def function(self, name: str, private: bool) -> None:
        random = self.random
        inputs = [STATE] + [BUFFER] * random.randint(1, 2) + [SCALAR, INDEX]
        names = ["%state"] + [f"%a{i}" for i in range(1, len(inputs))]
        visibility = "private " if private else ""
        arguments = ", ".join(f"{n}: {kind}" for n, kind in zip(names, inputs, strict=True))
        self.results = [BUFFER] * random.choice([0, 1, 1, 1, 1, 2, 2, 3])
        given = f" -> ({', '.join(self.results)})" if self.results else ""
        self.lines.append(f"func.func {visibility}@{name}({arguments}){given} {{")
        self.indent = 1
        entry: dict[str, list[str]] = {}
        for argument, kind in zip(names, inputs, strict=True):
            if kind in (BUFFER, SCALAR):
                entry.setdefault(kind, []).append(argument)
        self.gives = [random.choice(["argument", "new", "any"]) for _ in self.results]
        graph = RandomGraph(random, random.choice([1, 2, 3, 4, 5, 6, 7]))
        arity = [0] + [random.choice([0, 0, 1, 1, 2]) for _ in graph.successors[1:]]
        made: list[dict[str, list[str]]] = []
        by_hand: dict[int, list[str]] = {}
        for block, successors in enumerate(graph.successors):
            own = entry if block == 0 else {}
            self.scope = [made[i] for i in sorted(graph.dominators[block] - {block})] + [own]
            made.append(own)
            self.tables = []
            args = [self.name() for _ in range(arity[block])]
            if block:
                shown = ", ".join(f"{arg}: {BUFFER}" for arg in args)
                self.lines.append(f"^b{self.prefix(name)}{block}{f'({shown})' if args else ''}:")
            for arg in args:
                self.remember(arg, BUFFER)
            for buffer in by_hand.get(block, ()):
                self.free(buffer)
            if random.random() < 0.85:
                self.statements(0)
            if random.random() < 0.25:
                places = graph.freeing_places(block)
                if places:
                    by_hand.setdefault(random.choice(places), []).append(self.fresh())
            self.end(name, successors, arity, private)
        self.lines.append("}")
        if private:
            self.callees.append((name, tuple(inputs), tuple(self.results)))

    def prefix(self, name: str) -> str:
        return name[0]

    def end(self, name: str, successors: list[int], arity: list[int], private: bool) -> None:
        """The terminator of a block."""

        def target(block: int) -> str:
            passed = [self.buffer() for _ in range(arity[block])]
            shown = f"({', '.join(passed)} : {', '.join([BUFFER] * len(passed))})" if passed else ""
            return f"^b{self.prefix(name)}{block}{shown}"

        if not successors:
            returned: list[str] = []
            for gives in self.gives:
                buffer = returned[0] if returned and self.random.random() < 0.3 else self.buffer()
                if private and gives == "argument":
                    buffer = "%a1"
                elif private and gives == "new":
                    buffer = self.duplicate(buffer)
                returned.append(buffer)
            self.line(f"return {', '.join(returned)} : {', '.join(self.results)}" if returned else "return")
        elif len(successors) == 1:
            self.line(f"cf.br {target(successors[0])}")
        elif len(successors) == 2:
            condition = self.condition()
            left, right = target(successors[0]), target(successors[1])
            self.line(f"cf.cond_br {condition}, {left}, {right}")
        else:
            chosen = self.number()
            ways = [
                f"{case}: {target(block)}" for case, block in zip(("default", 0, 1), successors, strict=True)
            ]
            self.line(f"cf.switch {chosen} : i64, [{', '.join(ways)}]")

    def call(self, depth: int) -> None:
        callee, inputs, outputs = self.random.choice(self.callees)
        args = [
            "%state" if kind == STATE else self.buffer() if kind == BUFFER else self.pick(kind)
            for kind in inputs
        ]
        called = f"func.call @{callee}({', '.join(args)}) : ({', '.join(inputs)}) -> ({', '.join(outputs)})"
        if not outputs:
            self.line(called)
            return
        result = self.name()
        self.line(f"{several(result, len(outputs))} = {called}")
        for i in range(len(outputs)):
            self.remember(one_of(result, len(outputs), i), BUFFER)


def several(name: str, count: int) -> str:
    """The joint name of `count` results."""
    return f"{name}:{count}" if count > 1 else name


def one_of(name: str, count: int, index: int) -> str:
    """The name of one of several results."""
    return f"{name}#{index}" if count > 1 else name


def graph_program(seed: int) -> str:
    """A module of one or two functions with graphs of blocks; the last one is public."""
    random = Random(seed)
    writer = GraphProgram(random)
    if writer.has_global:
        writer.lines.append(f'memref.global "private" @{GLOBAL} : {BUFFER} = dense<1.0>')
    if random.random() < 0.15:
        writer.taker()
    if random.random() < 0.3:
        writer.function("helper", private=True)
    writer.function("main", private=False)
    return "\n".join(writer.lines) + "\n"

"""Random programs for fuzzing: well-typed, with defined behaviour, full of what bufferization has to decide.

Two kinds are made. `tensor_program` writes functions on tensors: updates in destination style, slices taken and put
back, loops that carry tensors, branches that choose among them, calls, control flow between blocks. `memref_program`
writes functions on buffers: allocations on some paths only, views, loops that swap buffers, buffers passed to blocks and
returned. Indices stay in bounds and everything read was written, so a fault of the transformed program is the fault of
the transformation. Programs are text, as users' are; the same seed gives the same program.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

SMALL, LARGE, SQUARE, DYNAMIC = "tensor<4xf32>", "tensor<8xf32>", "tensor<4x4xf32>", "tensor<?xf32>"
TENSORS = (SMALL, LARGE, SQUARE)
SCALAR, INDEX, BOOL = "f32", "index", "i1"

MAX_DEPTH = 3


class _Writer:
    """The text of a program, and the values in scope by type."""

    def __init__(self, random: Random) -> None:
        self.random = random
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

    def push(self) -> None:
        self.scope.append({})
        self.indent += 1

    def pop(self) -> None:
        self.scope.pop()
        self.indent -= 1


def _shape(type: str) -> list[int]:
    return [int(part) for part in type[type.index("<") + 1 : -1].split("x")[:-1]]


_IDENTITY = {
    1: "affine_map<(d0) -> (d0)>",
    2: "affine_map<(d0, d1) -> (d0, d1)>",
}


class TensorProgram(_Writer):
    """Writes functions on tensors."""

    def tensor(self, type: str) -> str:
        found = self.all(type)
        return self.pick(type) if found else self.fresh(type)

    def fresh(self, type: str) -> str:
        """A tensor of its own: filled, constant, or allocated as a copy."""
        choice = self.random.randrange(4)
        if choice == 0 and self.all(type):
            return self.define(type, f"bufferization.alloc_tensor() copy({self.pick(type)}) : {type}")
        if choice == 1:
            return self.define(type, f"arith.constant dense<{self.random.randint(0, 5)}.0> : {type}")
        if choice == 2 and type == SMALL:
            values = [self.pick(SCALAR) for _ in range(4)]
            return self.define(type, f"tensor.from_elements {', '.join(values)} : {type}")
        made = self.define("", f"tensor.empty() : {type}")
        value = self.pick(SCALAR)
        return self.define(type, f"linalg.fill ins({value} : f32) outs({made} : {type}) -> {type}")

    def indices(self, type: str) -> str:
        return ", ".join(self.pick(INDEX) for _ in _shape(type))

    # -- statements

    def statement(self, depth: int) -> None:
        kinds: list[tuple[int, Callable[[int], None]]] = [
            (5, self.insert),
            (3, self.extract),
            (3, self.fill),
            (5, self.generic),
            (4, self.slice_out),
            (5, self.slice_in),
            (3, self.update_slice),
            (2, self.casts),
            (2, self.reshapes),
            (2, self.vectors),
            (1, self.select),
            (1, self.materialize),
            (1, self.creates),
            (2, self.scalars),
            (1, self.matmul),
            (1, self.transpose),
        ]
        if depth < MAX_DEPTH:
            kinds += [
                (4, self.loop),
                (4, self.conditional),
                (2, self.forall),
                (1, self.execute),
                (1, self.while_loop),
            ]
        if self.callees:
            kinds.append((3, self.call))
        total = sum(weight for weight, _ in kinds)
        at = self.random.randrange(total)
        for weight, write in kinds:
            at -= weight
            if at < 0:
                write(depth)
                return

    def statements(self, depth: int) -> None:
        for _ in range(self.random.randint(1, 5 - depth)):
            self.statement(depth)

    def any_tensor(self) -> str:
        return self.random.choice(TENSORS)

    def insert(self, depth: int) -> None:
        type = self.any_tensor()
        value, target = self.pick(SCALAR), self.tensor(type)
        self.define(type, f"tensor.insert {value} into {target}[{self.indices(type)}] : {type}")

    def extract(self, depth: int) -> None:
        type = self.any_tensor()
        self.define(SCALAR, f"tensor.extract {self.tensor(type)}[{self.indices(type)}] : {type}")

    def fill(self, depth: int) -> None:
        type = self.any_tensor()
        value, target = self.pick(SCALAR), self.tensor(type)
        self.define(type, f"linalg.fill ins({value} : f32) outs({target} : {type}) -> {type}")

    def generic(self, depth: int) -> None:
        type = self.any_tensor()
        rank = len(_shape(type))
        source, target = self.tensor(type), self.tensor(type)
        reads = self.random.random() < 0.5
        maps = ", ".join([_IDENTITY[rank]] * 2)
        if rank == 2 and self.random.random() < 0.3:
            maps = f"affine_map<(d0, d1) -> (d1, d0)>, {_IDENTITY[2]}"
        kinds = ", ".join(['"parallel"'] * rank)
        body = "arith.addf %in, %out" if reads else "arith.mulf %in, %in"
        self.define(
            type,
            f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} ins({source} : {type}) "
            f"outs({target} : {type}) {{ ^bb0(%in: f32, %out: f32): %y = {body} : f32 linalg.yield %y : f32 }} -> {type}",
        )

    def matmul(self, depth: int) -> None:
        a, b, c = (self.tensor(SQUARE) for _ in range(3))
        self.define(
            SQUARE, f"linalg.matmul ins({a}, {b} : {SQUARE}, {SQUARE}) outs({c} : {SQUARE}) -> {SQUARE}"
        )

    def transpose(self, depth: int) -> None:
        a, b = self.tensor(SQUARE), self.tensor(SQUARE)
        name = self.name()
        self.line(f"{name} = linalg.transpose ins({a} : {SQUARE}) outs({b} : {SQUARE}) permutation = [1, 0]")
        self.remember(name, SQUARE)

    def slice_out(self, depth: int) -> None:
        if self.random.random() < 0.7:
            source, offset = self.tensor(LARGE), self.offset()
            self.define(
                SMALL,
                f"tensor.extract_slice {source}[{offset}] [4] [{self.stride(offset)}] : {LARGE} to {SMALL}",
            )
        else:
            source, row = self.tensor(SQUARE), self.pick(INDEX)
            self.define(SMALL, f"tensor.extract_slice {source}[{row}, 0] [1, 4] [1, 1] : {SQUARE} to {SMALL}")

    def offset(self) -> str:
        return self.pick(INDEX) if self.random.random() < 0.5 else str(self.random.randint(0, 4))

    def stride(self, offset: str) -> str:
        return "2" if offset in ("0", "1") and self.random.random() < 0.3 else "1"

    def slice_in(self, depth: int) -> None:
        if self.random.random() < 0.7:
            part, whole, offset = self.tensor(SMALL), self.tensor(LARGE), self.offset()
            self.define(
                LARGE,
                f"tensor.insert_slice {part} into {whole}[{offset}] [4] [{self.stride(offset)}] : {SMALL} into {LARGE}",
            )
        else:
            part, whole, row = self.tensor(SMALL), self.tensor(SQUARE), self.pick(INDEX)
            self.define(
                SQUARE,
                f"tensor.insert_slice {part} into {whole}[{row}, 0] [1, 4] [1, 1] : {SMALL} into {SQUARE}",
            )

    def update_slice(self, depth: int) -> None:
        """Takes a slice, changes it, and puts it back: what should happen in place."""
        whole, offset = self.tensor(LARGE), self.offset()
        part = self.define(SMALL, f"tensor.extract_slice {whole}[{offset}] [4] [1] : {LARGE} to {SMALL}")
        value = self.pick(SCALAR)
        if self.random.random() < 0.5:
            part = self.define(SMALL, f"linalg.fill ins({value} : f32) outs({part} : {SMALL}) -> {SMALL}")
        else:
            part = self.define(SMALL, f"tensor.insert {value} into {part}[{self.pick(INDEX)}] : {SMALL}")
        if self.random.random() < 0.3:
            self.statement(depth)
        target = whole if self.random.random() < 0.8 else self.tensor(LARGE)
        self.define(
            LARGE, f"tensor.insert_slice {part} into {target}[{offset}] [4] [1] : {SMALL} into {LARGE}"
        )

    def casts(self, depth: int) -> None:
        source = self.tensor(SMALL)
        wide = self.define(DYNAMIC, f"tensor.cast {source} : {SMALL} to {DYNAMIC}")
        if self.random.random() < 0.5:
            wide = self.define(
                DYNAMIC, f"tensor.insert {self.pick(SCALAR)} into {wide}[{self.pick(INDEX)}] : {DYNAMIC}"
            )
        self.define(SMALL, f"tensor.cast {wide} : {DYNAMIC} to {SMALL}")

    def reshapes(self, depth: int) -> None:
        source = self.tensor(LARGE)
        middle = "tensor<2x4xf32>"
        made = self.define(
            middle, f"tensor.expand_shape {source} [[0, 1]] output_shape [2, 4] : {LARGE} into {middle}"
        )
        if self.random.random() < 0.5:
            zero = self.define("", "arith.constant 0 : index")
            made = self.define(
                middle,
                f"tensor.insert {self.pick(SCALAR)} into {made}[{zero}, {self.pick(INDEX)}] : {middle}",
            )
        self.define(LARGE, f"tensor.collapse_shape {made} [[0, 1]] : {middle} into {LARGE}")

    def vectors(self, depth: int) -> None:
        source, target = self.tensor(LARGE), self.tensor(LARGE)
        padding, at, to = self.pick(SCALAR), self.pick(INDEX), self.pick(INDEX)
        vector = self.define(
            "",
            f"vector.transfer_read {source}[{at}], {padding} {{in_bounds = [true]}} : {LARGE}, vector<4xf32>",
        )
        self.define(
            LARGE,
            f"vector.transfer_write {vector}, {target}[{to}] {{in_bounds = [true]}} : vector<4xf32>, {LARGE}",
        )

    def select(self, depth: int) -> None:
        type = self.any_tensor()
        condition, a, b = self.condition(), self.tensor(type), self.tensor(type)
        self.define(type, f"arith.select {condition}, {a}, {b} : {type}")

    def materialize(self, depth: int) -> None:
        type = self.any_tensor()
        a, b = self.tensor(type), self.tensor(type)
        self.define(type, f"bufferization.materialize_in_destination {a} in {b} : ({type}, {type}) -> {type}")

    def creates(self, depth: int) -> None:
        self.fresh(self.any_tensor())

    def scalars(self, depth: int) -> None:
        a, b = self.pick(SCALAR), self.pick(SCALAR)
        self.define(SCALAR, f"arith.{self.random.choice(['addf', 'subf', 'maximumf'])} {a}, {b} : f32")

    def condition(self) -> str:
        if self.all(BOOL) and self.random.random() < 0.6:
            return self.pick(BOOL)
        a, b = self.pick(INDEX), self.pick(INDEX)
        return self.define(BOOL, f"arith.cmpi slt, {a}, {b} : index")

    # -- nested

    def carried(self) -> list[str]:
        return [self.any_tensor() for _ in range(self.random.choice([1, 1, 1, 2, 2]))]

    def bounds(self) -> tuple[str, str, str]:
        zero = self.define("", "arith.constant 0 : index")
        end = self.define("", f"arith.constant {self.random.randint(0, 4)} : index")
        one = self.define("", "arith.constant 1 : index")
        return zero, end, one

    def results(self, types: list[str]) -> str:
        """A fresh name for several results, whose members are remembered afterwards by `remember_all`."""
        name = self.name()
        return f"{name}:{len(types)}" if len(types) > 1 else name

    def remember_all(self, name: str, types: list[str]) -> None:
        base = name.partition(":")[0]
        for i, type in enumerate(types):
            self.remember(f"{base}#{i}" if len(types) > 1 else base, type)

    def yields(self, types: list[str], likely: list[str]) -> list[str]:
        """Values to yield: mostly what became of the values `likely`, by being the newest."""
        found = []
        for type, like in zip(types, likely, strict=True):
            inner = self.scope[-1].get(type, [])
            if inner and self.random.random() < 0.85:
                found.append(inner[-1])
            elif self.random.random() < 0.7:
                found.append(like)
            else:
                found.append(self.tensor(type))
        return found

    def loop(self, depth: int) -> None:
        types = self.carried()
        low, high, step = self.bounds()
        inits = [self.tensor(type) for type in types]
        args = [self.name() for _ in types]
        counter = self.name()
        results = self.results(types)
        pairs = ", ".join(f"{arg} = {init}" for arg, init in zip(args, inits, strict=True))
        self.line(
            f"{results} = scf.for {counter} = {low} to {high} step {step} iter_args({pairs}) -> ({', '.join(types)}) {{"
        )
        self.push()
        self.remember(counter, INDEX)
        for arg, type in zip(args, types, strict=True):
            self.remember(arg, type)
        self.statements(depth + 1)
        yielded = self.yields(types, args)
        self.line(f"scf.yield {', '.join(yielded)} : {', '.join(types)}")
        self.pop()
        self.line("}")
        self.remember_all(results, types)

    def while_loop(self, depth: int) -> None:
        type = self.any_tensor()
        zero, end, one = self.bounds()
        init = self.tensor(type)
        n, arg, n2, arg2, more = (self.name() for _ in range(5))
        result = self.name()
        self.line(
            f"{result}:2 = scf.while ({n} = {zero}, {arg} = {init}) : (index, {type}) -> (index, {type}) {{"
        )
        self.push()
        self.line(f"{more} = arith.cmpi slt, {n}, {end} : index")
        self.line(f"scf.condition({more}) {n}, {arg} : index, {type}")
        self.pop()
        self.line("} do {")
        self.line(f"^bb0({n2}: index, {arg2}: {type}):")
        self.push()
        self.remember(arg2, type)
        self.statements(depth + 1)
        (yielded,) = self.yields([type], [arg2])
        following = self.define("", f"arith.addi {n2}, {one} : index")
        self.line(f"scf.yield {following}, {yielded} : index, {type}")
        self.pop()
        self.line("}")
        self.remember(f"{result}#1", type)

    def conditional(self, depth: int) -> None:
        types = self.carried()
        condition = self.condition()
        results = self.results(types)
        likely = [self.tensor(type) for type in types]
        self.line(f"{results} = scf.if {condition} -> ({', '.join(types)}) {{")
        for last in (False, True):
            self.push()
            if self.random.random() < 0.8:
                self.statements(depth + 1)
            self.line(f"scf.yield {', '.join(self.yields(types, likely))} : {', '.join(types)}")
            self.pop()
            self.line("}" if last else "} else {")
        self.remember_all(results, types)

    def execute(self, depth: int) -> None:
        type = self.any_tensor()
        like = self.tensor(type)
        name = self.name()
        self.line(f"{name} = scf.execute_region -> {type} {{")
        self.push()
        self.statements(depth + 1)
        self.line(f"scf.yield {self.yields([type], [like])[0]} : {type}")
        self.pop()
        self.line("}")
        self.remember(name, type)

    def forall(self, depth: int) -> None:
        init, name, counter, arg = self.tensor(SQUARE), self.name(), self.name(), self.name()
        self.line(f"{name} = scf.forall ({counter}) in (4) shared_outs({arg} = {init}) -> ({SQUARE}) {{")
        self.push()
        self.remember(counter, INDEX)
        if self.random.random() < 0.7:
            self.define(
                SMALL, f"tensor.extract_slice {arg}[{counter}, 0] [1, 4] [1, 1] : {SQUARE} to {SMALL}"
            )
        self.statements(depth + 1)
        part = self.yields([SMALL], [self.tensor(SMALL)])[0]
        self.line("scf.forall.in_parallel {")
        self.line(
            f"  tensor.parallel_insert_slice {part} into {arg}[{counter}, 0] [1, 4] [1, 1] : {SMALL} into {SQUARE}"
        )
        self.line("}")
        self.pop()
        self.line("}")
        self.remember(name, SQUARE)

    def call(self, depth: int) -> None:
        callee, inputs, outputs = self.random.choice(self.callees)
        args = [self.tensor(type) if type in TENSORS else self.pick(type) for type in inputs]
        types = list(outputs)
        results = self.results(types)
        self.line(
            f"{results} = func.call @{callee}({', '.join(args)}) : ({', '.join(inputs)}) -> ({', '.join(types)})"
        )
        self.remember_all(results, types)

    # -- functions

    def function(self, name: str, private: bool) -> None:
        count = self.random.randint(1, 3)
        inputs = [self.any_tensor() for _ in range(count)] + [SCALAR, INDEX][: self.random.randint(1, 2)]
        if INDEX in inputs:
            inputs.append(BOOL)
        outputs = [self.any_tensor() for _ in range(self.random.choice([1, 1, 2]))]
        if self.random.random() < 0.3:
            outputs.append(SCALAR)
        self.scope = [{}]
        self.indent = 1
        args = []
        clamped = []
        for i, type in enumerate(inputs):
            arg = f"%a{i}"
            mark = ""
            if type in TENSORS and self.random.random() < 0.35:
                mark = f" {{bufferization.writable = {self.random.choice(['true', 'false'])}}}"
            args.append(f"{arg}: {type}{mark if not private else ''}")
            if type == INDEX:
                clamped.append(arg)
            else:
                self.remember(arg, type)
        visibility = "private " if private else ""
        self.lines.append(f"func.func {visibility}@{name}({', '.join(args)}) -> ({', '.join(outputs)}) {{")
        for arg in clamped:  # an index within bounds, whatever the argument is
            four = self.define("", "arith.constant 4 : index")
            self.define(INDEX, f"arith.remui {arg}, {four} : index")
        body = self.random.random()
        self.statements(0)
        if body < 0.25 and not private:
            self.diamond()
        elif body < 0.35 and not private:
            self.block_loop()
        self.statements(0)
        values = [
            (self.tensor(type) if self.random.random() < 0.6 else self.newest(type))
            if type in TENSORS
            else self.pick(type)
            for type in outputs
        ]
        self.line(f"return {', '.join(values)} : {', '.join(outputs)}")
        self.lines.append("}")
        if private:
            self.callees.append((name, tuple(inputs), tuple(outputs)))

    def newest(self, type: str) -> str:
        found = self.all(type)
        return found[-1] if found else self.fresh(type)

    def diamond(self) -> None:
        """Two blocks that pass a tensor to a third."""
        type = self.any_tensor()
        condition, like = self.condition(), self.tensor(type)
        joined = self.name()
        label = self.count
        self.line(f"cf.cond_br {condition}, ^then{label}, ^else{label}")
        for side in ("then", "else"):
            self.lines.append(f"^{side}{label}:")
            self.push()
            self.statements(2)
            value = self.yields([type], [like])[0]
            self.line(f"cf.br ^join{label}({value} : {type})")
            self.pop()
        self.lines.append(f"^join{label}({joined}: {type}):")
        self.remember(joined, type)

    def block_loop(self) -> None:
        """A counted loop of blocks that carries a tensor."""
        type = self.any_tensor()
        zero, end, one = self.bounds()
        init = self.tensor(type)
        n, arg, more, after = (self.name() for _ in range(4))
        label = self.count
        self.line(f"cf.br ^head{label}({zero}, {init} : index, {type})")
        self.lines.append(f"^head{label}({n}: index, {arg}: {type}):")
        self.line(f"{more} = arith.cmpi slt, {n}, {end} : index")
        self.line(f"cf.cond_br {more}, ^body{label}, ^exit{label}({arg} : {type})")
        self.lines.append(f"^body{label}:")
        self.push()
        self.remember(arg, type)
        self.statements(2)
        value = self.yields([type], [arg])[0]
        following = self.define("", f"arith.addi {n}, {one} : index")
        self.line(f"cf.br ^head{label}({following}, {value} : index, {type})")
        self.pop()
        self.lines.append(f"^exit{label}({after}: {type}):")
        self.remember(after, type)


def tensor_program(seed: int) -> str:
    """A module of one to three functions on tensors; the last one is public."""
    random = Random(seed)
    writer = TensorProgram(random)
    helpers = random.choice([0, 0, 1, 2])
    for i in range(helpers):
        writer.function(f"helper{i}", private=True)
    writer.function("main", private=False)
    return "\n".join(writer.lines) + "\n"

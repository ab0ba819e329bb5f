"""Random functions on tensors: loops that carry tensors, branches that select among them, calls, control flow
between blocks, with the statements of `generate_tensors` in between."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from random import Random

from .generate import BOOL, INDEX, MAX_DEPTH, SCALAR
from .generate_tensors import SMALL, SQUARE, BodyStatements, is_tensor


class TensorProgram(BodyStatements):
    """Generates functions on tensors."""

    def kinds(self, depth: int) -> list[tuple[int, Callable[[int], None]]]:
        """The kinds of statements allowed here, with weights."""
        kinds = self.straight_line
        if depth < MAX_DEPTH:
            kinds += [
                (5, self.loop),
                (5, self.conditional),
                (3, self.forall),
                (1, self.execute),
                (2, self.while_loop),
                (2, self.index_switch),
                *self.with_bodies,
            ]
        if self.callees:
            kinds.append((4, self.call))
        return kinds

    def statement(self, depth: int) -> None:
        self.write_one(self.kinds(depth), depth)

    # -- nested

    def carried(self) -> list[str]:
        return [self.any_tensor() for _ in range(self.random.choice([1, 1, 1, 2, 2]))]

    def bounds(self) -> tuple[str, str, str]:
        zero = self.define("", "arith.constant 0 : index")
        end = self.define("", f"arith.constant {self.random.randint(0, 4)} : index")
        one = self.define("", "arith.constant 1 : index")
        return zero, end, one

    def results(self, types: list[str]) -> str:
        """A fresh name for several results; `remember_all` adds its members to the scope afterwards."""
        name = self.name()
        return f"{name}:{len(types)}" if len(types) > 1 else name

    def remember_all(self, name: str, types: list[str]) -> None:
        base = name.partition(":")[0]
        for i, type in enumerate(types):
            self.remember(f"{base}#{i}" if len(types) > 1 else base, type)

    def yields(self, types: list[str], likely: list[str]) -> list[str]:
        """Values to yield: mostly updates of the values `likely`, preferred because they are the newest."""
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
        bounds = self.bounds()
        inits = [self.tensor(type) for type in types]
        args = [self.name() for _ in types]
        self.for_loop(depth, types, zip(args, inits, strict=True), bounds, lambda: self.yields(types, args))

    def for_loop(
        self,
        depth: int,
        types: list[str],
        carried: Iterable[tuple[str, str]],
        bounds: tuple[str, str, str],
        yields: Callable[[], Sequence[str]],
    ) -> None:
        """`scf.for` over pairs of an argument and its initial value."""
        pairs, (low, high, step) = list(carried), bounds
        counter, results = self.name(), self.results(types)
        inits, all_types = ", ".join(f"{arg} = {init}" for arg, init in pairs), ", ".join(types)
        with self.block(
            f"{results} = scf.for {counter} = {low} to {high} step {step} iter_args({inits}) -> ({all_types}) {{"
        ):
            self.remember(counter, INDEX)
            for (arg, _), type in zip(pairs, types, strict=True):
                self.remember(arg, type)
            self.statements(depth + 1)
            self.line(f"scf.yield {', '.join(yields())} : {all_types}")
        self.remember_all(results, types)

    def while_loop(self, depth: int) -> None:
        """A counted loop whose first region may compute on carried values and forward others."""
        types = self.carried()
        bounds = self.bounds()
        inits = [self.tensor(type) for type in types]
        names = (self.name(), self.name(), self.name())
        args = [self.name() for _ in types]
        self.do_while(depth, types, zip(args, inits, strict=True), bounds, names, self.yields, 0.4)

    def do_while(
        self,
        depth: int,
        types: list[str],
        carried: Iterable[tuple[str, str]],
        bounds: tuple[str, str, str],
        names: tuple[str, str, str],
        yields: Callable[[list[str], list[str]], list[str]],
        first: float = 0.0,
    ) -> None:
        """`scf.while`, counted, over pairs of an argument and its initial value; `names` are those of the two counters
        and the results, `first` is the probability of statements in the first region."""
        pairs, (zero, end, one), (n, n2, result) = list(carried), bounds, names
        later = [self.name() for _ in types]
        args, inits = [arg for arg, _ in pairs], ", ".join(f"{arg} = {init}" for arg, init in pairs)
        all_types = ", ".join([INDEX, *types])
        with self.block(
            f"{result}:{len(types) + 1} = scf.while ({n} = {zero}, {inits}) : ({all_types}) -> ({all_types}) {{",
            end="} do {",
        ):
            for arg, type in zip(args, types, strict=True):
                self.remember(arg, type)
            if first and self.random.random() < first:
                self.statements(depth + 2)
            more = self.define("", f"arith.cmpi slt, {n}, {end} : index")
            self.line(f"scf.condition({more}) {', '.join([n, *yields(types, args)])} : {all_types}")
        parameters = ", ".join(f"{name}: {type}" for name, type in zip(later, types, strict=True))
        with self.block(f"^bb0({n2}: index, {parameters}):"):
            for arg, type in zip(later, types, strict=True):
                self.remember(arg, type)
            self.statements(depth + 1)
            yielded = yields(types, later)
            following = self.define("", f"arith.addi {n2}, {one} : index")
            self.line(f"scf.yield {', '.join([following, *yielded])} : {all_types}")
        for i, type in enumerate(types, 1):
            self.remember(f"{result}#{i}", type)

    def index_switch(self, depth: int) -> None:
        types = self.carried()
        chosen, results = self.pick(INDEX), self.results(types)
        likely = [self.tensor(type) for type in types]
        self.line(f"{results} = scf.index_switch {chosen} -> {', '.join(types)}")
        for label in ("case 0", "case 2", "default"):
            with self.block(f"{label} {{"):
                if self.random.random() < 0.7:
                    self.statements(depth + 1)
                self.line(f"scf.yield {', '.join(self.yields(types, likely))} : {', '.join(types)}")
        self.remember_all(results, types)

    def conditional(self, depth: int) -> None:
        types = self.carried()
        condition = self.condition()
        results = self.results(types)
        likely = [self.tensor(type) for type in types]
        self.line(f"{results} = scf.if {condition} -> ({', '.join(types)}) {{")
        for last in (False, True):
            with self.block(end="}" if last else "} else {"):
                if self.random.random() < 0.8:
                    self.statements(depth + 1)
                self.line(f"scf.yield {', '.join(self.yields(types, likely))} : {', '.join(types)}")
        self.remember_all(results, types)

    def execute(self, depth: int) -> None:
        type = self.any_tensor()
        like = self.tensor(type)
        name = self.name()
        with self.block(f"{name} = scf.execute_region -> {type} {{"):
            self.statements(depth + 1)
            self.line(f"scf.yield {self.yields([type], [like])[0]} : {type}")
        self.remember(name, type)

    def forall(self, depth: int) -> None:
        init, name, counter, arg = self.tensor(SQUARE), self.name(), self.name(), self.name()
        with self.block(
            f"{name} = scf.forall ({counter}) in (4) shared_outs({arg} = {init}) -> ({SQUARE}) {{"
        ):
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
        self.remember(name, SQUARE)

    def call(self, depth: int) -> None:
        callee, inputs, outputs = self.random.choice(self.callees)
        args = [self.give(type) for type in inputs]
        types = list(outputs)
        results = self.results(types)
        self.line(
            f"{results} = func.call @{callee}({', '.join(args)}) : ({', '.join(inputs)}) -> ({', '.join(types)})"
        )
        self.remember_all(results, types)

    # -- functions

    def give(self, type: str) -> str:
        """A value of a type in a function's signature."""
        return self.tensor(type) if is_tensor(type) else self.pick(type)

    def passed(self) -> str:
        """The type of a tensor that is passed to or from a function."""
        return self.any_tensor()

    def inputs(self) -> list[str]:
        """The types of a function's arguments."""
        count = self.random.randint(1, 3)
        inputs = [self.passed() for _ in range(count)] + [SCALAR, INDEX][: self.random.randint(1, 2)]
        return [*inputs, BOOL] if INDEX in inputs else inputs

    def before_return(self) -> None:
        """Emit the last statements of a public function."""

    def function(self, name: str, private: bool) -> None:
        inputs = self.inputs()
        outputs = [self.passed() for _ in range(self.random.choice([1, 1, 2]))]
        if self.random.random() < 0.3:
            outputs.append(SCALAR)
        self.scope = [{}]
        self.indent = 1
        args = []
        for i, type in enumerate(inputs):
            arg = f"%a{i}"
            mark = ""
            if is_tensor(type) and self.random.random() < 0.35:
                mark = f" {{bufferization.writable = {self.random.choice(['true', 'false'])}}}"
            args.append(f"{arg}: {type}{mark if not private else ''}")
        visibility = "private " if private else ""
        self.lines.append(f"func.func {visibility}@{name}({', '.join(args)}) -> ({', '.join(outputs)}) {{")
        for i, type in enumerate(inputs):
            if type == INDEX:  # in bounds for any argument of static size
                four = self.define("", "arith.constant 4 : index")
                self.define(INDEX, f"arith.remui %a{i}, {four} : index")
            else:
                self.remember(f"%a{i}", type)
        body = self.random.random()
        self.statements(0)
        if body < 0.25 and not private:
            self.diamond()
        elif body < 0.35 and not private and "block_loop" not in self.without:
            self.block_loop()
        self.statements(0)
        if not private:
            self.before_return()
        values = [
            self.newest(type) if is_tensor(type) and self.random.random() < 0.4 else self.give(type)
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
        """Two blocks that forward a tensor to a third."""
        type = self.any_tensor()
        condition, like = self.condition(), self.tensor(type)
        joined = self.name()
        label = self.count
        self.line(f"cf.cond_br {condition}, ^then{label}, ^else{label}")
        for side in ("then", "else"):
            self.lines.append(f"^{side}{label}:")
            with self.block(end=""):
                self.statements(2)
                value = self.yields([type], [like])[0]
                self.line(f"cf.br ^join{label}({value} : {type})")
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
        with self.block(end=""):
            self.remember(arg, type)
            self.statements(2)
            value = self.yields([type], [arg])[0]
            following = self.define("", f"arith.addi {n}, {one} : index")
            self.line(f"cf.br ^head{label}({following}, {value} : index, {type})")
        self.lines.append(f"^exit{label}({after}: {type}):")
        self.remember(after, type)


def tensor_program(seed: int, without: Set[str] = frozenset()) -> str:
    """A module of one to three functions on tensors; the last one is public. Statement kinds in `without` are
    omitted."""
    return write_module(TensorProgram(Random(seed), without))


def write_module(writer: TensorProgram) -> str:
    """The text of a module: helpers, if any, and a public function."""
    for i in range(writer.random.choice([0, 0, 1, 2])):
        writer.function(f"helper{i}", private=True)
    writer.function("main", private=False)
    return "\n".join(writer.lines) + "\n"

"""Random operations on tensors: updates, slices, reshapes, vectors, new tensors, and bodies for each element."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .generate import INDEX, SCALAR, Writer

SMALL, LARGE, SQUARE, DYNAMIC = "tensor<4xf32>", "tensor<8xf32>", "tensor<4x4xf32>", "tensor<?xf32>"
TENSORS = (SMALL, LARGE, SQUARE)


def rank_of(type: str) -> int:
    """The rank of a tensor type."""
    return type.count("x")


def is_tensor(type: str) -> bool:
    return type.startswith("tensor<")


IDENTITY = {1: "affine_map<(d0) -> (d0)>", 2: "affine_map<(d0, d1) -> (d0, d1)>"}


class TensorStatements(Writer):
    """Generates operations on tensors with little or no nested control flow."""

    def tensor(self, type: str) -> str:
        found = self.all(type)
        return self.pick(type) if found else self.fresh(type)

    def fresh(self, type: str) -> str:
        """A new tensor: filled, constant, or allocated as a copy."""
        choice = self.random.randrange(5)
        if choice == 4 and "splat" not in self.without:
            sizes = self.sizes_of(type)
            return self.define(
                type, f"tensor.splat {self.pick(SCALAR)}{f'[{sizes}]' if sizes else ''} : {type}"
            )
        if choice == 0 and self.all(type):
            return self.define(type, f"bufferization.alloc_tensor() copy({self.pick(type)}) : {type}")
        if choice == 1 and not self.sizes_of(type):
            return self.define(type, f"arith.constant dense<{self.random.randint(0, 5)}.0> : {type}")
        if choice == 2 and type == SMALL:
            values = [self.pick(SCALAR) for _ in range(4)]
            return self.define(type, f"tensor.from_elements {', '.join(values)} : {type}")
        made, value = self.empty(type), self.pick(SCALAR)
        return self.define(type, f"linalg.fill ins({value} : f32) outs({made} : {type}) -> {type}")

    def empty(self, type: str) -> str:
        return self.define("", f"tensor.empty({self.sizes_of(type)}) : {type}")

    def sizes_of(self, type: str) -> str:
        """The values of the dynamic sizes of a type."""
        return ""

    def indices(self, type: str) -> str:
        return ", ".join(self.pick(INDEX) for _ in range(rank_of(type)))

    # -- statements

    @property
    def straight_line(self) -> list[tuple[int, Callable[[int], None]]]:
        """The kinds of statements generated here, with weights."""
        return [
            (5, self.insert),
            (3, self.extract),
            (3, self.fill),
            (5, self.generic),
            (4, self.slice_out),
            (5, self.slice_in),
            (3, self.update_slice),
            (2, self.update_part),
            (2, self.casts),
            (2, self.reshapes),
            (2, self.vectors),
            (1, self.select),
            (1, self.materialize),
            (1, self.creates),
            (2, self.scalars),
            (1, self.matmul),
            (1, self.transpose),
            (2, self.pointwise),
            (1, self.reduce),
            (1, self.broadcast),
            (1, self.two_results),
            (1, self.looked_up),
            (1, self.generate),
            (1, self.pad),
            (1, self.concat),
        ]

    def any_tensor(self) -> str:
        return self.random.choice(TENSORS)

    def indexed_tensor(self) -> str:
        """The type of a tensor in which any index is in bounds."""
        return self.any_tensor()

    def insert(self, depth: int) -> None:
        type = self.indexed_tensor()
        value, target = self.pick(SCALAR), self.tensor(type)
        self.define(type, f"tensor.insert {value} into {target}[{self.indices(type)}] : {type}")

    def extract(self, depth: int) -> None:
        type = self.indexed_tensor()
        self.define(SCALAR, f"tensor.extract {self.tensor(type)}[{self.indices(type)}] : {type}")

    def fill(self, depth: int) -> None:
        type = self.any_tensor()
        value, target = self.pick(SCALAR), self.tensor(type)
        self.define(type, f"linalg.fill ins({value} : f32) outs({target} : {type}) -> {type}")

    def generic(self, depth: int) -> None:
        type = self.any_tensor()
        rank = rank_of(type)
        source, target = self.tensor(type), self.tensor(type)
        reads = self.random.random() < 0.5
        maps = ", ".join([IDENTITY[rank]] * 2)
        if type == SQUARE and self.random.random() < 0.3:
            maps = f"affine_map<(d0, d1) -> (d1, d0)>, {IDENTITY[2]}"
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

    def pointwise(self, depth: int) -> None:
        type = self.any_tensor()
        a, b, c = (self.tensor(type) for _ in range(3))
        if self.random.random() < 0.5:
            kind = self.random.choice(["add", "mul", "max"])
            self.define(type, f"linalg.{kind} ins({a}, {b} : {type}, {type}) outs({c} : {type}) -> {type}")
            return
        name = self.name()
        self.line(f"{name} = linalg.map {{ arith.subf }} ins({a}, {b} : {type}, {type}) outs({c} : {type})")
        self.remember(name, type)

    def reduce(self, depth: int) -> None:
        a, b, name = self.tensor(SQUARE), self.tensor(SMALL), self.name()
        axis = self.random.randint(0, 1)
        self.line(
            f"{name} = linalg.reduce {{ arith.addf }} ins({a} : {SQUARE}) outs({b} : {SMALL}) dimensions = [{axis}]"
        )
        self.remember(name, SMALL)

    def broadcast(self, depth: int) -> None:
        a, b, name = self.tensor(SMALL), self.tensor(SQUARE), self.name()
        axis = self.random.randint(0, 1)
        self.line(f"{name} = linalg.broadcast ins({a} : {SMALL}) outs({b} : {SQUARE}) dimensions = [{axis}]")
        self.remember(name, SQUARE)

    def two_results(self, depth: int) -> None:
        """An operation with two destinations, which may be one tensor."""
        type = self.any_tensor()
        rank = rank_of(type)
        source, first, second, name = self.tensor(type), self.tensor(type), self.tensor(type), self.name()
        kinds = ", ".join(['"parallel"'] * rank)
        self.line(
            f"{name}:2 = linalg.generic {{indexing_maps = [{', '.join([IDENTITY[rank]] * 3)}], "
            f"iterator_types = [{kinds}]}} ins({source} : {type}) outs({first}, {second} : {type}, {type}) {{ "
            "^bb0(%in: f32, %a: f32, %b: f32): %y = arith.addf %in, %a : f32 "
            f"linalg.yield %y, %in : f32, f32 }} -> ({type}, {type})"
        )
        self.remember(f"{name}#0", type)
        self.remember(f"{name}#1", type)

    def looked_up(self, depth: int) -> None:
        """A body that reads a tensor which is not an operand."""
        table, target, at = self.tensor(LARGE), self.tensor(SMALL), self.pick(INDEX)
        self.define(
            SMALL,
            f'linalg.generic {{indexing_maps = [{IDENTITY[1]}], iterator_types = ["parallel"]}} '
            f"outs({target} : {SMALL}) {{ ^bb0(%out: f32): %t = tensor.extract {table}[{at}] : {LARGE} "
            f"%y = arith.addf %t, %out : f32 linalg.yield %y : f32 }} -> {SMALL}",
        )

    def generate(self, depth: int) -> None:
        source = self.tensor(SMALL)
        self.define(
            SMALL,
            f"tensor.generate {{ ^bb0(%i: index): %t = tensor.extract {source}[%i] : {SMALL} "
            f"%y = arith.addf %t, %t : f32 tensor.yield %y : f32 }} : {SMALL}",
        )

    def pad(self, depth: int) -> None:
        source, value, low = self.tensor(SMALL), self.pick(SCALAR), self.random.randint(0, 4)
        self.define(
            LARGE,
            f"tensor.pad {source} low[{low}] high[{4 - low}] {{ ^bb0(%i: index): tensor.yield {value} : f32 }} "
            f": {SMALL} to {LARGE}",
        )

    def concat(self, depth: int) -> None:
        a, b = self.tensor(SMALL), self.tensor(SMALL)
        self.define(LARGE, f"tensor.concat dim(0) {a}, {b} : ({SMALL}, {SMALL}) -> {LARGE}")

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
        """Extract a slice, change it, and insert it back, which should happen in place."""
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

    def update_part(self, depth: int) -> None:
        """The same with a dynamic size."""
        whole, offset, size = self.tensor(LARGE), self.pick(INDEX), self.pick(INDEX)
        part = self.define("", f"tensor.extract_slice {whole}[{offset}] [{size}] [1] : {LARGE} to {DYNAMIC}")
        if self.random.random() < 0.7:
            value = self.pick(SCALAR)
            part = self.define("", f"linalg.fill ins({value} : f32) outs({part} : {DYNAMIC}) -> {DYNAMIC}")
        if self.random.random() < 0.3:
            self.statement(depth)
        target = whole if self.random.random() < 0.7 else self.tensor(LARGE)
        self.define(
            LARGE, f"tensor.insert_slice {part} into {target}[{offset}] [{size}] [1] : {DYNAMIC} into {LARGE}"
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


# Random operations with a body for each element: iterations must not observe each other's writes. Bodies hold
# statements of any kind, on outer and local tensors, nested structured operations included. Their value comes from a
# tensor that the body changed, if there is one: if all elements wrongly update one buffer in place, the result shows
# it.


class BodyStatements(TensorStatements):
    """Generates operations whose bodies are programs themselves."""

    @property
    def with_bodies(self) -> list[tuple[int, Callable[[int], None]]]:
        """The kinds of statements generated here, with weights."""
        return [
            (2, self.generate_body),
            (1, self.pad_body),
            (3, self.generic_body),
            (1, self.map_body),
            (1, self.reduce_body),
        ]

    def body(self, depth: int, scalars: Sequence[str], terminator: str, indices: Sequence[str] = ()) -> None:
        """A body whose arguments are `scalars` and the in-bounds `indices`, with its terminator."""
        with self.block(end=""):
            for name in scalars:
                self.remember(name, SCALAR)
            for name in indices:
                self.remember(name, INDEX)
            if self.random.random() < 0.5:
                self.update_outside()
            self.statements(depth + 2)
            changed = [name for type in TENSORS for name in self.scope[-1].get(type, ())]
            if changed and self.random.random() < 0.8:
                type = self.random.choice([type for type in TENSORS if self.scope[-1].get(type)])
                tensor = self.random.choice(self.scope[-1][type])
                self.define(SCALAR, f"tensor.extract {tensor}[{self.indices(type)}] : {type}")
            self.line(f"{terminator} {self.pick(SCALAR)} : f32")

    def update_outside(self) -> None:
        """Read an element of a tensor and derive another tensor from it; updates must not accumulate across
        iterations."""
        type = self.indexed_tensor()
        tensor, at = self.tensor(type), self.indices(type)
        old = self.define(SCALAR, f"tensor.extract {tensor}[{at}] : {type}")
        new = self.define(SCALAR, f"arith.addf {old}, {self.pick(SCALAR)} : f32")
        self.define(type, f"tensor.insert {new} into {tensor}[{at}] : {type}")

    def generate_body(self, depth: int) -> None:
        type = self.random.choice((SMALL, SQUARE))
        indices = [self.name() for _ in range(rank_of(type))]
        name = self.name()
        self.line(f"{name} = tensor.generate {{")
        self.line(f"^bb0({', '.join(f'{i}: index' for i in indices)}):")
        self.body(depth, (), "tensor.yield", indices)
        self.line(f"}} : {type}")
        self.remember(name, type)

    def pad_body(self, depth: int) -> None:
        source, low, name, index = self.tensor(SMALL), self.random.randint(0, 4), self.name(), self.name()
        self.line(f"{name} = tensor.pad {source} low[{low}] high[{4 - low}] {{")
        self.line(f"^bb0({index}: index):")
        self.body(depth, (), "tensor.yield")
        self.line(f"}} : {SMALL} to {LARGE}")
        self.remember(name, LARGE)

    def generic_body(self, depth: int) -> None:
        type = self.random.choice((SMALL, SQUARE))
        rank = rank_of(type)
        source, target, name = self.tensor(type), self.tensor(type), self.name()
        given, old = self.name(), self.name()
        kinds = [self.random.choice(("parallel", "parallel", "reduction")) for _ in range(rank)]
        self.line(
            f"{name} = linalg.generic {{indexing_maps = [{IDENTITY[rank]}, {IDENTITY[rank]}], iterator_types = "
            f"[{', '.join(f'{chr(34)}{kind}{chr(34)}' for kind in kinds)}]}} "
            f"ins({source} : {type}) outs({target} : {type}) {{"
        )
        self.line(f"^bb0({given}: f32, {old}: f32):")
        indices = [self.name() for _ in range(rank)] if self.random.random() < 0.6 else []
        for loop, index in enumerate(indices):
            self.line(f"{index} = linalg.index {loop} : index")
        self.body(depth, (given, old), "linalg.yield", indices)
        self.line(f"}} -> {type}")
        self.remember(name, type)

    def map_body(self, depth: int) -> None:
        a, b, name, given, old = self.tensor(SMALL), self.tensor(SMALL), *(self.name() for _ in range(3))
        self.line(f"{name} = linalg.map ins({a} : {SMALL}) outs({b} : {SMALL})")
        self.line(f"({given}: f32, {old}: f32) {{")
        self.body(depth, (given,), "linalg.yield")
        self.line("}")
        self.remember(name, SMALL)

    def reduce_body(self, depth: int) -> None:
        a, b, name, given, old = self.tensor(SQUARE), self.tensor(SMALL), *(self.name() for _ in range(3))
        axis = self.random.randint(0, 1)
        self.line(f"{name} = linalg.reduce ins({a} : {SQUARE}) outs({b} : {SMALL}) dimensions = [{axis}]")
        self.line(f"({given}: f32, {old}: f32) {{")
        self.body(depth, (given, old), "linalg.yield")
        self.line("}")
        self.remember(name, SMALL)

"""Random operations with a body for each element: what one element writes, no other may see.

Bodies hold statements of any kind, on tensors from outside and of their own, other structured operations among them.
Their value comes from a tensor that the body changed, if it changed one: then an update made in place where there is one
buffer for all elements shows in the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .generate import INDEX, SCALAR
from .generate_tensors import IDENTITY, LARGE, SMALL, SQUARE, TENSORS, TensorStatements, shape_of


class BodyStatements(TensorStatements):
    """Writes operations with bodies that are programs themselves."""

    @property
    def with_bodies(self) -> list[tuple[int, Callable[[int], None]]]:
        """The kinds of statements here, with weights."""
        return [
            (2, self.generate_body),
            (1, self.pad_body),
            (3, self.generic_body),
            (1, self.map_body),
            (1, self.reduce_body),
        ]

    def body(self, depth: int, scalars: Sequence[str], terminator: str, indices: Sequence[str] = ()) -> None:
        """The statements of a body whose arguments are `scalars` and, in bounds, `indices`; ends it."""
        self.push()
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
        self.pop()

    def update_outside(self) -> None:
        """Reads an element of a tensor, and makes another of it: what must not pile up."""
        type = self.any_tensor()
        tensor, at = self.tensor(type), self.indices(type)
        old = self.define(SCALAR, f"tensor.extract {tensor}[{at}] : {type}")
        new = self.define(SCALAR, f"arith.addf {old}, {self.pick(SCALAR)} : f32")
        self.define(type, f"tensor.insert {new} into {tensor}[{at}] : {type}")

    def generate_body(self, depth: int) -> None:
        type = self.random.choice((SMALL, SQUARE))
        indices = [self.name() for _ in shape_of(type)]
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
        rank = len(shape_of(type))
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

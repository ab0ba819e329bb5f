"""Random programs with several versions of a tensor live at once, of which some copies are claimed necessary."""

from __future__ import annotations

import random

VECTOR, MATRIX = "tensor<8xf32>", "tensor<4x4xf32>"
ARGUMENTS = (
    f"%a: {VECTOR}, %b: {VECTOR}, %m: {MATRIX}, %n: {MATRIX}, %f: f32, %g: f32, %i: index, %j: index, %c: i1"
)
CONSTANTS = """\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
"""
MOST_OPERATIONS = 7
"""Operations of a generated program, besides constants."""


class VersionsWriter:
    """Generates a program at random, operation by operation."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.lines: list[str] = []
        self.vectors = ["%a", "%b", "%k"]
        self.matrices = ["%m", "%n"]
        self.scalars = ["%f", "%g"]

    def text(self) -> str:
        """A function that returns some computed tensors, and often also previous versions of them."""
        steps = (
            *(self._insert, self._insert, self._insert, self._product, self._sum, self._cut, self._extract),
            *(
                self._select,
                self._if,
                self._for,
                self._concat,
                self._pad,
                self._reshape,
                self._call,
                self._restore,
            ),
        )
        for _ in range(self.chance.randint(2, MOST_OPERATIONS)):
            self.chance.choice(steps)()
        tensors = [(v, VECTOR) for v in self.vectors] + [(m, MATRIX) for m in self.matrices]
        returned = self.chance.sample(tensors, min(len(tensors), self.chance.randint(1, 3)))
        if self.chance.random() < 0.6:  # both an argument and a later version
            returned[:1] = [*self.chance.sample(tensors[:2], 1), tensors[len(self.vectors) - 1]]
        values, types = ", ".join(v for v, _ in returned), ", ".join(type for _, type in returned)
        body = "".join(f"  {line}\n" for line in self.lines)
        visibility = "private " if self.chance.random() < 0.5 else ""
        callee = (
            f"func.func {visibility}@set(%t: {VECTOR}, %v: f32, %p: index) -> {VECTOR} {{\n"
            f"  %r = tensor.insert %v into %t[%p] : {VECTOR}\n  return %r : {VECTOR}\n}}\n"
        )
        head = f"func.func @f({ARGUMENTS}) -> ({types}) {{\n"
        return f"{callee}{head}{CONSTANTS}{body}  return {values} : {types}\n}}\n"

    def _new(self, what: str) -> str:
        name = f"%x{len(self.lines)}"
        self.lines.append(f"{name} = {what}")
        return name

    def _vector(self) -> str:
        return self.chance.choice(self.vectors)

    def _matrix(self) -> str:
        return self.chance.choice(self.matrices)

    def _scalar(self) -> str:
        return self.chance.choice(self.scalars)

    def _place(self) -> str:
        if self.chance.random() < 0.1:  # the same place may be computed twice
            return self._new("arith.addi %i, %c1 : index")
        return self.chance.choice(("%i", "%j", "%c0", "%c1", "%c3"))

    def _insert(self) -> None:
        if self.chance.random() < 0.7:
            what = f"tensor.insert {self._scalar()} into {self._vector()}[{self._place()}] : {VECTOR}"
            self.vectors.append(self._new(what))
        else:
            what = f"tensor.insert {self._scalar()} into {self._matrix()}[{self._place()}, {self._place()}]"
            self.matrices.append(self._new(f"{what} : {MATRIX}"))

    def _restore(self) -> None:
        """Write an element back, after an update or without one."""
        old, place = self._vector(), self._place()
        element = self._new(f"tensor.extract {old}[{place}] : {VECTOR}")
        if self.chance.random() < 0.5:
            old = self._new(f"tensor.insert {self._scalar()} into {old}[{place}] : {VECTOR}")
        self.vectors.append(self._new(f"tensor.insert {element} into {old}[{place}] : {VECTOR}"))

    def _product(self) -> None:
        what = f"linalg.matmul ins({self._matrix()}, {self._matrix()} : {MATRIX}, {MATRIX}) outs({self._matrix()} : {MATRIX})"
        self.matrices.append(self._new(f"{what} -> {MATRIX}"))

    def _sum(self) -> None:
        into = self._new(f"tensor.empty() : {VECTOR}") if self.chance.random() < 0.6 else self._vector()
        what = (
            f"linalg.add ins({self._vector()}, {self._vector()} : {VECTOR}, {VECTOR}) outs({into} : {VECTOR})"
        )
        self.vectors.append(self._new(f"{what} -> {VECTOR}"))

    def _cut(self) -> None:
        small = "tensor<4xf32>"
        part = self._new(
            f"tensor.extract_slice {self._vector()}[{self.chance.choice((0, 2, 4))}] [4] [1] : {VECTOR} to {small}"
        )
        if self.chance.random() < 0.5:
            part = self._new(f"tensor.insert {self._scalar()} into {part}[%c1] : {small}")
        at = self.chance.choice((0, 2, 4))
        self.vectors.append(
            self._new(
                f"tensor.insert_slice {part} into {self._vector()}[{at}] [4] [1] : {small} into {VECTOR}"
            )
        )

    def _extract(self) -> None:
        self.scalars.append(self._new(f"tensor.extract {self._vector()}[{self._place()}] : {VECTOR}"))

    def _select(self) -> None:
        self.vectors.append(self._new(f"arith.select %c, {self._vector()}, {self._vector()} : {VECTOR}"))

    def _if(self) -> None:
        old, other, scalar = self._vector(), self._vector(), self._scalar()
        new = self._new(f"scf.if %c -> ({VECTOR}) {{")
        self.lines += [
            f"  %y{new[1:]} = tensor.insert {scalar} into {old}[{self._place()}] : {VECTOR}",
            f"  scf.yield %y{new[1:]} : {VECTOR}",
            "} else {",
            f"  scf.yield {other} : {VECTOR}",
            "}",
        ]
        self.vectors.append(new)

    def _for(self) -> None:
        old, scalar = self._vector(), self._scalar()
        new = self._new(f"scf.for %p = %c0 to %c3 step %c1 iter_args(%q = {old}) -> ({VECTOR}) {{")
        self.lines += [
            f"  %y{new[1:]} = tensor.insert {scalar} into %q[%p] : {VECTOR}",
            f"  scf.yield %y{new[1:]} : {VECTOR}",
            "}",
        ]
        self.vectors.append(new)

    def _concat(self) -> None:
        part = self._new(f"tensor.extract_slice {self._vector()}[0] [4] [1] : {VECTOR} to tensor<4xf32>")
        other = self._new(f"tensor.extract_slice {self._vector()}[4] [4] [1] : {VECTOR} to tensor<4xf32>")
        what = f"tensor.concat dim(0) {part}, {other} : (tensor<4xf32>, tensor<4xf32>) -> {VECTOR}"
        self.vectors.append(self._new(what))

    def _pad(self) -> None:
        part = self._new(f"tensor.extract_slice {self._vector()}[2] [6] [1] : {VECTOR} to tensor<6xf32>")
        scalar = self._scalar()
        new = self._new(f"tensor.pad {part} low[1] high[1] {{")
        self.lines += [
            "^bb0(%p: index):",
            f"  tensor.yield {scalar} : f32",
            f"}} : tensor<6xf32> to {VECTOR}",
        ]
        self.vectors.append(new)

    def _reshape(self) -> None:
        wide = "tensor<2x4xf32>"
        seen = self._new(
            f"tensor.expand_shape {self._vector()} [[0, 1]] output_shape [2, 4] : {VECTOR} into {wide}"
        )
        if self.chance.random() < 0.6:
            seen = self._new(f"tensor.insert {self._scalar()} into {seen}[%c0, %c1] : {wide}")
        self.vectors.append(self._new(f"tensor.collapse_shape {seen} [[0, 1]] : {wide} into {VECTOR}"))

    def _call(self) -> None:
        given = f"{self._vector()}, {self._scalar()}, {self._place()}"
        self.vectors.append(self._new(f"call @set({given}) : ({VECTOR}, f32, index) -> {VECTOR}"))

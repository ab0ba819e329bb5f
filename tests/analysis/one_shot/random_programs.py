"""Random tensor programs: chains, slices, branches, loops, calls, selections, unknown operations, blocks.

All tensors are `tensor<8xf32>` or slices `tensor<4xf32>`, so that any value fits any operand of its kind. Values are taken
from those in scope, mostly recent ones, so that buffers are shared and reused a lot.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

WHOLE, PART = "tensor<8xf32>", "tensor<4xf32>"

STRUCTURED = (
    "insert",
    "insert",
    "extract",
    "slice",
    "insert_slice",
    "fill",
    "generic",
    "select",
    "empty",
    "constant",
    "cast",
    "if",
    "for",
    "while",
    "forall",
    "unknown",
    "slice_update",
    "transfer",
    "materialize",
)


@dataclass
class Scope:
    """The values in scope by type."""

    whole: list[str]
    part: list[str] = field(default_factory=list)

    def inner(self) -> Scope:
        return Scope(list(self.whole), list(self.part))


class Generator:
    """Makes one module from a source of randomness."""

    def __init__(
        self,
        rng: random.Random,
        *,
        blocks: bool = False,
        unknown_regions: bool = False,
        switches: bool = False,
    ) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.count = 0
        self.blocks = blocks
        self.callees: list[tuple[str, int]] = []
        self.kinds = [*STRUCTURED]
        if unknown_regions:
            self.kinds += ["unknown_region", "parallel"]
        if switches:
            self.kinds.append("switch")

    def fresh(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def pick(self, values: list[str]) -> str:
        """A value, a recent one more often than not."""
        recent = values[-4:] if self.rng.random() < 0.7 else values
        return self.rng.choice(recent)

    def emit(self, text: str) -> None:
        self.lines.append(text)

    def module(self, functions: int = 2, length: int = 8) -> str:
        self.emit("func.func private @external(tensor<8xf32>) -> tensor<8xf32>")
        for number in range(functions):
            self.function(f"f{number}", length)
        return "\n".join(self.lines)

    def function(self, name: str, length: int) -> None:
        writable = self.rng.choice(["", "", " {bufferization.writable = false}"])
        self.emit(
            f"func.func @{name}(%a: {WHOLE}, %b: {WHOLE}{writable}, %f: f32, %i: index, %c: i1) -> ({WHOLE}, {WHOLE}) {{"
        )
        self.emit("%c0 = arith.constant 0 : index")
        self.emit("%c1 = arith.constant 1 : index")
        self.emit("%vec = arith.constant dense<1.0> : vector<4xf32>")
        scope = Scope(["%a", "%b"])
        if self.blocks and self.rng.random() < 0.8:
            scope = self.cfg(scope, length)
        else:
            self.body(scope, length, 0)
        self.emit(f"return {self.pick(scope.whole)}, {self.pick(scope.whole)} : {WHOLE}, {WHOLE}")
        self.emit("}")
        self.callees.append((name, 2))

    def cfg(self, scope: Scope, length: int) -> Scope:
        """Straight blocks, a diamond or a loop of blocks; the scope at the end."""
        self.body(scope, length // 3, 0)
        shape = self.rng.choice(["line", "diamond", "loop"])
        b = self.count
        if shape == "line":
            self.emit(f"cf.br ^b{b}({self.pick(scope.whole)} : {WHOLE})")
            self.emit(f"^b{b}(%x{b}: {WHOLE}):")
            scope.whole.append(f"%x{b}")
        elif shape == "diamond":
            self.emit(f"cf.cond_br %c, ^l{b}, ^r{b}")
            for side in "lr":
                self.emit(f"^{side}{b}:")
                inner = scope.inner()
                self.body(inner, length // 3, 0)
                self.emit(f"cf.br ^j{b}({self.pick(inner.whole)} : {WHOLE})")
            self.emit(f"^j{b}(%x{b}: {WHOLE}):")
            scope.whole.append(f"%x{b}")
        else:
            self.emit(f"cf.br ^h{b}({self.pick(scope.whole)} : {WHOLE})")
            self.emit(f"^h{b}(%x{b}: {WHOLE}):")
            scope.whole.append(f"%x{b}")
            self.body(scope, length // 3, 0)
            self.emit(f"cf.cond_br %c, ^h{b}({self.pick(scope.whole)} : {WHOLE}), ^e{b}")
            self.emit(f"^e{b}:")
        self.body(scope, length // 3, 0)
        return scope

    def body(self, scope: Scope, length: int, depth: int) -> None:
        for _ in range(length):
            kind = self.rng.choice(self.kinds)
            if self.callees and self.rng.random() < 0.15:
                kind = "call"
            if depth >= 2 and kind in (
                "if",
                "for",
                "while",
                "forall",
                "unknown_region",
                "parallel",
                "switch",
            ):
                kind = "insert"
            getattr(self, kind)(scope, depth)

    # -- operations ---------------------------------------------------------------------------------------

    def insert(self, scope: Scope, depth: int) -> None:
        v = self.fresh()
        self.emit(f"{v} = tensor.insert %f into {self.pick(scope.whole)}[%i] : {WHOLE}")
        scope.whole.append(v)

    def extract(self, scope: Scope, depth: int) -> None:
        v = self.fresh()
        self.emit(f"{v} = tensor.extract {self.pick(scope.whole)}[%i] : {WHOLE}")
        self.emit(f'"test.use"({v}) : (f32) -> ()')

    def offset(self) -> str:
        return self.rng.choice(["0", "0", "4", "%i"])

    def slice(self, scope: Scope, depth: int) -> None:
        v = self.fresh()
        source = self.pick(scope.whole)
        self.emit(f"{v} = tensor.extract_slice {source}[{self.offset()}][4][1] : {WHOLE} to {PART}")
        scope.part.append(v)

    def insert_slice(self, scope: Scope, depth: int) -> None:
        if not scope.part:
            self.slice(scope, depth)
        v = self.fresh()
        source, dest = self.pick(scope.part), self.pick(scope.whole)
        self.emit(
            f"{v} = tensor.insert_slice {source} into {dest}[{self.offset()}][4][1] : {PART} into {WHOLE}"
        )
        scope.whole.append(v)

    def slice_update(self, scope: Scope, depth: int) -> None:
        s, w, v = self.fresh(), self.fresh(), self.fresh()
        dest, at = self.pick(scope.whole), self.offset()
        self.emit(f"{s} = tensor.extract_slice {dest}[{at}][4][1] : {WHOLE} to {PART}")
        self.emit(f"{w} = tensor.insert %f into {s}[%i] : {PART}")
        self.emit(f"{v} = tensor.insert_slice {w} into {dest}[{at}][4][1] : {PART} into {WHOLE}")
        scope.part += [s, w]
        scope.whole.append(v)

    def fill(self, scope: Scope, depth: int) -> None:
        v = self.fresh()
        self.emit(f"{v} = linalg.fill ins(%f : f32) outs({self.pick(scope.whole)} : {WHOLE}) -> {WHOLE}")
        scope.whole.append(v)

    def generic(self, scope: Scope, depth: int) -> None:
        v = self.fresh()
        identity, other = "affine_map<(d0) -> (d0)>", "affine_map<(d0) -> (7 - d0)>"
        read = identity if self.rng.random() < 0.7 else other
        used = self.rng.choice(["in", "out"])
        source, dest = self.pick(scope.whole), self.pick(scope.whole)
        self.emit(
            f'{v} = linalg.generic {{indexing_maps = [{read}, {identity}], iterator_types = ["parallel"]}} '
            f"ins({source} : {WHOLE}) outs({dest} : {WHOLE}) {{"
        )
        self.emit(f"^bb0({v}in: f32, {v}out: f32):")
        self.emit(f"{v}s = arith.addf {v}in, {v}{used} : f32\nlinalg.yield {v}s : f32")
        self.emit(f"}} -> {WHOLE}")
        scope.whole.append(v)

    def transfer(self, scope: Scope, depth: int) -> None:
        v = self.fresh()
        at = self.rng.choice(["%c0", "%i"])
        self.emit(
            f"{v} = vector.transfer_write %vec, {self.pick(scope.whole)}[{at}] : vector<4xf32>, {WHOLE}"
        )
        scope.whole.append(v)

    def materialize(self, scope: Scope, depth: int) -> None:
        e, v = self.fresh(), self.fresh()
        self.emit(f"{e} = bufferization.alloc_tensor() : {WHOLE}")
        self.emit(
            f"{v} = bufferization.materialize_in_destination {self.pick(scope.whole)} in {e} "
            f": ({WHOLE}, {WHOLE}) -> {WHOLE}"
        )
        scope.whole.append(v)

    def select(self, scope: Scope, depth: int) -> None:
        v = self.fresh()
        self.emit(f"{v} = arith.select %c, {self.pick(scope.whole)}, {self.pick(scope.whole)} : {WHOLE}")
        scope.whole.append(v)

    def empty(self, scope: Scope, depth: int) -> None:
        v = self.fresh()
        self.emit(f"{v} = tensor.empty() : {WHOLE}")
        scope.whole.append(v)

    def constant(self, scope: Scope, depth: int) -> None:
        v = self.fresh()
        self.emit(f"{v} = arith.constant dense<1.0> : {WHOLE}")
        scope.whole.append(v)

    def cast(self, scope: Scope, depth: int) -> None:
        u, v = self.fresh(), self.fresh()
        self.emit(f"{u} = tensor.cast {self.pick(scope.whole)} : {WHOLE} to tensor<?xf32>")
        self.emit(f"{v} = tensor.cast {u} : tensor<?xf32> to {WHOLE}")
        scope.whole.append(v)

    def unknown(self, scope: Scope, depth: int) -> None:
        v = self.fresh()
        self.emit(f'{v} = "test.unknown"({self.pick(scope.whole)}) : ({WHOLE}) -> {WHOLE}')
        scope.whole.append(v)

    def call(self, scope: Scope, depth: int) -> None:
        name, _ = self.rng.choice(self.callees)
        v = self.fresh()
        if self.rng.random() < 0.2:
            self.emit(f"{v} = func.call @external({self.pick(scope.whole)}) : ({WHOLE}) -> {WHOLE}")
            scope.whole.append(v)
            return
        a, b = self.pick(scope.whole), self.pick(scope.whole)
        self.emit(
            f"{v}:2 = func.call @{name}({a}, {b}, %f, %i, %c) : "
            f"({WHOLE}, {WHOLE}, f32, index, i1) -> ({WHOLE}, {WHOLE})"
        )
        scope.whole += [f"{v}#0", f"{v}#1"]

    # -- regions --------------------------------------------------------------------------------------------

    def nested(self, scope: Scope, depth: int, *args: str) -> str:
        """A body of its own; the value it ends with."""
        inner = scope.inner()
        inner.whole += args
        self.body(inner, self.rng.randint(1, 3), depth + 1)
        return self.pick(inner.whole)

    def conditional(self, scope: Scope, depth: int) -> None:
        v = self.fresh()
        self.emit(f"{v} = scf.if %c -> {WHOLE} {{")
        self.emit(f"scf.yield {self.nested(scope, depth)} : {WHOLE}")
        self.emit("} else {")
        self.emit(f"scf.yield {self.nested(scope, depth)} : {WHOLE}")
        self.emit("}")
        scope.whole.append(v)

    def loop(self, scope: Scope, depth: int) -> None:
        v, arg = self.fresh(), self.fresh()
        upper = self.rng.choice(["%i", "%c1"])
        init = self.pick(scope.whole)
        self.emit(f"{v} = scf.for {arg}i = %c0 to {upper} step %c1 iter_args({arg} = {init}) -> {WHOLE} {{")
        self.emit(f"scf.yield {self.nested(scope, depth, arg, arg)} : {WHOLE}")
        self.emit("}")
        scope.whole.append(v)

    def while_loop(self, scope: Scope, depth: int) -> None:
        v, before, after = self.fresh(), self.fresh(), self.fresh()
        init = self.pick(scope.whole)
        self.emit(f"{v} = scf.while ({before} = {init}) : ({WHOLE}) -> {WHOLE} {{")
        self.emit(f"scf.condition(%c) {self.nested(scope, depth, before, before)} : {WHOLE}")
        self.emit(f"}} do {{\n^bb0({after}: {WHOLE}):")
        self.emit(f"scf.yield {self.nested(scope, depth, after, after)} : {WHOLE}")
        self.emit("}")
        scope.whole.append(v)

    def forall(self, scope: Scope, depth: int) -> None:
        v, arg = self.fresh(), self.fresh()
        count = self.rng.choice(["1", "2", "%i"])
        init = self.pick(scope.whole)
        self.emit(f"{v} = scf.forall ({arg}i) in ({count}) shared_outs({arg} = {init}) -> {WHOLE} {{")
        inner = scope.inner()
        inner.whole += [arg, arg]
        self.body(inner, self.rng.randint(1, 3), depth + 1)
        self.slice(inner, depth)
        self.emit("scf.forall.in_parallel {")
        self.emit(
            f"tensor.parallel_insert_slice {self.pick(inner.part)} into {arg}[{self.offset()}][4][1] : {PART} into {WHOLE}"
        )
        self.emit("}\n}")
        scope.whole.append(v)

    def unknown_region(self, scope: Scope, depth: int) -> None:
        self.emit('"test.region"() ({')
        value = self.nested(scope, depth)
        self.emit(f'"test.end"({value}) : ({WHOLE}) -> ()')
        self.emit("}) : () -> ()")

    def parallel(self, scope: Scope, depth: int) -> None:
        self.emit(f"scf.parallel ({self.fresh()}) = (%c0) to (%i) step (%c1) {{")
        self.nested(scope, depth)
        self.emit("scf.reduce\n}")

    def switch(self, scope: Scope, depth: int) -> None:
        v = self.fresh()
        self.emit(f"{v} = scf.index_switch %i -> {WHOLE}")
        for case in ("case 1", "default"):
            self.emit(f"{case} {{")
            self.emit(f"scf.yield {self.nested(scope, depth)} : {WHOLE}")
            self.emit("}")
        scope.whole.append(v)


setattr(Generator, "if", Generator.conditional)
setattr(Generator, "for", Generator.loop)
setattr(Generator, "while", Generator.while_loop)


def random_module(rng: random.Random, length: int = 8, **features: bool) -> str:
    """The text of a module of two functions; see `Generator` for the features."""
    return Generator(rng, **features).module(2, length)

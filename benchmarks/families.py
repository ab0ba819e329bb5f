"""Program families: one generator per way in which analysis becomes expensive.

Each takes the approximate number of operations and returns MLIR text that mlir-opt accepts too. The docstring says what
a family stresses. All are deterministic.
"""

from __future__ import annotations

from collections.abc import Callable

Family = Callable[[int], str]

NEST = 250
"""Nesting depth, independent of the program size, since indentation grows with it."""


def _function(name: str, signature: str, body: list[str], ends: str) -> str:
    name = name if "@" in name else f"@{name}"
    return f"func.func {name}{signature} {{\n" + "\n".join(body) + f"\n  {ends}\n}}\n"


def _threaded(name: str, signature: str, ends: str, count: int, unit: str, threads: str = "%t %t$k") -> str:
    """A function that repeats `unit`; each repetition uses the value that the one before made, `$t`.

    `$k` is the number of the repetition, `$m` that modulo 8, `$4` four times it. `threads` is the first `$t`, and what a
    repetition makes. Lines before `...` come once.
    """
    begin, _, unit = unit.rpartition("...\n")
    current, made = threads.split()
    body = begin.splitlines()
    for k in range(count):
        text = unit.rstrip("\n").replace("$t", current)
        body.append(text.replace("$m", str(k % 8)).replace("$4", str(4 * k)).replace("$k", str(k)))
        current = made.replace("$k", str(k))
    return _function(name, signature, body, ends.replace("$t", current))


def chain(n: int) -> str:
    """A chain of updates of one tensor: all values are in one alias class."""
    unit = "  %t$k = tensor.insert %f into $t[%i] : tensor<1024xf32>"
    signature = "(%t: tensor<1024xf32>, %f: f32, %i: index) -> tensor<1024xf32>"
    return _threaded("chain", signature, "return $t : tensor<1024xf32>", max(n - 2, 1), unit)


def interleaved(n: int) -> str:
    """Reads between the updates of one tensor: as many reads as writes in one alias class."""
    unit = """\
  %x$k = tensor.extract $t[%i] : tensor<1024xf32>
  %y$k = arith.addf %x$k, %f : f32
  %t$k = tensor.insert %y$k into $t[%i] : tensor<1024xf32>
"""
    signature = "(%t: tensor<1024xf32>, %f: f32, %i: index) -> tensor<1024xf32>"
    return _threaded("interleaved", signature, "return $t : tensor<1024xf32>", max(n // 3, 1), unit)


def slices(n: int) -> str:
    """Tiles that are extracted from one tensor, filled and inserted again."""
    groups = max((n - 2) // 3, 1)
    type = f"tensor<{4 * groups}xf32>"
    unit = f"""\
  %s$k = tensor.extract_slice $t[$4] [4] [1] : {type} to tensor<4xf32>
  %w$k = linalg.fill ins(%f : f32) outs(%s$k : tensor<4xf32>) -> tensor<4xf32>
  %t$k = tensor.insert_slice %w$k into $t[$4] [4] [1] : tensor<4xf32> into {type}
"""
    return _threaded("slices", f"(%t: {type}, %f: f32) -> {type}", f"return $t : {type}", groups, unit)


def butterflies(n: int) -> str:
    """An unrolled FFT: pairs of elements of one buffer are read, combined and written back."""
    unit = """\
  %a$k = tensor.extract $t[%i] : tensor<1024xf32>
  %b$k = tensor.extract $t[%j] : tensor<1024xf32>
  %s$k = arith.addf %a$k, %b$k : f32
  %d$k = arith.subf %a$k, %b$k : f32
  %u$k = tensor.insert %s$k into $t[%i] : tensor<1024xf32>
  %t$k = tensor.insert %d$k into %u$k[%j] : tensor<1024xf32>
"""
    signature = "(%t: tensor<1024xf32>, %i: index, %j: index) -> tensor<1024xf32>"
    return _threaded("butterflies", signature, "return $t : tensor<1024xf32>", max(n // 6, 1), unit)


def layers(n: int) -> str:
    """A network: matrix products into fresh tensors, a residual connection every second layer."""
    type = "tensor<64x64xf32>"
    body = ["  %zero = arith.constant 0.0 : f32"]
    current, previous = "%x", "%x"
    for k in range(max(n // 5, 1)):
        body += [
            f"  %e{k} = tensor.empty() : {type}",
            f"  %z{k} = linalg.fill ins(%zero : f32) outs(%e{k} : {type}) -> {type}",
            f"  %m{k} = linalg.matmul ins({current}, %w : {type}, {type}) outs(%z{k} : {type}) -> {type}",
            f"  %o{k} = tensor.empty() : {type}",
            f"  %r{k} = linalg.add ins(%m{k}, {previous} : {type}, {type}) outs(%o{k} : {type}) -> {type}",
        ]
        previous, current = current, f"%r{k}"
    return _function("layers", f"(%x: {type}, %w: {type}) -> {type}", body, f"return {current} : {type}")


def loops(n: int) -> str:
    """A sequence of triple loop nests that update one tensor element by element."""
    unit = """\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
...
  %t$k = scf.for %i$k = %c0 to %c16 step %c1 iter_args(%a$k = $t) -> (tensor<16x16xf32>) {
    %u$k = scf.for %j$k = %c0 to %c16 step %c1 iter_args(%b$k = %a$k) -> (tensor<16x16xf32>) {
      %v$k = scf.for %k$k = %c0 to %c16 step %c1 iter_args(%d$k = %b$k) -> (tensor<16x16xf32>) {
        %x$k = tensor.extract %d$k[%i$k, %k$k] : tensor<16x16xf32>
        %y$k = arith.addf %x$k, %f : f32
        %w$k = tensor.insert %y$k into %d$k[%i$k, %j$k] : tensor<16x16xf32>
        scf.yield %w$k : tensor<16x16xf32>
      }
      scf.yield %v$k : tensor<16x16xf32>
    }
    scf.yield %u$k : tensor<16x16xf32>
  }
"""
    signature = "(%t: tensor<16x16xf32>, %f: f32) -> tensor<16x16xf32>"
    return _threaded("loops", signature, "return $t : tensor<16x16xf32>", max(n // 9, 1), unit)


def fan_out(n: int) -> str:
    """One tensor with many readers, each result written once."""
    unit = """\
  %t$k = tensor.insert $t into %t[%i] : tensor<1024xf32>
  %x$k = tensor.extract %t$k[%i] : tensor<1024xf32>
  %y$k = tensor.extract %t[%i] : tensor<1024xf32>
  %z$k = arith.addf %x$k, %y$k : f32
"""
    signature = "(%t: tensor<1024xf32>, %f: f32, %i: index) -> f32"
    return _threaded("fan_out", signature, "return $t : f32", max(n // 4, 1), unit, "%f %z$k")


def calls(n: int) -> str:
    """A long chain of calls."""
    count = max(n // 4, 1)
    type = "tensor<1024xf32>"
    parts = [
        f"func.func private @f0(%t: {type}, %f: f32, %i: index) -> {type} {{\n"
        f"  %u = tensor.insert %f into %t[%i] : {type}\n  return %u : {type}\n}}\n"
    ]
    for k in range(1, count):
        parts.append(
            f"func.func private @f{k}(%t: {type}, %f: f32, %i: index) -> {type} {{\n"
            f"  %u = call @f{k - 1}(%t, %f, %i) : ({type}, f32, index) -> {type}\n"
            f"  %v = tensor.insert %f into %u[%i] : {type}\n  return %v : {type}\n}}\n"
        )
    return "".join(parts)


def branches(n: int) -> str:
    """A sequence of CFG diamonds with one tensor forwarded through all of them."""
    type = "tensor<1024xf32>"
    body = ["  cf.br ^b0(%t : tensor<1024xf32>)"]
    count = max(n // 7, 1)
    for k in range(count):
        body += [
            f"^b{k}(%t{k}: {type}):",
            f"  %x{k} = tensor.extract %t{k}[%i] : {type}",
            f"  cf.cond_br %c, ^l{k}, ^r{k}",
            f"^l{k}:",
            f"  %u{k} = tensor.insert %x{k} into %t{k}[%i] : {type}",
            f"  cf.br ^b{k + 1}(%u{k} : {type})",
            f"^r{k}:",
            f"  %v{k} = tensor.insert %f into %t{k}[%i] : {type}",
            f"  cf.br ^b{k + 1}(%v{k} : {type})",
        ]
    body.append(f"^b{count}(%t{count}: {type}):")
    return _function(
        "branches", f"(%t: {type}, %f: f32, %i: index, %c: i1) -> {type}", body, f"return %t{count} : {type}"
    )


def functions(n: int) -> str:
    """Many small independent functions."""
    type = "tensor<64xf32>"
    return "".join(
        f"func.func @g{k}(%t: {type}, %f: f32, %i: index) -> ({type}, f32) {{\n"
        f"  %u = tensor.insert %f into %t[%i] : {type}\n  %x = tensor.extract %t[%i] : {type}\n"
        f"  %v = tensor.insert %x into %u[%i] : {type}\n  return %v, %x : {type}, f32\n}}\n"
        for k in range(max(n // 5, 1))
    )


def mixed(n: int) -> str:
    """One function with slices, loops, elementwise operations and matrix products."""
    unit = """\
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
...
  %s$k = tensor.extract_slice $t[$m, 8] [8, 8] [1, 1] : tensor<64x64xf32> to tensor<8x8xf32>
  %p$k = linalg.fill ins(%zero : f32) outs(%s$k : tensor<8x8xf32>) -> tensor<8x8xf32>
  %q$k = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%p$k : tensor<8x8xf32>) -> tensor<8x8xf32>
  %e$k = tensor.empty() : tensor<8x8xf32>
  %r$k = linalg.add ins(%q$k, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e$k : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m$k = linalg.map { arith.mulf } ins(%r$k, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e$k : tensor<8x8xf32>)
  %i$k = tensor.insert_slice %m$k into $t[$m, 8] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<64x64xf32>
  %l$k = scf.for %n$k = %c0 to %c64 step %c1 iter_args(%x$k = %i$k) -> (tensor<64x64xf32>) {
    %v$k = tensor.extract %x$k[%n$k, %c0] : tensor<64x64xf32>
    %w$k = arith.addf %v$k, %f : f32
    %g$k = arith.mulf %w$k, %f : f32
    %h$k = arith.subf %g$k, %v$k : f32
    %y$k = tensor.insert %h$k into %x$k[%n$k, %c1] : tensor<64x64xf32>
    scf.yield %y$k : tensor<64x64xf32>
  }
  %o$k = tensor.extract %l$k[%c0, %c0] : tensor<64x64xf32>
  %u$k = arith.addf %o$k, %f : f32
  %z$k = tensor.insert %u$k into %l$k[%c1, %c1] : tensor<64x64xf32>
"""
    signature = (
        "(%t: tensor<64x64xf32>, %a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %f: f32) -> tensor<64x64xf32>"
    )
    return _threaded("mixed", signature, "return $t : tensor<64x64xf32>", max(n // 20, 1), unit, "%t %z$k")


def nested(n: int) -> str:
    """Conditionals nested 250 deep, to detect recursion and walks over all ancestors."""
    type = "tensor<64xf32>"
    depth = min(NEST, max(n // 3, 1))
    body = []
    current = "%t"
    for k in range(max(n // (3 * depth), 1)):
        body += [f"  %r{k}_{d} = scf.if %c -> ({type}) {{" for d in range(depth)]
        body.append(f"  %u{k} = tensor.insert %f into {current}[%i] : {type}")
        inner = f"%u{k}"
        for d in reversed(range(depth)):
            body += [f"  scf.yield {inner} : {type}", "  } else {", f"  scf.yield {current} : {type}", "  }"]
            inner = f"%r{k}_{d}"
        current = f"%r{k}_0"
    return _function(
        "nested", f"(%t: {type}, %f: f32, %i: index, %c: i1) -> {type}", body, f"return {current} : {type}"
    )


def alternatives(n: int) -> str:
    """Nested conditionals that each update one outer tensor in the other branch: all updates are mutually exclusive."""
    type = "tensor<64xf32>"
    depth = min(NEST, max(n // 4, 1))
    body = []
    current = "%t"
    for k in range(max(n // (4 * depth), 1)):
        inner = current
        for d in range(depth):
            body.append(f"  %r{k}_{d} = scf.if %c -> ({type}) {{")
            if k % 2:  # nested in the second branch
                body += [
                    f"  %u{k}_{d} = tensor.insert %f into {current}[%i] : {type}",
                    f"  scf.yield %u{k}_{d} : {type}",
                    "  } else {",
                ]
        for d in reversed(range(depth)):
            body.append(f"  scf.yield {inner} : {type}")
            if not k % 2:
                body += [
                    "  } else {",
                    f"  %u{k}_{d} = tensor.insert %f into {current}[%i] : {type}",
                    f"  scf.yield %u{k}_{d} : {type}",
                ]
            body.append("  }")
            inner = f"%r{k}_{d}"
        current = inner
    return _function(
        "alternatives",
        f"(%t: {type}, %f: f32, %i: index, %c: i1) -> {type}",
        body,
        f"return {current} : {type}",
    )


def allocations(n: int) -> str:
    """Buffers that are allocated, written and read, and never freed."""
    unit = """\
  %m$k = memref.alloc() : memref<16xf32>
  memref.store %f, %m$k[%i] : memref<16xf32>
  %x$k = memref.load %m$k[%i] : memref<16xf32>
"""
    return _threaded("allocations", "(%f: f32, %i: index)", "return", max(n // 3, 1), unit)


def branching_allocations(n: int) -> str:
    """CFG diamonds in which each branch allocates a buffer for the joining block."""
    type = "memref<16xf32>"
    body = [f"  %m = memref.alloc() : {type}", f"  cf.br ^b0(%m : {type})"]
    count = max(n // 8, 1)
    for k in range(count):
        body += [
            f"^b{k}(%t{k}: {type}):",
            f"  %x{k} = memref.load %t{k}[%i] : {type}",
            f"  cf.cond_br %c, ^l{k}, ^r{k}",
            f"^l{k}:",
            f"  %u{k} = memref.alloc() : {type}",
            f"  memref.store %x{k}, %u{k}[%i] : {type}",
            f"  cf.br ^b{k + 1}(%u{k} : {type})",
            f"^r{k}:",
            f"  %v{k} = memref.alloc() : {type}",
            f"  memref.store %f, %v{k}[%i] : {type}",
            f"  cf.br ^b{k + 1}(%v{k} : {type})",
        ]
    body.append(f"^b{count}(%t{count}: {type}):")
    return _function("branching_allocations", "(%f: f32, %i: index, %c: i1)", body, "return")


def slices_first(n: int) -> str:
    """All tiles are extracted from one tensor before the first is inserted: each write is between another slice and its
    use.
    """
    count = max(n // 3, 1)
    type, tile = f"tensor<{4 * count}xf32>", "tensor<4xf32>"
    body = [f"  %s{k} = tensor.extract_slice %t[{4 * k}] [4] [1] : {type} to {tile}" for k in range(count)]
    current = "%t"
    for k in range(count):
        body.append(f"  %w{k} = linalg.fill ins(%f : f32) outs(%s{k} : {tile}) -> {tile}")
        body.append(
            f"  %t{k} = tensor.insert_slice %w{k} into {current}[{4 * k}] [4] [1] : {tile} into {type}"
        )
        current = f"%t{k}"
    return _function("slices_first", f"(%t: {type}, %f: f32) -> {type}", body, f"return {current} : {type}")


def conflicts(n: int) -> str:
    """Each update is followed by a read of the overwritten value: one copy per two operations."""
    type = "tensor<64xf32>"
    body, current, total = [], "%t", "%f"
    for k in range(max(n // 3, 1)):
        body += [
            f"  %u{k} = tensor.insert {total} into {current}[%i] : {type}",
            f"  %x{k} = tensor.extract {current}[%j] : {type}",
            f"  %y{k} = arith.addf %x{k}, {total} : f32",
        ]
        current, total = f"%u{k}", f"%y{k}"
    return _function(
        "conflicts",
        f"(%t: {type}, %f: f32, %i: index, %j: index) -> ({type}, f32)",
        body,
        f"return {current}, {total} : {type}, f32",
    )


def deep_loops(n: int) -> str:
    """Loops nested as deep as the program is long, each reading what the inner one updates."""
    type = "tensor<16xf32>"
    depth = min(NEST, max(n // 4, 1))
    body = ["  %c0 = arith.constant 0 : index", "  %c1 = arith.constant 1 : index"]
    body.append("  %c4 = arith.constant 4 : index")
    outer = "%t"
    for nest in range(max(n // (4 * depth), 1)):
        current = outer
        for d in range(depth):
            name = f"{nest}_{d}"
            body.append(
                f"  %r{name} = scf.for %i{name} = %c0 to %c4 step %c1 iter_args(%a{name} = {current}) -> ({type}) {{"
            )
            body.append(f"  %x{name} = tensor.extract %a{name}[%i{name}] : {type}")
            current = f"%a{name}"
        for d in reversed(range(depth)):
            name = f"{nest}_{d}"
            inner = f"%r{nest}_{d + 1}" if d + 1 < depth else current
            body.append(f"  %u{name} = tensor.insert %x{name} into {inner}[%i{name}] : {type}")
            body.append(f"  scf.yield %u{name} : {type}")
            body.append("  }")
        outer = f"%r{nest}_0"
    return _function("deep_loops", f"(%t: {type}) -> {type}", body, f"return {outer} : {type}")


def wide_maps(n: int) -> str:
    """One affine map with a sum of as many terms as the program has operations."""
    count = max(n - 5, 1)
    body = [f"  %k{k} = arith.addi %i, %{f'k{k - 1}' if k else 'i'} : index" for k in range(count)]
    terms = " + ".join(f"s{k} * {k + 2}" for k in range(count))
    symbols = ", ".join(f"s{k}" for k in range(count))
    given = ", ".join(f"%k{k}" for k in range(count))
    type = "tensor<64xf32>"
    body += [
        f"  %x = affine.apply affine_map<()[{symbols}] -> ({terms})>()[{given}]",
        f"  %u = tensor.insert %f into %t[%x] : {type}",
        f"  %y = tensor.extract %t[%i] : {type}",
        f"  %v = tensor.insert %y into %u[%x] : {type}",
    ]
    return _function("wide_maps", f"(%t: {type}, %f: f32, %i: index) -> {type}", body, f"return %v : {type}")


def results(n: int) -> str:
    """One structured operation with half as many results as the program has operations."""
    count, type = max(n // 2, 1), "tensor<64xf32>"
    types = ", ".join([type] * count)
    maps = ", ".join(["affine_map<(d0) -> (d0)>"] * count)
    outs = ", ".join(f"%t{k}" for k in range(count))
    body = [
        f'  %r:{count} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}} outs({outs} : {types}) {{',
        f"  ^bb0({', '.join(f'%a{k}: f32' for k in range(count))}):",
        *[f"    %s{k} = arith.addf %a{k}, %f : f32" for k in range(count)],
        f"    linalg.yield {', '.join(f'%s{k}' for k in range(count))} : {', '.join(['f32'] * count)}",
        f"  }} -> ({types})",
    ]
    arguments = ", ".join(f"%t{k}: {type}" for k in range(count))
    returned = ", ".join(f"%r#{k}" for k in range(count))
    return _function("results", f"({arguments}, %f: f32) -> ({types})", body, f"return {returned} : {types}")


def deep_whiles(n: int) -> str:
    """Loops of unknown length nested in one another, carrying one tensor through all of them."""
    type = "tensor<64xf32>"
    depth = min(NEST, max(n // 4, 1))
    body = []
    outer = "%t"
    for nest in range(max(n // (4 * depth), 1)):
        current = outer
        for d in range(depth):
            name = f"{nest}_{d}"
            body.append(f"  %r{name} = scf.while (%a{name} = {current}) : ({type}) -> {type} {{")
            body += [f"  scf.condition(%c) %a{name} : {type}", "  } do {", f"  ^bb0(%d{name}: {type}):"]
            current = f"%d{name}"
        body.append(f"  %u{nest} = tensor.insert %f into {current}[%i] : {type}")
        inner = f"%u{nest}"
        for d in reversed(range(depth)):
            body += [f"  scf.yield {inner} : {type}", "  }"]
            inner = f"%r{nest}_{d}"
        outer = inner
    return _function(
        "deep_whiles", f"(%t: {type}, %f: f32, %i: index, %c: i1) -> {type}", body, f"return {outer} : {type}"
    )


def versions(n: int) -> str:
    """Updates of one tensor that are all kept and read at the end: all but one are copied, in any order."""
    count = max(n // 3, 1)
    body = [f"  %t{k} = tensor.insert %f into %t[%i] : tensor<64xf32>" for k in range(count)]
    current = "%f"
    for k in range(count):
        body.append(f"  %x{k} = tensor.extract %t{k}[%j] : tensor<64xf32>")
        body.append(f"  %y{k} = arith.addf {current}, %x{k} : f32")
        current = f"%y{k}"
    signature = "(%t: tensor<64xf32>, %f: f32, %i: index, %j: index) -> f32"
    return _function("versions", signature, body, f"return {current} : f32")


def kept_branches(n: int) -> str:
    """Conditional updates in a row, each of which leaves a tensor that is read later: many buffers for one value."""
    unit = """\
  %t$k = scf.if %c -> (tensor<64xf32>) {
    %a$k = tensor.insert %f into $t[%i] : tensor<64xf32>
    scf.yield %a$k : tensor<64xf32>
  } else {
    scf.yield $t : tensor<64xf32>
  }
  %x$k = tensor.extract $t[%i] : tensor<64xf32>
  func.call @use(%x$k) : (f32) -> ()
"""
    signature = "(%t: tensor<64xf32>, %f: f32, %i: index, %c: i1) -> tensor<64xf32>"
    text = _threaded("kept_branches", signature, "return $t : tensor<64xf32>", max(n // 6, 1), unit)
    return "func.func private @use(f32)\n" + text


def small_conflicts(n: int) -> str:
    """Many functions with one conflict each."""
    body = [
        "  %a = tensor.insert %f into %t[%i] : tensor<64xf32>",
        "  %x = tensor.extract %t[%i] : tensor<64xf32>",
    ]
    signature = "(%t: tensor<64xf32>, %f: f32, %i: index) -> (f32, tensor<64xf32>)"
    ends = "return %x, %a : f32, tensor<64xf32>"
    return "".join(_function(f"f{k}", signature, body, ends) for k in range(max(n // 4, 1)))


def call_chain(n: int) -> str:
    """Functions that call one another in a row, each with a conflict."""
    signature = "(%t: tensor<64xf32>, %f: f32, %i: index) -> tensor<64xf32>"
    begin = "  %a = tensor.insert %f into %t[%i] : tensor<64xf32>"
    text = _function("private @f0", signature, [begin], "return %a : tensor<64xf32>")
    count = max(n // 5, 2)
    for k in range(1, count):
        body = [
            f"  %a = call @f{k - 1}(%t, %f, %i) : (tensor<64xf32>, f32, index) -> tensor<64xf32>",
            "  %x = tensor.extract %t[%i] : tensor<64xf32>",
            "  %b = tensor.insert %x into %a[%i] : tensor<64xf32>",
        ]
        name = f"private @f{k}" if k < count - 1 else f"f{k}"
        text += _function(name, signature, body, "return %b : tensor<64xf32>")
    return text


def carried(n: int) -> str:
    """A loop that carries many tensors and updates each."""
    type, count = "tensor<64xf32>", max(n // 2, 1)
    numbers, types = range(count), ", ".join([type] * count)
    inits = ", ".join(f"%a{k} = %t{k}" for k in numbers)
    body = ["  %c0 = arith.constant 0 : index", "  %c1 = arith.constant 1 : index"]
    body.append(f"  %r:{count} = scf.for %k = %c0 to %n step %c1 iter_args({inits}) -> ({types}) {{")
    body += [f"    %u{k} = tensor.insert %f into %a{k}[%k] : {type}" for k in numbers]
    body += [f"    scf.yield {', '.join(f'%u{k}' for k in numbers)} : {types}", "  }"]
    signature = f"({', '.join(f'%t{k}: {type}' for k in numbers)}, %f: f32, %n: index) -> ({types})"
    return _function("carried", signature, body, f"return {', '.join(f'%r#{k}' for k in numbers)} : {types}")


FAMILIES: dict[str, Family] = {
    family.__name__: family
    for family in (
        chain,
        interleaved,
        slices,
        butterflies,
        layers,
        loops,
        fan_out,
        calls,
        branches,
        functions,
        mixed,
        nested,
        alternatives,
        allocations,
        branching_allocations,
        slices_first,
        conflicts,
        deep_loops,
        wide_maps,
        results,
        deep_whiles,
        versions,
        kept_branches,
        small_conflicts,
        call_chain,
        carried,
    )
}

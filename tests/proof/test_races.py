"""Parallel loops against enumeration: which elements their iterations access, and whether they overwrite all of a tensor."""

import random
from itertools import product

from bufferize import parse, prove


def subscript(choose, counters):
    """A random index over the counters: text that computes it, and its value."""
    parts = [choose.choice([0, 0, 1, 1, 1, 2, -1, 3]) for _ in counters]
    constant = choose.choice([0, 0, 1, 2, 5])
    text = " + ".join([*(f"d{k} * {n}" for k, n in enumerate(parts)), str(constant)])
    dims = ", ".join(f"d{k}" for k in range(len(counters)))
    map_ = f"affine.apply affine_map<({dims}) -> ({text})>({', '.join(counters)})"
    return map_, lambda at: constant + sum(n * i for n, i in zip(parts, at, strict=True))


def loops(choose):
    count = choose.choice((1, 1, 2))
    return [
        (choose.choice((0, 0, 1)), choose.randrange(2, 6), choose.choice((1, 1, 2))) for _ in range(count)
    ]


def test_iterations_that_write_what_others_access():
    """Into new memory, which is freed: added to a program, such a loop is proved only if it has no races and stays in bounds."""
    choose, proved, good = random.Random(1), 0, 0
    for _ in range(80):
        bounds, rank = loops(choose), choose.choice((1, 1, 2))
        counters = [f"%i{k}" for k in range(len(bounds))]
        size = choose.choice((1, 1, 1, 2, 3))
        step = choose.choice((1, 1, 2)) if size > 1 else 1
        writes = [subscript(choose, counters) for _ in range(rank)]
        reads = [subscript(choose, counters) for _ in range(rank)] if choose.random() < 0.4 else None
        extents = [choose.choice((8, 12)) for _ in range(rank)]
        type = f"memref<{'x'.join(map(str, extents))}xi32>"
        lines = [f"%w{d} = {text}" for d, (text, _) in enumerate(writes)]
        places = [f"%w{d}" for d in range(rank)]
        if size == 1:
            lines.append(f"memref.store %x, %a[{', '.join(places)}] : {type}")
        else:
            sizes = [size if d == 0 else 1 for d in range(rank)]
            steps = [step if d == 0 else 1 for d in range(rank)]
            part = f"memref<{'x'.join(map(str, sizes))}xi32, strided<{[s if d == rank - 1 else extents[-1] * s for d, s in enumerate(steps)]}, offset: ?>>"
            lines.append(f"%s = memref.subview %a[{', '.join(places)}] {sizes} {steps} : {type} to {part}")
            lines.append(f"linalg.fill ins(%x : i32) outs(%s : {part})")
        if reads:
            lines += [f"%r{d} = {text}" for d, (text, _) in enumerate(reads)]
            lines.append(f"%l = memref.load %a[{', '.join(f'%r{d}' for d in range(rank))}] : {type}")
        lists = ["(" + ", ".join(f"%c{b[k]}" for b in bounds) + ")" for k in range(3)]
        head = f"scf.parallel ({', '.join(counters)}) = {lists[0]} to {lists[1]} step {lists[2]}"
        constants = "\n".join(f"%c{n} = arith.constant {n} : index" for n in range(7))
        body = "\n".join(lines)
        added = f"""%a = memref.alloc() : {type}
          linalg.fill ins(%x : i32) outs(%a : {type})
          {constants}
          {head} {{
            {body}
          }}
          memref.dealloc %a : {type}"""
        before, after = (
            parse(f"func.func @f(%x: i32) -> i32 {{\n{more}\nreturn %x : i32\n}}") for more in ("", added)
        )
        seen = {}
        inside = True
        for at in product(*(range(*b) for b in bounds)):
            start = [f(at) for _, f in writes]
            for k in range(size):
                place = (start[0] + k * step, *start[1:])
                inside &= all(0 <= p < n for p, n in zip(place, extents, strict=True))
                seen.setdefault(place, set()).add((at, True))
            if reads:
                place = tuple(f(at) for _, f in reads)
                inside &= all(0 <= p < n for p, n in zip(place, extents, strict=True))
                seen.setdefault(place, set()).add((at, False))
        races = any(
            any(w for _, w in users) and len({iteration for iteration, _ in users}) > 1
            for users in seen.values()
        )
        fine = inside and not races
        claimed = prove(before, after).proved
        assert not claimed or fine, added
        proved, good = proved + claimed, good + fine
    assert (proved, good) == (20, 25)


def test_iterations_that_overwrite_all_of_a_tensor():
    """Then it does not matter what the tensor was."""
    choose, proved, good = random.Random(2), 0, 0
    for _ in range(90):
        bounds = loops(choose)
        counters = [f"%i{k}" for k in range(len(bounds))]
        rank = choose.choice((1, 1, len(bounds)))
        first = [
            subscript(choose, counters) if choose.random() < 0.3 else plain(d, counters) for d in range(rank)
        ]
        sizes = [choose.choice((1, 1, 2, 3)) for _ in range(rank)]
        cells = {
            at: set(product(*(range(f(at), f(at) + n) for (_, f), n in zip(first, sizes, strict=True))))
            for at in product(*(range(*b) for b in bounds))
        }
        every = [cell for here in cells.values() for cell in here]
        extents = [max(line) + 1 + choose.choice((0, 0, 0, 1)) for line in zip(*every, strict=True)]
        if len(every) > len(set(every)) or not all(p >= 0 for cell in every for p in cell):
            continue  # the original would be undefined
        type = f"tensor<{'x'.join(map(str, extents))}xi32>"
        part = f"tensor<{'x'.join(map(str, sizes))}xi32>"
        lines = "\n".join(f"%w{d} = {text}" for d, (text, _) in enumerate(first))
        places = ", ".join(f"%w{d}" for d in range(rank))
        head = " = ".join(["(" + ", ".join(counters) + ")", "(" + ", ".join(str(b[0]) for b in bounds) + ")"])
        ends = "(" + ", ".join(str(b[1]) for b in bounds) + ")"
        steps = "(" + ", ".join(str(b[2]) for b in bounds) + ")"
        programs = [
            parse(f"""func.func @f(%x: i32, %t: {type}, %u: {type}) -> {type} {{
              %r = scf.forall {head} to {ends} step {steps} shared_outs(%o = {init}) -> ({type}) {{
                {lines}
                %s = tensor.splat %x : {part}
                scf.forall.in_parallel {{
                  tensor.parallel_insert_slice %s into %o[{places}] {sizes} {[1] * rank} : {part} into {type}
                }}
              }}
              return %r : {type}
            }}""")
            for init in ("%t", "%u")
        ]
        covers = set(every) == set(product(*map(range, extents)))
        claimed = prove(*programs).proved
        assert not claimed or covers, str(programs[0])
        assert prove(programs[0], programs[0].clone()).proved
        proved, good = proved + claimed, good + covers
    assert (proved, good) == (11, 11)


def plain(d, counters):
    k = d % len(counters)
    dims = ", ".join(f"d{i}" for i in range(len(counters)))
    return f"affine.apply affine_map<({dims}) -> (d{k})>({', '.join(counters)})", lambda at: at[k]

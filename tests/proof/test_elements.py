"""Tensors that are assembled from parts, against their elements: two programs are proved the same only if each element is."""

import random
from itertools import product

from bufferize import parse, prove

SIDE = 4
TYPE = f"tensor<{SIDE}x{SIDE}xf32>"
CELLS = list(product(range(SIDE), repeat=2))


def part(choose):
    """Offsets, sizes and strides of a part, and another place for as many elements."""
    found = []
    for _ in range(2):
        size = choose.choice((1, 2, 2, 3, 4))
        stride = choose.choice((1, 1, 1, 2)) if size < 3 else 1
        room = SIDE - (size - 1) * stride
        found.append((choose.randrange(room), choose.randrange(SIDE - size + 1), size, stride))
    return found


def statement(choose, count):
    """A random statement on the tensors `%v0`... so far, of which the last one matters most."""
    a, b = (count - 1 - min(int(choose.expovariate(0.8)), count - 1) for _ in range(2))
    kind = choose.choice(
        ["copy"] * 4 + ["fill"] * 3 + ["map", "select", "transpose", "reshape", "insert", "halves"]
    )
    return kind, a, b, part(choose), choose.randrange(3)


def written(statements):
    """The program of some statements, and for each condition the elements of its result."""
    lines, values = [], []
    for name in "tu":
        values.append({(cell, c): (name, *cell) for cell in CELLS for c in (0, 1)})
    names = ["%t", "%u"]
    for i, (kind, a, b, dims, k) in enumerate(statements):
        left, right, new = names[a], names[b], f"%v{i}"
        mine, its = values[a], dict(values[b])
        (o1, p1, n1, d1), (o2, p2, n2, d2) = dims
        small = f"tensor<{n1}x{n2}xf32>"
        inner = list(product(range(n1), range(n2)))
        put = f"[{p1}, {p2}] [{n1}, {n2}] [1, 1] : {small} into {TYPE}"
        if kind in ("copy", "fill", "halves"):
            lines.append(
                f"%s{i} = tensor.extract_slice {left}[{o1}, {o2}] [{n1}, {n2}] [{d1}, {d2}] : {TYPE} to {small}"
            )
            source = f"%s{i}"
            if kind == "fill":
                source = f"%f{i}"
                lines.append(f"{source} = linalg.fill ins(%k{k} : f32) outs(%s{i} : {small}) -> {small}")
            for (x, y), c in product(inner, (0, 1)):
                element = ("k", k) if kind == "fill" else mine[(o1 + x * d1, o2 + y * d2), c]
                its[(p1 + x, p2 + y), c] = element
            if kind == "halves" and n1 > 1:  # the same in two steps
                rest = f"tensor<{n1 - 1}x{n2}xf32>"
                first = f"tensor<1x{n2}xf32>"
                lines += [
                    f"%a{i} = tensor.extract_slice {source}[0, 0] [1, {n2}] [1, 1] : {small} to {first}",
                    f"%b{i} = tensor.extract_slice {source}[1, 0] [{n1 - 1}, {n2}] [1, 1] : {small} to {rest}",
                    f"%c{i} = tensor.insert_slice %a{i} into {right}[{p1}, {p2}] [1, {n2}] [1, 1] : {first} into {TYPE}",
                    f"{new} = tensor.insert_slice %b{i} into %c{i}[{p1 + 1}, {p2}] [{n1 - 1}, {n2}] [1, 1] : {rest} into {TYPE}",
                ]
            else:
                lines.append(f"{new} = tensor.insert_slice {source} into {right}{put}")
        elif kind == "map":
            lines.append(f"{new} = linalg.map {{ math.absf }} ins({left} : {TYPE}) outs({right} : {TYPE})")
            its = {key: ("abs", element) for key, element in mine.items()}
        elif kind == "select":
            lines.append(f"{new} = arith.select %c, {left}, {right} : {TYPE}")
            its = {(cell, c): (mine if c else its)[cell, c] for cell, c in its}
        elif kind == "transpose":
            lines.append(
                f"{new} = linalg.transpose ins({left} : {TYPE}) outs({right} : {TYPE}) permutation = [1, 0]"
            )
            its = {((x, y), c): mine[(y, x), c] for (x, y), c in mine}
        elif kind == "reshape":
            flat, odd = f"tensor<{SIDE * SIDE}xf32>", f"tensor<{SIDE // 2}x2x{SIDE}xf32>"
            lines += [
                f"%a{i} = tensor.expand_shape {left} [[0, 1], [2]] output_shape [{SIDE // 2}, 2, {SIDE}] : {TYPE} into {odd}",
                f"%b{i} = tensor.collapse_shape %a{i} [[0, 1, 2]] : {odd} into {flat}",
                f"%x{i} = tensor.extract %b{i}[%i{p1 * SIDE + p2}] : {flat}",
                f"{new} = tensor.insert %x{i} into {right}[%i{o1}, %i{o2}] : {TYPE}",
            ]
            its |= {((o1, o2), c): mine[(p1, p2), c] for c in (0, 1)}
        else:
            lines += [
                f"%x{i} = tensor.extract {left}[%i{o1}, %i{o2}] : {TYPE}",
                f"{new} = tensor.insert %x{i} into {right}[%i{p1}, %i{p2}] : {TYPE}",
            ]
            its |= {((p1, p2), c): mine[(o1, o2), c] for c in (0, 1)}
        names.append(new)
        values.append(its)
    constants = [f"%k{k} = arith.constant {k}.0 : f32" for k in range(3)]
    constants += [f"%i{k} = arith.constant {k} : index" for k in range(SIDE * SIDE)]
    text = "\n".join([*constants, *lines])
    module = parse(
        f"func.func @f(%t: {TYPE}, %u: {TYPE}, %c: i1) -> {TYPE} {{\n{text}\nreturn {names[-1]} : {TYPE}\n}}"
    )
    return module, values[-1]


def changed(choose, statements):
    """Other statements, of which some do the same."""
    found = list(statements)
    at = choose.randrange(len(found))
    kind, a, b, dims, k = found[at]
    match choose.choice(["halves", "swap", "skip", "skip", "place", "constant", "source"]):
        case "halves":
            found = [
                ("halves" if one[0] == "copy" else "copy" if one[0] == "halves" else one[0], *one[1:])
                for one in found
            ]
        case "swap" if at:
            found[at - 1 : at + 1] = [found[at][:1] + found[at - 1][1:], found[at - 1][:1] + found[at][1:]]
        case "skip":  # its users use what it was inserted into
            del found[at]
            gone = at + 2

            def without(one):
                return one - 1 if one > gone else b if one == gone else one

            found = [(one[0], without(one[1]), without(one[2]), *one[3:]) for one in found]
        case "place":
            found[at] = (kind, a, b, part(choose), k)
        case "constant":
            found[at] = (kind, a, b, dims, (k + 1) % 3)
        case _:
            found[at] = (kind, choose.randrange(at + 2), b, dims, k)
    return found


def test_tensors_of_parts():
    choose, proved, same = random.Random(4), 0, 0
    for _ in range(45):
        statements = []
        for i in range(choose.randrange(2, 6)):
            statements.append(statement(choose, i + 2))
        other = changed(choose, statements)
        if not other:
            continue
        (before, mine), (after, its) = written(statements), written(other)
        claimed = prove(before, after).proved
        assert not claimed or mine == its, f"{before}\n{after}"
        proved, same = proved + claimed, same + (mine == its)
    assert (proved, same) == (27, 29)

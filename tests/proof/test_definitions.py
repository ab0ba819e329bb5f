"""Operations that bufferization expands have a definition in the checker: it says what running them gives.

A program of one operation is run over terms; the term of its result is evaluated with NumPy, by rules that stand here, on numbers that the
interpreter runs the operation on as well.
"""

import re

import bufferize
import pytest
from bufferize.proof import contents as c
from bufferize.proof.blocks import run_function
from bufferize.proof.facts import Facts
from bufferize.proof.machine import Executor
from bufferize.proof.state import Symbols

np = pytest.importorskip("numpy")
from bufferize.interpreter.machine import Machine  # noqa: E402
from bufferize.interpreter.values import Array  # noqa: E402

UNWRITTEN = -999
V, M = "tensor<4xindex>", "tensor<2x3xindex>"
GIVEN = (np.arange(10, 14), np.arange(20, 26).reshape(2, 3), 7, 1)
"""%v, %m, %x and %n."""

PAD_BY_PLACE = "{ ^bb0(%i: index, %j: index): %y = arith.muli %i, %x : index %z = arith.addi %y, %j : index tensor.yield %z : index }"
PAD_BY_ONE = "{ ^bb0(%i: index): tensor.yield %x : index }"


def mapped(*places: str) -> str:
    return ", ".join(f"affine_map<{place}>" for place in places)


STRUCTURED = {
    "elementwise": f"linalg.generic {{indexing_maps = [{mapped('(i, j) -> (i, j)', '(i, j) -> (j)', '(i, j) -> (i, j)')}], "
    'iterator_types = ["parallel", "parallel"]} '
    f"ins(%m, %row : {M}, tensor<3xindex>) outs(%m : {M}) {{ ^bb0(%a: index, %b: index, %c: index): "
    "%d = arith.muli %a, %b : index %e = arith.addi %d, %c : index %i = linalg.index 0 : index "
    f"%f = arith.addi %e, %i : index linalg.yield %f : index }} -> {M}",
    "a transposed result": f"linalg.generic {{indexing_maps = [{mapped('(i, j) -> (i, j)', '(i, j) -> (j, i)')}], "
    'iterator_types = ["parallel", "parallel"]} '
    f"ins(%m : {M}) outs(%turned : tensor<3x2xindex>) {{ ^bb0(%a: index, %c: index): "
    "%j = linalg.index 1 : index %d = arith.muli %a, %j : index linalg.yield %d : index } -> tensor<3x2xindex>",
    "a sum": f"linalg.generic {{indexing_maps = [{mapped('(i, j) -> (i, j)', '(i, j) -> (i)')}], "
    'iterator_types = ["parallel", "reduction"]} '
    f"ins(%m : {M}) outs(%small : tensor<2xindex>) {{ ^bb0(%a: index, %c: index): "
    "%d = arith.muli %c, %a : index %e = arith.addi %d, %x : index linalg.yield %e : index } -> tensor<2xindex>",
    "a slice of what is computed": f"tensor.extract_slice %twice[1, %n] [1, 2] [1, 1] : {M} to tensor<2xindex>",
    "of what is computed in another order": f"linalg.generic {{indexing_maps = [{mapped('(i, j) -> (j, i)', '(i, j) -> (i, j)')}], "
    'iterator_types = ["parallel", "parallel"]} '
    f"ins(%twice : {M}) outs(%turned : tensor<3x2xindex>) {{ ^bb0(%a: index, %c: index): "
    "%d = arith.muli %a, %a : index linalg.yield %d : index } -> tensor<3x2xindex>",
    "a product of slices": f"tensor.extract_slice %product[0, 0] [2, 3] [1, 1] : {M} to {M}",
    "a slice of a product": f"tensor.extract_slice %product[0, %n] [2, 2] [1, 1] : {M} to tensor<2x2xindex>",
}
PROGRAMS = {
    "pad below and above": f"tensor.pad %v low[2] high[1] {PAD_BY_ONE} : {V} to tensor<7xindex>",
    "pad nowhere": f"tensor.pad %v low[0] high[0] {PAD_BY_ONE} : {V} to {V}",
    "pad by an amount not known": f"tensor.pad %v low[%n] high[3] {PAD_BY_ONE} : {V} to tensor<?xindex>",
    "pad with what depends on the place": f"tensor.pad %m low[1, 0] high[0, 2] {PAD_BY_PLACE} : {M} to tensor<3x5xindex>",
    "concat of rows": f"tensor.concat dim(0) %m, %m : ({M}, {M}) -> tensor<4x3xindex>",
    "concat of columns": f"tensor.concat dim(1) %m, %m, %m : ({M}, {M}, {M}) -> tensor<2x9xindex>",
    "concat of sizes not known": f"tensor.concat dim(0) %part, %v : (tensor<?xindex>, {V}) -> tensor<?xindex>",
    "from_elements": "tensor.from_elements %x, %n, %x : tensor<3xindex>",
    "from_elements of a matrix": "tensor.from_elements %x, %n, %n, %x, %x, %n : tensor<3x2xindex>",
    "from_elements alike": "tensor.from_elements %x, %x : tensor<2xindex>",
    "from_elements of one": "tensor.from_elements %x : tensor<index>",
    "splat": "tensor.splat %x : tensor<2x2xindex>",
    "splat of a size not known": "tensor.splat %x[%n] : tensor<2x?xindex>",
    "generate": "tensor.generate %n { ^bb0(%i: index, %j: index): %y = arith.muli %i, %x : index "
    "%z = arith.addi %y, %j : index tensor.yield %z : index } : tensor<?x4xindex>",
    "insert_slice with strides": f"tensor.insert_slice %small into %v[%n] [2] [2] : tensor<2xindex> into {V}",
    "insert_slice of a row": f"tensor.insert_slice %row into %m[1, 0] [1, 3] [1, 1] : tensor<3xindex> into {M}",
    "extract_slice with strides": f"tensor.extract_slice %v[1] [2] [2] : {V} to tensor<2xindex>",
    "extract_slice of a column": f"tensor.extract_slice %m[0, %n] [2, 1] [1, 1] : {M} to tensor<2xindex>",
    "collapse_shape": f"tensor.collapse_shape %m [[0, 1]] : {M} into tensor<6xindex>",
    "expand_shape": f"tensor.expand_shape %v [[0, 1]] output_shape [2, 2] : {V} into tensor<2x2xindex>",
    **STRUCTURED,
    "insert": f"tensor.insert %x into %m[%n, %n] : {M}",
}


def program(line: str) -> str:
    result = re.findall(r"tensor<[^>]*>", line)[-1]
    return f"""
func.func @f(%v: {V}, %m: {M}, %x: index, %n: index) -> {result} {{
  %part = tensor.extract_slice %v[1] [%n] [1] : {V} to tensor<?xindex>
  %small = tensor.extract_slice %v[2] [2] [1] : {V} to tensor<2xindex>
  %row = tensor.extract_slice %m[0, 0] [1, 3] [1, 1] : {M} to tensor<3xindex>
  %col = tensor.extract_slice %m[0, 1] [2, 2] [1, 1] : {M} to tensor<2x2xindex>
  %turned = tensor.empty() : tensor<3x2xindex>
  %twice = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}} ins(%m : {M}) outs(%m : {M}) {{
  ^bb0(%a: index, %c: index):
    %j = linalg.index 1 : index
    %b = arith.addi %a, %j : index
    linalg.yield %b : index
  }} -> {M}
  %wide = tensor.extract_slice %twice[0, 0] [2, 3] [1, 1] : {M} to tensor<2x3xindex>
  %product = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}} ins(%col, %wide : tensor<2x2xindex>, tensor<2x3xindex>) outs(%m : {M}) {{
  ^bb0(%a: index, %b: index, %c: index):
    %p = arith.muli %a, %b : index
    %s = arith.addi %c, %p : index
    linalg.yield %s : index
  }} -> {M}
  %r = {line}
  return %r : {result}
}}"""


def evaluated(term, places=None):
    """What a term is, on GIVEN."""
    places = places or {}

    def value(other):
        return evaluated(other, places)

    def part(box):
        offsets, sizes, strides = ([int(value(n)) for n in numbers] for numbers in box)
        return tuple(slice(o, o + s * d, d) for o, s, d in zip(offsets, sizes, strides, strict=True))

    shape = tuple(int(value(size)) for size in term.shape) if term.shape is not None else ()
    args = term.args
    match term.op:
        case "const":
            return term.attr
        case "sym":
            return GIVEN[term.attr[1]]
        case "place":
            return places[term.attr]
        case "lin":
            return term.attr[0] + sum(n * value(arg) for n, arg in zip(term.attr[1:], args, strict=True))
        case "prod":
            return np.prod([value(arg) for arg in args])
        case "undef" | "blank":
            return np.full(shape, UNWRITTEN)
        case "fill":
            return np.full(shape, value(args[0]))
        case "item":
            return value(args[0]).reshape(())[()]
        case "reshape":
            return value(args[0]).reshape(shape)
        case "transpose":
            return value(args[0]).transpose(term.attr)
        case "ext":
            return value(args[0])[part(c.box_of(term))]
        case "ins":
            changed = value(args[0]).copy()
            changed[part(c.box_of(term))] = value(args[1])
            return changed
        case "generate":
            made = np.empty(shape, dtype=int)
            for index in np.ndindex(*shape):
                here = {(term.attr, i): at for i, at in enumerate(index)}
                made[index] = evaluated(args[0], {**places, **here})
            return made
        case "coord":
            return places["coord", term.attr]
        case "acc":
            return places["acc"][term.attr]
        case "pick":
            return value(args[0])[tuple(int(value(i)) for i in args[1:])]
        case "at":
            return value(args[0])[tuple(0 if dim is None else places["coord", dim] for dim in term.attr)]
        case "map":
            made = np.empty(shape, dtype=int)
            for index in np.ndindex(*shape):
                made[index] = evaluated(args[0], {("coord", i): at for i, at in enumerate(index)})
            return made
        case "reduce":
            n = len(term.attr[1])
            made = [value(begin).copy() for begin in args[n : 2 * n]]
            ends = [int(value(extent)) for extent in args[2 * n :]]
            for index in np.ndindex(*shape, *ends):
                into = index[: len(shape)]
                here = {("coord", i): at for i, at in enumerate(index)}
                here["acc"] = [each[into] for each in made]
                for each, body in zip(made, args[:n], strict=True):
                    each[into] = evaluated(body, here)
            return made[0]
    raise AssertionError(f"no rule for {term.op}")


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_definition_says_what_running_gives(name):
    module = bufferize.parse(program(PROGRAMS[name]))
    (function,) = (op for op in module.walk() if op.name == "func.func")
    (term,) = run_function(
        Executor(
            module=module,
            transformed=False,
            facts=Facts(),
            symbols=Symbols(module),
            other_symbols=Symbols(module),
            contracts={},
        ),
        function,
        function,
    ).values
    given = [Array(x) if isinstance(x, np.ndarray) else x for x in GIVEN]
    machine = Machine(module)
    (ran,) = machine.call(machine.function("f"), given)
    assert np.array_equal(evaluated(term), ran.data)
    assert UNWRITTEN not in evaluated(term)

"""The verdict on a clone, by the origins of its buffer and by what other deallocation passes save."""

from types import SimpleNamespace

import pytest
from bufferize import parse
from bufferize.explain import clones
from bufferize.explain.clones import CloneVerdicts, Saving, freed_otherwise
from bufferize.explain.finding import Word
from bufferize.transforms.bufferize.on_copy import Bufferized
from bufferize.transforms.memory_report import IRMapping, Kind

MODULE = parse("""
memref.global constant @one : memref<4xf32> = dense<1.0>
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) {
  %g = memref.get_global @one : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  %m = memref.alloc() : memref<4xf32>
  %x = call @unknown() : () -> memref<4xf32>
  cf.br ^next(%a : memref<4xf32>)
^next(%p: memref<4xf32>):
  %made = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  return
}
func.func private @g(%a: memref<4xf32>) {
  %made = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  return
}
func.func private @unknown() -> memref<4xf32>
""")
F, G = (op for op in MODULE.regions[0].ops() if op.name == "func.func" and not op.is_declaration)
VALUES = {
    "a": F.body.entry.args[0],
    "b": F.body.entry.args[1],
    "p": next(b for b in F.body if not b.is_entry).args[0],
}
VALUES |= {op.results[0].name_hint: op.results[0] for op in F.walk() if op.results}
MADE = {f: next(op for op in f.walk() if op.name == "bufferization.clone") for f in (F, G)}


def clone(function=F, rarely=False):
    return SimpleNamespace(
        op=MADE[function], times=SimpleNamespace(at_most=rarely), kind=Kind.CLONE, was_written=False
    )


def verdict(origins, saving=None, behind=False, by_hand=False, again=False, made=None):
    """The verdict on clones of a buffer that may come from these values."""
    found = object.__new__(CloneVerdicts)
    found._origins = lambda buffer: [VALUES[name] for name in origins]
    found._saving = lambda clones: saving
    found._is_returned_again = lambda clones, origin: again
    found.__dict__["_frees_by_hand"] = by_hand
    finding = SimpleNamespace(name="%r", op=F.body.entry.first_op)
    return found.verdict(
        finding,
        [clone()] if made is None else made,
        "bufferize-opt t.mlir -buffer-deallocation-pipeline",
        behind,
    )


PART, WHOLE = Saving("-other", True), Saving("-other", False)
IN_CALLER = "%r is in a buffer of the caller, and callers free all results"
IN_GLOBAL = "%r is in the memory of a global, which must not be freed"
AT_RUN_TIME = "it is made only if %r is not owned at run time"
YIELDED_TWICE = "one buffer is yielded twice, and each of the two is freed"
UNKNOWN = "the owner of %r depends on the path taken at run time, or on code that is not analysed"
RARE = [clone(rarely=True)]
VERDICTS = [
    ({"origins": "a"}, "needed as written", IN_CALLER),
    ({"origins": "ab"}, "needed as written", IN_CALLER),
    ({"origins": "a", "saving": WHOLE}, "needed as written", IN_CALLER),
    ({"origins": "a", "saving": WHOLE, "by_hand": True}, "avoidable", "-other eliminates it"),
    ({"origins": "a", "saving": WHOLE, "made": [clone(G)]}, "avoidable", "-other eliminates it"),
    ({"origins": "a", "saving": WHOLE, "made": [clone(), clone(G)]}, "avoidable", "-other eliminates it"),
    ({"origins": "a", "made": [clone(G)]}, "needed as written", IN_CALLER),
    (
        {"origins": "an", "saving": WHOLE, "behind": True},
        "needed as written",
        "-other avoids it, but copies no less in total",
    ),
    (
        {"origins": "an", "saving": PART},
        "needed as written",
        "-other makes it only if %r is not owned at run time",
    ),
    (
        {"origins": "an", "saving": PART, "behind": True},
        "needed as written",
        "-other makes it only if %r is not owned at run time",
    ),
    ({"origins": "an", "saving": WHOLE}, "avoidable", "-other eliminates it"),
    ({"origins": "g"}, "needed as written", IN_GLOBAL),
    ({"origins": "ga"}, "needed as written", IN_GLOBAL),
    ({"origins": "gn"}, "open", UNKNOWN),
    ({"origins": "x"}, "open", "it is not known who owns the results of 'func.call'"),
    ({"origins": "ap"}, "open", "it is not known who owns the results of 'a branch'"),
    ({"origins": "nx", "made": RARE}, "open", "it is not known who owns the results of 'func.call'"),
    ({"origins": "an", "made": RARE}, "needed as written", AT_RUN_TIME),
    ({"origins": "an", "made": [clone(), *RARE]}, "open", UNKNOWN),
    ({"origins": "n", "made": []}, "open", UNKNOWN),
    ({"origins": "n", "again": True}, "needed as written", YIELDED_TWICE),
    ({"origins": "n", "again": False}, "open", UNKNOWN),
    ({"origins": "nm", "again": True}, "open", UNKNOWN),
    ({"origins": "", "again": True}, "open", UNKNOWN),
    ({"origins": "", "saving": WHOLE}, "avoidable", "-other eliminates it"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "word", "why"), VERDICTS)
def test_the_verdict_on_a_clone(given, word, why):
    found = verdict(**given)
    assert (str(found.word), found.why) == (word, why)
    if found.word is Word.AVOIDABLE:
        assert (found.change, found.command) == ("-other", "bufferize-opt t.mlir -other")
    elif found.word is Word.NEEDED:
        assert found.certificate[0] == "the receiver frees the buffer that 'memref.get_global' yields"


@pytest.mark.parametrize(
    ("kinds", "by_hand"), [([], False), ([Kind.COPY, Kind.CLONE], False), ([Kind.COPY, Kind.FREE], True)]
)
def test_whether_the_program_frees_by_hand(kinds, by_hand):
    trials = SimpleNamespace(memory_report=[SimpleNamespace(kind=kind) for kind in kinds])
    assert CloneVerdicts(trials, True)._frees_by_hand is by_hand


def test_what_saves_several_clones_must_save_each_in_one_way(monkeypatch):
    one, other, third = clone(), clone(G), clone(rarely=True)
    asked = []

    class Other:
        def __init__(self, bufferized, every, compat):
            asked.append((bufferized, every, compat))

        def saving(self, clone):
            return {id(one): WHOLE, id(other): WHOLE, id(third): PART}[id(clone)]

    monkeypatch.setattr(clones, "OtherFreeing", Other)
    written = SimpleNamespace(kind=Kind.CLONE, was_written=True)
    copy = SimpleNamespace(kind=Kind.COPY, was_written=False)
    report = [one, written, copy, other]
    result = SimpleNamespace(options=SimpleNamespace(compat=None))
    trials = SimpleNamespace(bufferized="bufferized", memory_report=report, result=result)
    found = CloneVerdicts(trials, True)
    assert found._saving([one]) == WHOLE and found._saving([one, other]) == WHOLE
    assert found._saving([one, third]) is None and found._saving([]) is None
    assert asked == [("bufferized", [one, other], "")]
    assert CloneVerdicts(trials, False)._saving([one]) is None
    trials.bufferized = None
    assert CloneVerdicts(trials, True)._saving([one]) is None


TWICE = """
func.func @f(%c: i1) -> (memref<4xf32>, memref<4xf32>) {
  %n = memref.alloc() : memref<4xf32>
  %m = memref.alloc() : memref<4xf32>
  %one = bufferization.clone %n : memref<4xf32> to memref<4xf32>
  %two = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  scf.if %c { memref.copy %m, %one : memref<4xf32> to memref<4xf32> }
  return %n, %one : memref<4xf32>, memref<4xf32>
}"""


def test_whether_a_buffer_is_returned_again():
    values = {op.results[0].name_hint: op.results[0] for op in parse(TWICE).walk() if op.results}
    found = CloneVerdicts(None, True)
    made = [SimpleNamespace(op=values[name].defining_op) for name in ("one", "two")]
    assert found._origins(values["n"]) == [values["n"]]
    assert found._is_returned_again(made, values["n"])
    assert not found._is_returned_again(made, values["m"])
    assert found._flow(values["n"]) is found._flow(values["m"])


@pytest.mark.parametrize(("visibility", "dynamic"), [("", False), ("private", True)])
def test_other_ways_to_free(visibility, dynamic):
    module = parse(
        f"func.func {visibility} @g(%a: memref<4xf32>) -> memref<4xf32> {{ return %a : memref<4xf32> }}\n"
        "func.func @f(%a: memref<4xf32>) { call @g(%a) : (memref<4xf32>) -> memref<4xf32> return }"
    )
    options = [option for option, _ in freed_otherwise(Bufferized(IRMapping(module)), "")]
    static = ["-buffer-deallocation-static"]
    assert options == (
        ["-buffer-deallocation-pipeline=private-function-dynamic-ownership"] * dynamic + static
    )

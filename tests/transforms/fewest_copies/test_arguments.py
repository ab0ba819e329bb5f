"""Which arguments a bufferized program overwrites or returns: a call overwrites what its callee does."""

import pytest
from bufferize import parse
from bufferize.transforms.fewest_copies.arguments import (
    named_arguments,
    not_donated,
    returned_arguments,
    written_arguments,
)

M = "memref<4xf32>"
STORE = f"memref.store %v, %m[%i] : {M}"
READER = (
    f"func.func private @r(%m: {M}, %i: index) -> f32 {{ %x = memref.load %m[%i] : {M} return %x : f32 }}"
)
WRITER = f"func.func private @w(%m: {M}, %v: f32, %i: index) {{ {STORE} return }}"
SELF = f"func.func private @s(%m: {M}, %i: index) {{ func.call @s(%m, %i) : ({M}, index) -> () return }}"
SAME = f"func.func private @id(%m: {M}) -> {M} {{ return %m : {M} }}"

WRITTEN = {
    "a store": ("", STORE, ["main"]),
    "a callee that reads": (READER, f"func.call @r(%m, %i) : ({M}, index) -> f32", []),
    "a callee that writes": (WRITER, f"func.call @w(%m, %v, %i) : ({M}, f32, index) -> ()", ["main", "w"]),
    "a callee of a callee": (
        f"{WRITER} func.func private @o(%m: {M}, %v: f32, %i: index) {{"
        f" func.call @w(%m, %v, %i) : ({M}, f32, index) -> () return }}",
        f"func.call @o(%m, %v, %i) : ({M}, f32, index) -> ()",
        ["main", "o", "w"],
    ),
    "a callee without a body": (
        f"func.func private @e({M})",
        f"func.call @e(%m) : ({M}) -> ()",
        ["main"],
    ),
    "a callee without a body that declares not to write": (
        f'func.func private @e({M} {{bufferization.access = "read"}})',
        f"func.call @e(%m) : ({M}) -> ()",
        [],
    ),
    "a callee without a body that declares to write": (
        f'func.func private @e({M} {{bufferization.access = "write"}})',
        f"func.call @e(%m) : ({M}) -> ()",
        ["main"],
    ),
    "a callee that calls itself": (SELF, f"func.call @s(%m, %i) : ({M}, index) -> ()", []),
    "what a callee returns is written": (
        SAME,
        f"%c = func.call @id(%m) : ({M}) -> {M} memref.store %v, %c[%i] : {M}",
        ["main"],
    ),
}


READ = f'{M} {{bufferization.access = "read"}}'
PICK = f"func.func private @one(%a: {M}, %b: {M}) -> {M} {{ return %a : {M} }}"
SWAP = (
    f"func.func private @other(%a: {M}, %b: {M}) -> {M} {{"
    f" %r = func.call @one(%b, %a) : ({M}, {M}) -> {M} return %r : {M} }}"
)
RECURSIVE = (
    f"func.func private @other(%a: {M}, %b: {M}) -> {M} {{"
    f" %r = func.call @other(%b, %a) : ({M}, {M}) -> {M} return %r : {M} }}"
)


@pytest.mark.parametrize(
    ("callees", "wanted"),
    [
        (PICK.replace("@one", "@other"), [0]),
        (PICK + SWAP, [1]),
        (RECURSIVE, [0, 1]),
        (f"func.func private @other({READ}, {READ}) -> {M}", [0, 1]),
    ],
)
@pytest.mark.parametrize("most", [32, 0])
def test_what_is_written_as_the_result_of_a_call_is_the_argument_that_it_returns(
    monkeypatch, callees, wanted, most
):
    monkeypatch.setattr("bufferize.transforms.fewest_copies.arguments.MAX_CALLS", most)
    module = parse(
        f"{callees}\n"
        f"func.func @main(%m: {M}, %n: {M}, %v: f32, %i: index) {{"
        f" %r = func.call @other(%m, %n) : ({M}, {M}) -> {M} memref.store %v, %r[%i] : {M} return }}"
    )
    found = [index for function, index in sorted(written_arguments(module)) if function == "main"]
    assert found == (wanted if most else [0, 1])


@pytest.mark.parametrize("name", WRITTEN)
def test_arguments_that_are_overwritten(name):
    callees, body, wanted = WRITTEN[name]
    module = parse(f"{callees}\nfunc.func @main(%m: {M}, %v: f32, %i: index) {{ {body} return }}")
    assert sorted(written_arguments(module)) == [(function, 0) for function in wanted]


def test_arguments_of_private_functions_are_not_named_as_their_callers_are_known():
    module = parse(f"{WRITER} func.func @main(%m: {M}) {{ return }}")
    assert list(named_arguments(module, {("w", 0), ("main", 0)})) == ["%m of @main"]


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (f"return %m : {M}", 1),
        (f"%c = memref.cast %m : {M} to {M} return %c : {M}", 1),
        (f"%c = func.call @id(%m) : ({M}) -> {M} return %c : {M}", 0),
    ],
)
def test_what_a_call_returns_is_no_argument_as_the_callee_clones_it(body, wanted):
    module = parse(f"{SAME} func.func @main(%m: {M}) -> {M} {{ {body} }}")
    assert returned_arguments(module) == {"id": 1} | ({"main": wanted} if wanted else {})


def test_arguments_that_callers_have_not_given_away():
    given = "{tf.aliasing_output = 0 : i32}"
    module = parse(
        f"{WRITER} func.func @main(%a: {M}, %m: {M} {given}, %z: {M}) -> {M} {{ return %m : {M} }}"
        f" func.func private @e({M})"
    )
    every = {(name, index) for name in ("w", "main", "e") for index in range(2)}
    assert list(not_donated(module, every)) == ["main#0"]
    assert list(not_donated(module, set())) == []

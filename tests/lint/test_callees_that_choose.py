"""A callee frees one of several buffers, as its condition says: what its callers free again, use or leak, and where."""

import pytest
from bufferize.analysis.freeing import paths
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_source
from bufferize.lint.lint import lint

OPTIONS = AnalysisOptions(bufferize_function_boundaries=True)
M = "memref<8xf32>"
CALLEES = {
    "in a branch": f"""
func.func private @free_one(%a: {M}, %b: {M}, %c: i1) {{
  scf.if %c {{
    memref.dealloc %a : {M}
  }} else {{
    memref.dealloc %b : {M}
  }}
  return
}}""",
    "by a select": f"""
func.func private @free_one(%a: {M}, %b: {M}, %c: i1) {{
  %s = arith.select %c, %a, %b : {M}
  memref.dealloc %s : {M}
  return
}}""",
    "between blocks": f"""
func.func private @free_one(%a: {M}, %b: {M}, %c: i1) {{
  cf.cond_br %c, ^free(%a : {M}), ^free(%b : {M})
^free(%m: {M}):
  memref.dealloc %m : {M}
  return
}}""",
    "in a callee of it": f"""
func.func private @free_first(%b: {M}, %a: {M}, %c: i1) {{
  %s = arith.select %c, %a, %b : {M}
  memref.dealloc %s : {M}
  return
}}
func.func private @free_one(%a: {M}, %b: {M}, %c: i1) {{
  call @free_first(%b, %a, %c) : ({M}, {M}, i1) -> ()
  return
}}""",
}
CALL = f"  call @free_one(%a, %b, %c) : ({M}, {M}, i1) -> ()\n"
CALLERS = {
    "frees one of them, too": (
        f"{CALL}  memref.dealloc %a : {M}",
        ["%a is freed twice where %c is true", "%b is not freed where %c is true"],
    ),
    "frees one of them before": (
        f"  memref.dealloc %b : {M}\n{CALL}",
        ["%a is not freed where %c is false", "%b is freed twice where %c is false"],
    ),
    "frees neither": (CALL, ["%a is not freed where %c is false", "%b is not freed where %c is true"]),
    "uses one of them": (
        f"""{CALL}  %x = memref.load %b[%i] : {M}
  %n = arith.xori %c, %true : i1
  call @free_one(%a, %b, %n) : ({M}, {M}, i1) -> ()""",
        ["%b is used after it was freed where %c is false"],
    ),
    "frees the other one": (f"{CALL}  %o = arith.select %c, %b, %a : {M}\n  memref.dealloc %o : {M}", []),
    "knows which one": (CALL.replace("%c", "%true") + f"  memref.dealloc %b : {M}", []),
    "knows which one, and frees it": (
        CALL.replace("%c", "%true") + f"  memref.dealloc %a : {M}\n  memref.dealloc %b : {M}",
        ["%a is freed twice"],
    ),
    "passes a view": (
        f"""  %v = memref.cast %a : {M} to {M}
  call @free_one(%v, %b, %c) : ({M}, {M}, i1) -> ()
  memref.dealloc %a : {M}""",
        ["%a is freed twice where %c is true", "%b is not freed where %c is true"],
    ),
}


def found(callee, body):
    text = f"""{callee}
func.func @f(%c: i1, %i: index) {{
  %true = arith.constant true
  %a = memref.alloc() : {M}
  %b = memref.alloc() : {M}
{body}
  return
}}"""
    wanted = ("freed-twice", "used-after-free", "freed-on-some-paths", "never-freed", "freed-in-loop")
    module = parse_source(Source("t.mlir", text))
    return [d for d in lint(module, OPTIONS) if str(d.code) in wanted]


@pytest.mark.parametrize("callee", CALLEES)
@pytest.mark.parametrize("name", CALLERS)
def test_each_path_through_the_callee_is_followed(callee, name):
    body, wanted = CALLERS[name]
    titles = sorted(d.message for d in found(CALLEES[callee], body))
    assert [title.partition(",")[0].partition(" in @")[0] for title in titles] == wanted


def test_the_steps_lead_into_the_callee_and_back():
    body, _ = CALLERS["frees one of them, too"]
    by_code = {str(d.code): d for d in found(CALLEES["by a select"], body)}
    leak, twice = by_code["freed-on-some-paths"], by_code["freed-twice"]
    assert [str(step.text) for step in twice.steps] == [
        "allocated here",
        "passed to a function that frees it",
        "%c is true: this buffer goes on",
        "freed here, in the callee",
        "freed again here",
    ]
    assert [step.span.line for step in twice.steps] == [9, 11, 3, 4, 12]
    assert leak.data["exits"] == [13]
    assert {label.span.line: str(label.text) for label in leak.labels} == {
        11: "where %c is true, nothing frees %b from here on",
        10: "allocated here",
        3: "the callee decides here whether it frees the buffer",
        13: "%b leaks when the function returns here",
    }


def test_conditions_of_the_callee_are_named_with_it():
    callee = CALLEES["by a select"].replace("%c: i1) {", "%n: i32) {\n  %z = arith.constant 0 : i32")
    callee = callee.replace("  %s =", "  %less = arith.cmpi slt, %n, %z : i32\n  %s =").replace(
        "select %c", "select %less"
    )
    body = f"  %k = arith.index_cast %i : index to i32\n  call @free_one(%a, %b, %k) : ({M}, {M}, i32) -> ()"
    assert sorted(d.message for d in found(callee, body)) == [
        "%a is not freed where %less of @free_one is false",
        "%b is not freed where %less of @free_one is true",
    ]


@pytest.mark.parametrize(
    ("callee", "calls"),
    {
        "stores an address": ("  memref.store %a, %all[] : memref<memref<8xf32>>\n", ""),
        "calls itself": ("  func.call @free_one(%a, %b, %c, %all) : ({M}, {M}, i1, memref<{M}>) -> ()\n", ""),
    }.values(),
)
def test_nothing_is_claimed_where_the_callee_is_not_understood(callee, calls):
    text = CALLEES["by a select"].replace("%c: i1)", f"%c: i1, %all: memref<{M}>)")
    text = text.replace("  %s =", callee.replace("{M}", M) + "  %s =")
    body = f"""  %all = memref.alloc() : memref<{M}>
  call @free_one(%a, %b, %c, %all) : ({M}, {M}, i1, memref<{M}>) -> ()
  memref.dealloc %all : memref<{M}>"""
    assert not found(text, body)


def test_paths_that_are_not_all_followed_do_not_hide_what_is_known_without_them(monkeypatch):
    body, _ = CALLERS["frees one of them, too"]
    monkeypatch.setattr(paths, "MAX_PATHS", 0)
    (twice,) = found(CALLEES["in a branch"], body)
    assert twice.message == "%a is freed twice where %c is true, in @free_one and by its caller"

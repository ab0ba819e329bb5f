"""Allocations that facts describe: what frees them, in every pass that moves, frees, promotes or removes buffers."""

import pytest
from bufferize.analysis.models.facts import declare_described
from bufferize.cli.fuzz_command import transform
from bufferize.cli.main import main
from bufferize.interpreter.verify import SAME, Options, verify_module
from bufferize.ir.source.diagnostics import ParseError, PassFailed
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_module
from bufferize.proof.check import prove_modules

M = "memref<4xf32>"
FACTS = """
allocates("pool.take", 0).
freed_by("pool.take", "pool.give").
cloned_by("pool.take", "pool.twin").
frees("pool.give", 0).
"""
TAKE = f'"pool.take"() : () -> {M}'
GIVE = f'"pool.give"(%0) : ({M}) -> ()'


@pytest.fixture(autouse=True, scope="module")
def described():
    declare_described([Source("pool.dl", FACTS)])


def after(body: str, *passes: str) -> str:
    module = parse_text(f"func.func @f(%a: {M}, %o: {M}, %c: i1, %n: index, %z: index) {{\n{body}\n}}")
    transform(module, passes, "")
    return print_module(module)


USED = f"""
  %m = {TAKE}
  memref.copy %a, %m : {M} to {M}
  memref.copy %m, %o : {M} to {M}
  return"""


def test_it_is_freed_behind_its_last_use():
    assert after(USED, "-buffer-deallocation-static").splitlines()[5].strip() == GIVE


def test_frees_of_its_own_are_understood():
    text = after(
        USED.replace("return", '"pool.give"(%m) : (memref<4xf32>) -> ()\n  return'),
        "-buffer-deallocation-static",
    )
    assert text.count("pool.give") == 1 and "dealloc" not in text


def test_it_leaves_loops():
    body = f"""
  scf.for %i = %z to %n step %n {{
    %m = {TAKE}
    memref.copy %a, %m : {M} to {M}
    memref.copy %m, %o : {M} to {M}
  }}
  return"""
    text = after(body, "-buffer-loop-hoisting")
    assert text.index("pool.take") < text.index("scf.for")


def test_it_is_not_put_on_the_stack_without_saying_how():
    assert "pool.take" in after(USED, "-promote-buffers-to-stack")


def copied(made: str, freed: str) -> str:
    return f"""
  %m = {made}
  memref.copy %a, %m : {M} to {M}
  %k = {TAKE}
  memref.copy %m, %k : {M} to {M}
  {freed} : {f"({M}) -> ()" if freed.startswith('"') else M}
  linalg.exp ins(%k : {M}) outs(%o : {M})
  "pool.give"(%k) : ({M}) -> ()
  return"""


def test_copies_between_two_of_a_kind_are_removed():
    text = after(copied(TAKE, '"pool.give"(%m)'), "-copy-removal")
    assert text.count("pool.take") == 1 == text.count("pool.give")


def test_a_buffer_is_not_freed_as_one_of_another_kind():
    text = after(copied(f"memref.alloc() : {M}", "memref.dealloc %m"), "-copy-removal")
    assert text.count("pool.give") == 1 == text.count("memref.dealloc")


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (USED, "%m is never freed"),
        (f"%0 = {TAKE}\n{GIVE}\n{GIVE}\nreturn", "%0 is freed twice"),
        (f"%0 = {TAKE}\n{GIVE}\nmemref.copy %0, %o : {M} to {M}\nreturn", "%0 is used after it was freed"),
        (
            f"%0 = {TAKE}\ncf.cond_br %c, ^x, ^y\n^x:\n{GIVE}\ncf.br ^y\n^y:\nreturn",
            "%0 is not freed where %c is false",
        ),
    ],
    ids=["leak", "twice", "after", "path"],
)
def test_lint_knows_what_frees_it(body, found, tmp_path, capsys):
    program = tmp_path / "p.mlir"
    program.write_text(f"func.func @f(%a: {M}, %o: {M}, %c: i1) {{\n{body}\n}}")
    (tmp_path / "pool.dl").write_text(FACTS)
    main(["lint", str(program), "--models", str(tmp_path / "pool.dl")])
    assert found in capsys.readouterr().out


def test_what_frees_has_to_be_an_operation():
    with pytest.raises(ParseError, match="name of an operation"):
        declare_described([Source("bad.dl", 'freed_by("pool.take", 3).')])


CALLED = f"""
func.func private @made() -> {M} {{
  %m = {TAKE}
  return %m : {M}
}}
func.func @f(%o: {M}) {{
  %m = call @made() : () -> {M}
  memref.copy %m, %o : {M} to {M}
  return
}}"""
EITHER = f"""
func.func @f(%a: {M}, %c: i1) -> {M} {{
  %m = scf.if %c -> {M} {{
    %n = MADE
    scf.yield %n : {M}
  }} else {{
    scf.yield %a : {M}
  }}
  return %m : {M}
}}"""


def freed(text: str, passes: str = "-buffer-deallocation-static") -> str:
    module = parse_text(text)
    transform(module, (passes,), "")
    return print_module(module)


def test_what_a_call_gives_is_freed_as_the_function_allocates_it():
    text = freed(CALLED)
    assert "pool.give" in text and "dealloc" not in text


def test_what_is_returned_is_copied_so_that_it_is_freed_in_one_way():
    assert "pool.twin" in freed(EITHER.replace("MADE", TAKE))
    declare_described([Source("tank.dl", 'allocates("tank.take", 0).\nfreed_by("tank.take", "tank.give").')])
    with pytest.raises(PassFailed, match=r"freed by 'memref\.dealloc'"):
        freed(EITHER.replace("MADE", TAKE.replace("pool", "tank")))


def test_a_pass_that_frees_in_one_way_only_refuses_the_others():
    with pytest.raises(PassFailed, match=r"freed by 'pool\.give'"):
        freed(CALLED, "-ownership-based-buffer-deallocation")


def test_lint_names_the_pass_that_frees_it(tmp_path, capsys):
    program = tmp_path / "p.mlir"
    program.write_text(
        f"func.func @f(%a: {M}, %o: {M}) {{{USED}\n}}\nfunc.func @g() {{\n%0 = {TAKE}\n{GIVE}\nreturn\n}}"
    )
    (tmp_path / "pool.dl").write_text(FACTS)
    main(["lint", str(program), "--models", str(tmp_path / "pool.dl")])
    shown = capsys.readouterr().out
    assert "run -buffer-deallocation-static" in shown and "keeps" not in shown


def test_it_is_run_and_proved_with_the_free_that_it_names():
    before = parse_text(f"func.func @f(%a: {M}, %o: {M}) {{{USED}\n}}")
    after = before.clone()
    transform(after, ("-buffer-deallocation-static",), "")
    wrong = parse_text(print_module(after).replace(GIVE, f"memref.dealloc %0 : {M}"))
    assert [found.status for found in verify_module(before, after, Options())] == [SAME]
    assert [found.failed for found in verify_module(before, wrong, Options())] == [True]
    assert prove_modules(before, after, leaks=True).proved
    assert "bad-free" in [question.kind for question in prove_modules(before, wrong, leaks=True).questions]


def test_what_hands_a_buffer_on_is_run_and_proved():
    declare_described(
        [
            Source(
                "on.dl",
                FACTS + 'frees("pool.on", 0).\nallocates("pool.on", 0).\nfreed_by("pool.on", "pool.give").',
            )
        ]
    )
    before = parse_text(f"""
func.func @f(%a: {M}, %o: {M}) {{
  %m = {TAKE}
  memref.copy %a, %m : {M} to {M}
  %k = "pool.on"(%m) : ({M}) -> {M}
  memref.copy %k, %o : {M} to {M}
  return
}}""")
    after = before.clone()
    transform(after, ("-buffer-deallocation-static",), "")
    assert [found.status for found in verify_module(before, after, Options())] == [SAME]
    assert prove_modules(before, after, leaks=True).proved


def test_what_it_is_cloned_by_copies():
    """A buffer that is returned twice is cloned as the facts say, and the clone holds what it held."""
    text = f"""func.func @f(%a: {M}) -> ({M}, {M}) {{
      %m = {TAKE}
      memref.copy %a, %m : {M} to {M}
      return %m, %m : {M}, {M}
    }}"""
    before, made = parse_text(text), parse_text(text)
    transform(made, ("-buffer-deallocation-static",), "")
    assert "pool.twin" in print_module(made)
    (found,) = verify_module(before, made, Options())
    assert found.status == SAME
    assert prove_modules(before, made).proved

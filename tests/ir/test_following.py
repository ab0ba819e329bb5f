"""What may run after what: the answer about two operations agrees with the list for one."""

from bufferize import parse
from bufferize.ir.program.following import may_follow, may_run_after

PROGRAM = """
func.func @f(%c: i1, %n: index) {
  %c1 = arith.constant 1 : index
  "t.a"() : () -> ()
  scf.for %i = %c1 to %n step %c1 {
    "t.b"() : () -> ()
    scf.if %c {
      "t.c"() : () -> ()
    } else {
      "t.d"() : () -> ()
    }
    "t.e"() : () -> ()
  }
  cf.br ^bb1
^bb1:
  "t.f"() : () -> ()
  cf.cond_br %c, ^bb1, ^bb2
^bb2:
  "t.g"() : () -> ()
  return
}
func.func @other() { return }
"""


def test_two_operations_and_all_that_follow_one():
    ops = list(parse(PROGRAM, allow_unregistered=True).walk())
    for op in ops:
        following = set(may_follow(op))
        assert [may_run_after(other, op) for other in ops] == [other in following for other in ops]


def test_loops_run_again_and_straight_lines_do_not():
    straight = """func.func @f(%n: index) {
      "t.a"() : () -> ()
      scf.for %i = %n to %n step %n {
        "t.b"() : () -> ()
        "t.c"() : () -> ()
      }
      return
    }"""
    named = {op.name: op for op in parse(straight, allow_unregistered=True).walk()}
    a, b, c = (named[f"t.{name}"] for name in "abc")
    assert may_run_after(b, c) and may_run_after(c, a)
    assert not may_run_after(a, c)

"""Transformations that may eliminate copies, with one interface to find, apply and cost them.

A `Change` (`change.py`) has a name, the operation it is about, an applicability, and `apply(target)`. The contract:

* *Found on one program, applied to any copy of it.* A change refers to operations, operands and values of the program in which it
  was found. `apply` maps them through its `Target`: `Target` itself is the identity (a pass rewrites in place), `ProgramCopy`
  maps to a copy (`explain` and `fix` try a change and discard the copy).
* *`apply` checks its own conditions* (dominance, no intervening effect, last use) on the current program, as other changes may
  have been applied before. If they do not hold, it returns False without changing anything.
* *`Applicability.SAFE`* changes preserve the semantics of the program by construction, however it is bufferized. `MAYBE` changes
  preserve it under a condition that was not proved. `CALLERS` changes assume something only the author knows.
* *A change does not decide whether it is profitable.* `trial.py` applies changes to a copy of the functions that they touch,
  analyses and bufferizes it, and compares costs (copies, bytes copied, filled, allocated, clones).
* *The text of a change is the printed difference* of the operations it touched (`difference.py`): edits of the author's source
  that preserve all other comments, layout and names.

`search.changes_at` lists the changes to try at an operand that is out of place. To add a kind of change, write a subclass of
`Change`, yield it there, and add a program to `tests/transforms/changes`.
"""

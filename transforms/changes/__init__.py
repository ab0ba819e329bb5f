"""The engine of program changes: rewrites that may save copies, found, applied and costed in one way.

A `Change` (`change.py`) has a name in the field's words, the operation it is about, an applicability, and `apply(target)`. The contract:

* *Found on one program, applied to any copy of it.* A change keeps references to operations, operands and values of the program in
  which it was found. `apply` asks its `Target` for their counterparts: `Target` itself answers with the same objects (a pass
  rewrites in place), `ProgramCopy` with those of a copy (`explain` and `fix` try a change and throw the copy away).
* *`apply` checks its own conditions* (dominance, no intervening effect, last use) on the program as it then is, since
  other changes may have been applied before. It returns False, and has changed nothing, where they do not hold.
* *`Applicability.SAFE`* changes keep what the program computes, whatever is bufferized how: by construction, without an analysis.
  `MAYBE` changes keep it under a condition that was not proved. `CALLERS` changes promise something only the author knows.
* *A change does not decide whether it pays.* `trial.py` applies changes to a copy of the functions that they touch, analyses
  and bufferizes it, and compares `Costs` (copies, bytes copied, filled, allocated, clones).
* *The text of a change is the printed difference* of the operations it touched (`difference.py`): edits of the author's source, with
  comments, layout and names outside of it as they were.

`listing.py` says which changes are worth trying at an operand that is out of place. Who adds a kind of change writes a subclass of
`Change`, yields it there, and adds a program to `tests/transforms/changes`.
"""

"""Solves a covering program with HiGHS in its own process: `python integer_program.py < program > solution`.

The libraries of `highspy` and `ortools` have conflicting symbols and cannot be loaded into one process, hence the separate one.

The program is JSON: `weights` of the columns, and `rows`, lists of columns of which at least one must be chosen. The solution is the
list of chosen columns, or null.
"""

from __future__ import annotations

import json
import os
import sys


def main() -> None:
    solution = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # some versions print a banner
    import highspy

    program = json.load(sys.stdin)
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("mip_rel_gap", 0.0)
    solver.setOptionValue("mip_abs_gap", 0.0)
    solver.setOptionValue("time_limit", float(program["seconds"]))
    for column, weight in enumerate(program["weights"]):
        solver.addCol(float(weight), 0.0, 1.0, 0, [], [])
        solver.changeColIntegrality(column, highspy.HighsVarType.kInteger)
    for row in program["rows"]:
        solver.addRow(1.0, highspy.kHighsInf, len(row), row, [1.0] * len(row))
    solver.run()
    taken = None
    if solver.getModelStatus() == highspy.HighsModelStatus.kOptimal:
        taken = [i for i, value in enumerate(solver.getSolution().col_value) if value > 0.5]
    with solution:
        json.dump(taken, solution)


if __name__ == "__main__":
    main()

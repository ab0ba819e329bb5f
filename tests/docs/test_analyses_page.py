"""The analyses of docs/analyses.md are short, and find what they are for; its Python runs as it stands."""

import re
from pathlib import Path

import pytest
from bufferize import parse
from bufferize.analysis.dataflow import solve, why
from bufferize.analysis.dataflow.framework import AnySolution

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "analyses.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", PAGE, re.S))


def solution(name: str, program: str) -> AnySolution:
    names: dict[str, object] = {"__name__": "page"}
    exec(compile(FILES[name], name, "exec"), names)
    (kind,) = (found for found in names.values() if isinstance(found, type) and found.__module__ == "page")
    return solve(parse(FILES[program]), kind())


@pytest.mark.parametrize("name", ["stores.py", "intervals.py", "busy.py"])
def test_an_analysis_takes_less_than_thirty_lines(name: str) -> None:
    assert len([line for line in FILES[name].splitlines() if line.strip()]) < 30


def test_stores_reach_through_calls() -> None:
    found = solution("stores.py", "loop.mlir")
    load = next(op for op in found.graph.root.walk() if op.name == "memref.load")
    assert {op.name_span.line for op in found.before(load)} == {9, 16}
    stored = next(op for op in found.before(load) if op.name_span.line == 16)
    assert why(found, load, lambda state: stored in state).steps[-1].op is stored


def test_intervals_are_widened_and_narrowed() -> None:
    found = solution("intervals.py", "count.mlir")
    states = {value.name_hint: state for value, state in found.states.items()}
    assert states["less"] == (2, 9) and states["k"] == states["r"] == (1, 9)


def test_only_what_all_paths_compute_is_very_busy() -> None:
    found = solution("busy.py", "early.mlir")
    branch = next(op for op in found.graph.root.walk() if op.name == "cf.cond_br")
    assert [expression[0] for expression in found.before(branch)] == ["arith.addi"]


def test_the_rest_of_the_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for block in re.findall(r"(?<!-->\n)^```python\n(.*?)^```$", PAGE, re.M | re.S):
        exec(compile(block, "analyses.md", "exec"), names)
    assert capsys.readouterr().out.startswith(
        "propagated along 'scf.yield'  <text>:3:13\n{memref.store:4}  computed by"
    )


def test_the_page_of_questions_lists_every_relation() -> None:
    from bufferize.analysis.dataflow.facts import known_relations

    page = (DOCS / "query.md").read_text(encoding="utf-8")
    for relation in known_relations():
        columns = ", ".join(parameter.name for parameter in relation.declaration.parameters)
        assert f"| `{relation.declaration.name}({columns})` | {relation.meaning} |" in page

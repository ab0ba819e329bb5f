"""The formats for programs: JSON, workflow commands, SARIF."""

import json
import re
from typing import Any
from urllib.parse import unquote

import pytest
from bufferize.ir.source.diagnostics import Diagnostic, Edit, Meaning, Suggestion, error, remark
from bufferize.ir.source.locations import Source
from bufferize.viz.render_formats import to_github, to_json, to_sarif

SOURCE = Source("dir with space/é.mlir", 'a %x, "😀" %y\nsecond line\n')


def span(text: str):
    start = SOURCE.text.index(text)
    return SOURCE.span(start, start + len(text))


def full() -> Diagnostic:
    diagnostic = (
        remark("100% bad:\nreally", span("%y"), "some-code")
        .label(span("%x"), "first")
        .note("a note")
        .attach("attached", span("second"))
        .step(span("%x"), "one")
        .step(span("%y"), "two")
        .suggest(Suggestion("swap", [Edit(span("%x"), "%y"), Edit(span("%y"), "")], saving="one copy"))
    )
    diagnostic.children[0].attach("deeper")
    diagnostic.data = {"bytes": 16, "path": object}
    return diagnostic


PLAIN_X = {
    "file": SOURCE.name, "line": 1, "column": 3, "endLine": 1, "endColumn": 5, "start": 2, "end": 4
}  # fmt: skip


def test_json():
    document = json.loads(to_json([full(), error("no place")]))
    assert document["version"] == 1
    first, second = document["diagnostics"]
    assert first["severity"] == "remark" and first["code"] == "some-code"
    assert (first["span"]["column"], first["span"]["endColumn"]) == (11, 13)  # code points, not UTF-16 units
    assert first["labels"] == [{"span": PLAIN_X, "text": "first", "primary": False}]
    assert first["notes"] == [{"kind": "note", "text": "a note"}]
    assert [step["text"] for step in first["steps"]] == ["one", "two"]
    assert first["children"][0]["children"][0]["message"] == "deeper"
    assert first["suggestions"] == [
        {
            "title": "swap",
            "edits": [
                {"span": PLAIN_X, "replacement": "%y"},
                {"span": first["span"], "replacement": ""},
            ],
            "saving": "one copy",
            "verified": False,
            "applicability": None,
        }
    ]
    assert first["data"]["bytes"] == 16
    assert second["span"] is None and set(second) == set(first)


@pytest.mark.parametrize(
    ("diagnostic", "command"),
    [
        (error("plain"), "::error ::plain"),
        (error("100%\r\nmore", code="a:b,c"), "::error title=a%3Ab%2Cc::100%25?%0Amore"),
        (
            remark("here", SOURCE.span(0, 1)),
            "::notice file=dir with space/é.mlir,line=1,endLine=1,col=1,endColumn=2::here",
        ),
        (
            remark("empty", SOURCE.span(0)),
            "::notice file=dir with space/é.mlir,line=1,endLine=1,col=1,endColumn=2::empty",
        ),
        (
            remark("lines", SOURCE.span(0, 20), "x"),
            "::notice file=dir with space/é.mlir,line=1,endLine=2,title=x::lines",
        ),
        (
            full(),
            "::notice file=dir with space/é.mlir,line=1,endLine=1,col=11,endColumn=13,title=some-code::"
            "100%25 bad:%0Areally%0Aline 1: first%0A(1) line 1: one%0A(2) line 1: two%0Anote: a note%0A"
            "dir with space/é.mlir:2:1: note: attached%0Anote: deeper%0Ahelp: swap (one copy)",
        ),
    ],
)
def test_github(diagnostic, command):
    assert to_github([diagnostic]) == command


def test_github_commands_are_lines():
    assert to_github([full(), full()]).count("\n") == 1


# A structural check of what SARIF 2.1.0 requires of the parts we write: name: (required keys, other keys).
# Each key is checked by what it is called; sections of the standard are given where a rule is not obvious.

OBJECTS: dict[str, tuple[set[str], set[str]]] = {
    "log": ({"version", "runs"}, {"$schema"}),
    "run": ({"tool"}, {"results", "columnKind"}),
    "tool": ({"driver"}, set()),
    "driver": ({"name"}, {"version", "rules"}),
    "rule": ({"id"}, {"shortDescription", "help", "helpUri"}),
    "result": (
        {"message"},  # 3.27.11
        {"ruleId", "ruleIndex", "level", "locations", "relatedLocations", "codeFlows", "fixes",
         "partialFingerprints", "properties"},
    ),
    "location": (set(), {"id", "physicalLocation", "message"}),
    "physicalLocation": ({"artifactLocation"}, {"region"}),  # 3.29.2
    "artifactLocation": ({"uri"}, set()),
    "region": ({"startLine"}, {"startColumn", "endLine", "endColumn"}),
    "message": ({"text"}, set()),
    "multiformatMessage": ({"text"}, {"markdown"}),
    "codeFlow": ({"threadFlows"}, set()),  # 3.36.3
    "threadFlow": ({"locations"}, set()),  # 3.37.6
    "threadFlowLocation": ({"location"}, set()),
    "fix": ({"artifactChanges"}, {"description"}),  # 3.55.3
    "artifactChange": ({"artifactLocation", "replacements"}, set()),
    "replacement": ({"deletedRegion"}, {"insertedContent"}),  # 3.57.3
    "artifactContent": ({"text"}, set()),
}  # fmt: skip
NESTED = {
    "tool": "tool", "driver": "driver", "physicalLocation": "physicalLocation",
    "artifactLocation": "artifactLocation", "region": "region", "deletedRegion": "region",
    "message": "message", "description": "message", "shortDescription": "multiformatMessage",
    "help": "multiformatMessage", "location": "location", "insertedContent": "artifactContent",
}  # fmt: skip
LISTS = {
    "runs": "run", "rules": "rule", "results": "result", "locations": "location",
    "relatedLocations": "location", "codeFlows": "codeFlow", "threadFlows": "threadFlow", "fixes": "fix",
    "artifactChanges": "artifactChange", "replacements": "replacement",
}  # fmt: skip
NOT_EMPTY = {"threadFlows", "locations", "artifactChanges", "replacements"}


def check(kind: str, value: Any) -> None:
    required, optional = OBJECTS[kind]
    assert required <= set(value) <= required | optional, (kind, value)
    for key, inner in value.items():
        if key in NESTED:
            check(NESTED[key], inner)
        elif key in LISTS:
            assert isinstance(inner, list) and (inner or key not in NOT_EMPTY), (kind, key)
            item = "threadFlowLocation" if kind == "threadFlow" else LISTS[key]
            for element in inner:
                check(item, element)
        elif key in ("startLine", "startColumn", "endLine", "endColumn"):
            assert isinstance(inner, int) and inner >= 1
        elif key in ("ruleIndex",) or (key == "id" and kind == "location"):
            assert isinstance(inner, int) and inner >= 0
        elif key in ("properties", "partialFingerprints"):
            assert isinstance(inner, dict)
        elif key == "uri":
            assert re.fullmatch(r"([\w.~/-]|%[0-9A-F]{2})+", inner, re.ASCII)
        else:
            assert isinstance(inner, str) and inner
    if kind == "region":
        assert (value["startLine"], value["startColumn"]) <= (value["endLine"], value["endColumn"])


def test_sarif_has_what_the_standard_requires():
    rules = [
        Meaning("unused", "Unused"),
        Meaning("some-code", "Some", "## Why\n...", "https://example.org/some"),
    ]
    diagnostics = [
        full(),
        error("no place", code="other"),
        error("bare"),
        error("stdin", Source("<stdin>", "x").span(0)),
    ]
    log = json.loads(to_sarif(diagnostics, "1.2.3", rules))
    check("log", log)
    (run,) = log["runs"]
    assert log["version"] == "2.1.0" and run["columnKind"] == "unicodeCodePoints"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["unused", "some-code", "other"]
    for result in run["results"]:
        assert result["level"] in ("error", "warning", "note", "none")
        if "ruleId" in result:
            assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    first = run["results"][0]
    assert unquote(first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]) == SOURCE.name
    assert [location["message"]["text"] for location in first["relatedLocations"]] == ["first", "attached"]
    steps = first["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["location"]["message"]["text"] for step in steps] == ["one", "two"]
    replacements = first["fixes"][0]["artifactChanges"][0]["replacements"]
    assert replacements[0]["insertedContent"] == {"text": "%y"} and "insertedContent" not in replacements[1]


def test_sarif_without_results_still_has_a_run():
    log = json.loads(to_sarif([], "0"))
    check("log", log)
    assert log["runs"][0]["results"] == []


def test_fingerprints_survive_lines_added_above():
    def fingerprint(text: str) -> str:
        source = Source("a", text)
        diagnostic = error("bad", source.span(text.index("x")))
        return json.loads(to_sarif([diagnostic], "0"))["runs"][0]["results"][0]["partialFingerprints"]

    assert fingerprint("  x y") == fingerprint("new\n x y") != fingerprint("x z")

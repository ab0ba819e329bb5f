"""What of the reference is mirrored: one list, each entry of which decides something and is described, and one switch."""

import re
import sys
from pathlib import Path

import pytest
from bufferize.ir.defects import DEFECTS, MLIR_22, SOUND, mirrored

sys.path.insert(0, str(Path(__file__).parent))
from test_package import MODULES, ROOT

PAGE = (ROOT / "docs" / "differences.md").read_text("utf-8")
RULES = [file.read_text("utf-8") for file in (ROOT / "analysis" / "rules").glob("*.dl")]
SOURCES = {
    name: re.sub(r'"""(?:.|\n)*?"""', "", file.read_text("utf-8"))
    for name, file in MODULES.items()
    if name != "bufferize.ir.defects"
}
CONSTANTS = {
    found[2]: found[1]
    for found in re.finditer(
        r'^(\w+) = Defect\(\s*\w+,\s*"([^"]+)"',
        Path(MODULES["bufferize.ir.defects"]).read_text("utf-8"),
        re.M,
    )
}


def test_names_are_unique_and_each_entry_has_a_constant():
    assert [defect.name for defect in DEFECTS] == list(CONSTANTS)
    assert len(CONSTANTS) == len(DEFECTS)


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name)
def test_each_decides_something(defect):
    asked = rf"\b{CONSTANTS[defect.name]} (?:not )?in \w+(?:\.\w+)*\b"
    in_code = any(re.search(asked, text) for text in SOURCES.values())
    in_rules = any(f'mirrors("{defect.name}")' in text for text in RULES)
    assert in_code or in_rules


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name)
def test_each_is_described_in_its_section(defect):
    section = PAGE.partition(f"**{defect.section}.**")[2].partition("\n**")[0]
    assert f"`{defect.name}`" in section


def test_rules_name_no_other():
    named = {name for text in RULES for name in re.findall(r'mirrors\("([^"]+)"\)', text)}
    assert named <= {defect.name for defect in DEFECTS}


def test_the_switch_mirrors_nothing_or_all():
    assert mirrored(None) is mirrored("") is SOUND
    assert mirrored(MLIR_22) == frozenset(DEFECTS)


def test_nobody_else_decides_by_the_version():
    """Texts of help, findings and codes may name it."""
    compared = re.compile(
        r"compat\)? *(?:==|!=|is|in)\b|(?:==|!=) *(?:MLIR_22|\"mlir-22\")|if (?:not )?[\w.]*compat(?::| and| or| else)"
    )
    found = {name for name, text in SOURCES.items() if compared.search(text)}
    assert found == set()

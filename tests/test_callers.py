"""What is written is called: by the product, not by tests alone.

A name counts as used if it stands anywhere but where it is defined, imported, listed in `__all__` or spoken of in words. What
others call (users of the interface, argparse, notebooks) is listed here.
"""

import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from test_package import MODULES, ROOT

CALLED_BY_OTHERS = {
    "by users": r"models_from_facts|populate_\w+_patterns",
    "by users, who convert with targets of their own": r"add_illegal_(ops|dialects)|mark_recursively_legal|add_decomposition|NO_CONVERSION",
    "by notebooks": r"load_ipython_extension|_repr_svg_|_render_traceback_",
    "by argparse": r"_format_usage",
    "by a name that is assembled": r"draw_\w+|\w+_script|NEEDS_EXPLANATION",
    "by rules": r"ARGUMENTS_OF_BLOCKS|OUTER_SLICES",
}

NOT_CODE = re.compile(
    r'"""(?:.|\n)*?"""|(?<!["\'])#[^\n]*|^__all__ = \[[^]]*\]|^ *from [\w.]+ import (?:\([^)]*\)|[^\n]*)',
    re.M,
)
OTHER_NAME = re.compile(r"(\w+) as \w+")
DEFINITION = re.compile(r"^ *(?:async )?(?:def|class) (\w+)|^([A-Z][A-Z0-9_]+)(?::[^=\n]+)? = ", re.M)
FUNCTION = re.compile(r"^ *def (\w+)", re.M)
FINDING = re.compile(r'^class (\w+)\(\w+\):(?:(?!^class ).|\n)*?^    id = "', re.M)
"""A kind of finding: `kinds_in` reads it from its module."""
REGISTERED = re.compile(
    r"^ *@(?:simple|computes|evaluates|executes|structured|terminator|semantics|overload)\b(?:.|\n)*?^ *(?:def|class) (\w+)",
    re.M,
)


def test_everything_is_called_by_the_product():
    words: Counter[str] = Counter()
    defined: dict[str, list[str]] = {}
    called_elsewhere: set[str] = set()
    for module, file in MODULES.items():
        text = file.read_text("utf-8")
        for statement in NOT_CODE.findall(text):
            if statement.lstrip().startswith("from"):
                words.update(OTHER_NAME.findall(statement))
        code = NOT_CODE.sub("", text)
        words.update(re.findall(r"\w+", code))
        called_elsewhere.update(REGISTERED.findall(code))
        called_elsewhere.update(FINDING.findall(code))
        is_dialect = ".dialects" in module  # whose classes are operations, found by their names
        found = FUNCTION.findall(code) if is_dialect else map("".join, DEFINITION.findall(code))
        for name in found:
            defined.setdefault(name, []).append(module)
    for grammar in (
        *(
            file
            for folder in {module.parent for module in MODULES.values()}
            for file in folder.glob("*.lark")
        ),
        ROOT / "pyproject.toml",
    ):
        words.update(re.findall(r"\w+", grammar.read_text("utf-8")))
    others = re.compile("|".join(CALLED_BY_OTHERS.values()))
    unused = {
        name: modules
        for name, modules in defined.items()
        if words[name] <= len(modules)
        and not name.startswith("__")
        and name not in called_elsewhere
        and not others.fullmatch(name)
    }
    assert unused == {}

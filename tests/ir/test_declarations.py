"""Every declared operation is complete: its format compiles, its traits name its fields, it is documented."""

import importlib
import pkgutil

import bufferize.dialects
import pytest
from bufferize.ir.declaration import declare
from bufferize.ir.declaration.format_syntax import read_format
from bufferize.ir.program import traits
from bufferize.ir.text import format_parser

for found in pkgutil.walk_packages(bufferize.dialects.__path__, "bufferize.dialects."):
    importlib.import_module(found.name)

OPS = sorted(declare.REGISTRY.items())


@pytest.mark.parametrize(("name", "cls"), OPS, ids=[name for name, _ in OPS])
def test_declaration_compiles(name, cls):
    format_parser.parse_form(cls)
    format_parser.print_form(cls)
    format_parser.fast_form(cls)


@pytest.mark.parametrize(("name", "cls"), OPS, ids=[name for name, _ in OPS])
def test_declaration_is_documented(name, cls):
    assert cls.__doc__ and cls.__doc__.strip(), f"{name} has no docstring"


def test_traits_name_fields_that_exist():
    for _, cls in OPS:
        for trait in cls.definition.traits:
            if isinstance(trait, traits.AllTypesMatch):
                assert set(trait.names) <= set(cls.definition.fields), cls
            if isinstance(trait, traits.TypesMatchWith):
                assert {trait.source, trait.target} <= set(cls.definition.fields), cls


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("$a (`x` $b", "expected more, found the end"),
        ("(`x` $b)?", "without an anchor"),
        ("frobnicate", "unexpected 'frobnicate'"),
        ("type($a", "expected \\)"),
    ],
)
def test_bad_formats_are_rejected(text, reason):
    with pytest.raises(ValueError, match=reason):
        read_format(text)

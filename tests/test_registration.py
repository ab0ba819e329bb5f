"""What is known of operations outside their dialects is known of operations that exist.

Models and rewrites are found by class. Folds, patterns and what operations do are listed by name, which a program that is only
read never imports: here every listed name is one of an operation, and every dialect that is listed has its module.
"""

import importlib

import bufferize.dialects.folds as folds
import bufferize.transforms.patterns as patterns
import pytest
from bufferize.analysis.models import registry as models
from bufferize.interpreter import registry as interpreter
from bufferize.ir.declaration.declare import REGISTRY
from bufferize.ir.text.registry import default_registry
from bufferize.proof import machine as proof
from bufferize.transforms.bufferize import rewrite


def tables(package, dialects, prefix, name):
    return {d: getattr(importlib.import_module(f"{package}.{prefix}{d}"), name) for d in dialects}


def listed_names():
    """By table, the names that it lists."""
    found = {
        f"folds of {d}": set(table)
        for d, table in tables(folds.__name__, folds._DIALECTS, "", "FOLDS").items()
    }
    found |= {
        f"patterns of {d}": set(table)
        for d, table in tables(patterns.__name__, patterns._DIALECTS, "", "PATTERNS").items()
    }
    for parts in list(interpreter._MODULES.values()):
        for part in parts:
            importlib.import_module(f"bufferize.interpreter.{part}")
    found["interpreter"] = set(interpreter._HANDLERS)
    for parts in (*proof._MODULES.values(), "generic"):
        for part in parts.split():
            importlib.import_module(f"bufferize.proof.meanings_{part}")
    usual = proof.HANDLERS["*"]
    found["proof"] = {name for name, handler in proof.HANDLERS.items() if handler is not usual}
    return found


@pytest.fixture(scope="module")
def known():
    for dialect in default_registry().dialects:
        default_registry().load(dialect)
    return set(REGISTRY)


def test_every_name_listed_is_one_of_an_operation(known):
    wrong = {place: sorted(names - known - {"*"}) for place, names in listed_names().items()}
    assert {place: names for place, names in wrong.items() if names} == {}


def test_models_and_rewrites_are_tables_from_classes_of_their_dialect(known):
    from_models = tables(models.__package__, models.DIALECTS, "", "MODELS")
    from_rewrites = tables(rewrite.__package__, rewrite.DIALECTS, "rewrite_", "REWRITES")
    for table in (from_models, from_rewrites):
        for dialect, entries in table.items():
            for kind in entries:
                below = [kind, *kind.__subclasses__()]
                assert any(str(getattr(k, "name", "")).startswith(f"{dialect}.") for k in below), kind


def test_what_has_a_rewrite_has_a_model(known):
    from_models = tables(models.__package__, models.DIALECTS, "", "MODELS")
    from_rewrites = tables(rewrite.__package__, rewrite.DIALECTS, "rewrite_", "REWRITES")
    assert set(from_models) == set(from_rewrites)
    for dialect, entries in from_rewrites.items():
        assert set(entries) == set(from_models[dialect]), dialect

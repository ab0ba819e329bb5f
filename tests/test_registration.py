"""What is known of operations outside their dialects is known of operations that exist.

Models, rewrites, folds and patterns are tables from classes. What operations do is listed by name, which a program that is only
read never imports: here every listed name is one of an operation, and every dialect that is listed has its module.
"""

import importlib

import pytest
from bufferize.analysis.models import MODELS
from bufferize.interpreter import machine as interpreter
from bufferize.ir.declaration.declare import REGISTRY, UNDECLARED
from bufferize.ir.text.registry import default_registry
from bufferize.proof import machine as proof
from bufferize.semantics.folds import FOLDS
from bufferize.transforms.bufferize.bufferizer import REWRITES
from bufferize.transforms.patterns import PATTERNS


def tables(known):
    """The tables of one kind of knowledge, by dialect, from classes."""
    found = default_registry().find
    return {
        dialect: {found(key) if isinstance(key, str) else key: entry for key, entry in table.items()}
        for dialect in default_registry().dialects
        if (table := known.table(dialect)) is not None
    }


def listed_names():
    """By table, the names that it lists."""
    for parts in list(interpreter._MODULES.values()):
        for part in parts:
            importlib.import_module(f"bufferize.interpreter.{part}")
    found = {"interpreter": set(interpreter._HANDLERS)}
    for parts in (*proof._MODULES.values(), "generic"):
        for part in parts.split():
            importlib.import_module(f"bufferize.proof.semantics_{part}")
    usual = proof.HANDLERS["*"]
    found["proof"] = {name for name, handler in proof.HANDLERS.items() if handler is not usual}
    return found


@pytest.fixture(scope="module")
def known():
    for dialect in default_registry().dialects:
        default_registry().load(dialect)
    return {name for name in (*REGISTRY, *UNDECLARED) if default_registry().find(name)}


def test_every_name_listed_is_one_of_an_operation(known):
    wrong = {
        place: sorted(names - known - {"*", proof.ON_ELEMENTS}) for place, names in listed_names().items()
    }
    assert {place: names for place, names in wrong.items() if names} == {}


@pytest.mark.parametrize("known_by_class", [MODELS, REWRITES, FOLDS, PATTERNS], ids=lambda table: table.name)
def test_tables_are_from_classes_of_their_dialect(known_by_class, known):
    found = tables(known_by_class)
    assert len(found) > 9
    for dialect, entries in found.items():
        for kind in entries:
            below, waiting = {kind}, [kind]
            while waiting:
                below |= (new := set(waiting.pop().__subclasses__()) - below)
                waiting += new
            home = known_by_class.homes.get(dialect, dialect)
            described = (home, *(other for other, at in known_by_class.homes.items() if at == home))
            assert any(str(getattr(k, "name", "")).partition(".")[0] in described for k in below), kind


def test_what_has_a_rewrite_has_a_model():
    models, rewrites = tables(MODELS), tables(REWRITES)
    assert set(models) == set(rewrites)
    for dialect, entries in rewrites.items():
        for table, other in ((entries, models[dialect]), (models[dialect], entries)):
            assert all(any(base in other for base in kind.__mro__) for kind in table), dialect

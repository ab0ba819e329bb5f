"""Addresses: which are told apart, which are the same, and which may be either."""

import pytest
from bufferize.ir.types import types as t
from bufferize.proof.semantics_scalars import compared
from bufferize.proof.terms import FALSE, TRUE, choose, make, negate

from .test_arithmetic import fresh_terms

__all__ = ["fresh_terms"]

C, D = "c", "d"


def pointer(number, near=(), empty=False):
    return make("pointer", (number, "alloc", tuple(near), empty), type=t.INDEX)


def flag(name):
    return make("sym", (name,), type=t.I1)


def either(name, yes, no):
    return choose(flag(name), yes, no)


OTHER = ("an unknown address",)


def test_which_addresses_are_the_same():
    p, q, r = pointer(1), pointer(2), pointer(3)
    near, empty = pointer(4, near=[1]), pointer(5, empty=True)
    other = make("sym", OTHER, type=t.INDEX)
    c, d = flag(C), flag(D)
    for left, right, same in [
        (p, p, TRUE),
        (p, q, FALSE),
        (p, near, None),
        (p, pointer(1, near=[2]), None),
        (q, near, FALSE),
        (p, empty, None),
        (p, other, None),
        (either(C, p, q), p, c),
        (either(C, p, q), q, negate(c)),
        (either(C, p, q), r, FALSE),
        (either(C, p, q), near, None),
        (either(C, q, r), near, FALSE),
        (either(C, either(D, p, q), r), r, negate(c)),
        (either(C, p, either(D, q, r)), p, c),
        (either(C, p, either(D, q, r)), q, choose(c, FALSE, d)),
        (either(C, p, either(D, p, q)), q, choose(c, FALSE, negate(d))),
        (either(C, p, q), either(C, p, q), TRUE),
        (either(C, p, q), either(C, q, p), FALSE),
        (either(C, p, q), either(C, r, q), negate(c)),
        (either(C, p, other), p, choose(c, TRUE, compared("eq", other, p))),
        (either(C, other, p), p, choose(c, compared("eq", other, p), TRUE)),
        (either(C, p, other), q, choose(c, FALSE, compared("eq", other, q))),
    ]:
        for one, another in ((left, right), (right, left)):
            found, differ = compared("eq", one, another), compared("ne", one, another)
            assert differ is negate(found)
            if same is None:
                assert "cmp" in (found.op, *(arg.op for arg in found.args)), (one, another)
            else:
                assert found is same, (one, another, found)


@pytest.mark.parametrize("predicate", ["ult", "slt", "uge"])
def test_the_order_of_addresses_is_not_known(predicate):
    assert compared(predicate, pointer(1), pointer(2)).op in ("cmp", "not")

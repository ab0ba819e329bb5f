"""Whether a condition follows from others: by cases over the conditions they are made of."""

from __future__ import annotations

from collections.abc import Sequence

from .terms import FALSE, TRUE, Term, boolean, both, choose, negate

MAX_ATOMS = 10
"""Conditions that cases are made of: with more, the answer is "not known"."""


def is_connective(term: Term) -> bool:
    return term.op in ("not", "and") or (term.op == "sel" and term.type is TRUE.type)


def atoms_of(terms: Sequence[Term]) -> list[Term]:
    """The conditions that boolean terms are made of, each once."""
    found: dict[Term, None] = {}
    seen: set[Term] = set()
    pending = list(terms)
    while pending:
        term = pending.pop()
        if term in seen or term is TRUE or term is FALSE:
            continue
        seen.add(term)
        if is_connective(term):
            pending.extend(term.args)
        else:
            found[term] = None
    return list(found)


def assign(root: Term, known: dict[Term, bool]) -> Term:
    """A condition where others are known. O(connectives)."""
    done: dict[Term, Term] = {term: boolean(value) for term, value in known.items()}
    stack = [(root, False)]
    while stack:
        term, ready = stack.pop()
        if term in done:
            continue
        if not is_connective(term):
            done[term] = term
        elif not ready:
            stack.append((term, True))
            stack.extend((arg, False) for arg in term.args)
        else:
            args = [done[arg] for arg in term.args]
            if term.op == "not":
                done[term] = negate(args[0])
            elif term.op == "and":
                done[term] = both(*args)
            else:
                done[term] = choose(*args)
    return done[root]


def implied(path: Sequence[tuple[Term, bool]], goal: Term) -> bool:
    """Whether `goal` holds wherever all conditions of `path` do. O(path + 2^atoms of the rest)."""
    if goal is TRUE:
        return True
    known: dict[Term, bool] = {}
    open_claims: list[tuple[Term, bool]] = []
    pending = list(path)
    while pending:
        condition, holds = pending.pop()
        if condition.op == "const":
            if bool(condition.attr) != holds:
                return True
        elif condition.op == "not":
            pending.append((condition.args[0], not holds))
        elif condition.op == "and" and holds:
            pending.extend((arg, True) for arg in condition.args)
        elif is_connective(condition):
            open_claims.append((condition, holds))
        elif known.setdefault(condition, holds) != holds:
            return True
    claims = [negate(assign(goal, known))]
    for condition, holds in open_claims:
        rest = assign(condition, known)
        claims.append(rest if holds else negate(rest))
    return _impossible(claims)


def _impossible(claims: list[Term]) -> bool:
    """Whether conditions never all hold."""
    pending = [claims]
    budget = 1 << MAX_ATOMS
    while pending:
        budget -= 1
        if not budget:
            return False
        current = [claim for claim in pending.pop() if claim is not TRUE]
        if any(claim is FALSE for claim in current):
            continue
        if not current:
            return False
        atom = atoms_of(current[:1])
        if not atom:
            return False
        for value in (True, False):
            pending.append([assign(claim, {atom[0]: value}) for claim in current])
    return True

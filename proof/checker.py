"""Certificates: proofs as files, and their checker, which follows each step of a proof without search.

A certificate identifies the two programs by hash and contains, for each function, its contract, the unrolled loops
with their factors, the list of comparisons, and for each comparison of terms the rules applied, in the order in
which the pairs are visited.

Shared with the prover are the parser and the axioms: the semantics of operations (symbolic execution, with induction over
loops), the normal forms of terms, index bounds, and the list of observables. Comparison of terms is not shared: a `Replay` compares
two terms by the rule that the certificate names for each pair, and checks the premises of each rule itself. A certificate with a
failing, missing or superfluous step is rejected with that step.

Callers use the contracts that the certificate claims; each must equal the contract derived for its function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeAlias

from ..ir.program.core import Operation
from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import BufferizeError, Diagnostic, Severity
from ..ir.text.printer import print_operation
from ..semantics.frees import frees_memory
from . import contents as c, ranges
from .blocks import run_function
from .commutation import paired
from .contracts import (
    Contract,
    Signature,
    call_groups,
    called_by,
    contract_of,
    needed_initialized,
    signature_of,
    worst_contract,
)
from .facts import Facts, Path
from .loops import numbered
from .machine import Executor
from .modules import THE_TEXT, Modules, computes_the_same, is_private, is_unchanged, side_by_side
from .obligations import UNFORESEEN, TooHard
from .observables import Ends, compare_functions, compare_modules
from .promised_sums import about_promises
from .refine import Mismatch, cells_of, deciding, slices_of, steps_of
from .state import Symbols
from .terms import ZERO, Shape, Term, clear, may_vary

if TYPE_CHECKING:
    from .check import ProofOfProgram


Json: TypeAlias = dict[str, Any]
"""An object of JSON."""

FORMAT = 3
"""Incremented when certificates of earlier versions would be misread."""


def certificate_of(before: Operation, after: Operation, proof: ProofOfProgram, leaks: bool) -> Json:
    """The certificate of a successful proof.

    Raises:
        BufferizeError: the programs are not proved equivalent.
    """
    if not proof.proved:
        raise BufferizeError(Diagnostic(Severity.ERROR, "only what is proved has a certificate", None))
    return {
        "format": FORMAT,
        "before": digest(before),
        "after": digest(after),
        "leaks": leaks,
        "modules": proof.compared,
        "functions": [
            {
                "function": answer.function,
                "compared": answer.compared,
                "contract": as_plain(answer.contract),
                "at once": sorted(map(list, answer.at_once.items())),
                "comparisons": answer.derivations,
            }
            for answer in proof.checked
        ],
    }


def digest(program: Operation) -> str:
    """The hash of a program: of its text in generic form, and its resources."""
    resources = program.where[0].metadata if program.where is not None else {}
    return sha256(f"{print_operation(program, generic=True)}{resources}".encode()).hexdigest()


def as_plain(contract: Contract | None) -> Json | None:
    """A contract as JSON."""
    if contract is None:
        return None
    return {
        "written": sorted(contract.written),
        "changed": sorted(contract.changed),
        "used": sorted(contract.used),
        "read": None if contract.read is None else sorted(contract.read),
        "results": [[k, contract.results[k]] for k in sorted(contract.results)],
        "owned": sorted(contract.owned),
        "equal": [[k, contract.equal[k]] for k in sorted(contract.equal)],
        "globals": [[k, sorted(contract.globals[k])] for k in sorted(contract.globals)],
        "freed": sorted(contract.freed),
        "freed surely": sorted(contract.freed_surely),
        "decided": sorted(contract.decided),
        "copies": [[k, sorted(contract.copies[k])] for k in sorted(contract.copies)],
    }


def from_plain(plain: Json) -> Contract:
    """The inverse of `as_plain`."""
    return Contract(
        written=set(plain["written"]),
        changed=set(plain["changed"]),
        used=set(plain["used"]),
        read=None if plain["read"] is None else set(plain["read"]),
        results=dict(map(tuple, plain["results"])),
        owned=set(plain["owned"]),
        equal=dict(map(tuple, plain["equal"])),
        globals={k: set(names) for k, names in plain["globals"]},
        freed=set(plain["freed"]),
        freed_surely=set(plain["freed surely"]),
        decided=set(plain["decided"]),
        copies={k: set(numbers) for k, numbers in plain["copies"]},
    )


Pairs = list[tuple[Term, Term]]


class Refused(Exception):
    """A certificate that does not show what it claims; the text is the step that fails."""


def check_certificate(before: Operation, after: Operation, certificate: Json) -> None:
    """Accept a certificate.

    Raises:
        Refused: with the step that fails.
    """
    try:
        _Check(before, after, certificate).run()
    except (*UNFORESEEN, RecursionError) as broken:
        raise Refused(
            f"it does not have the form of a certificate ({type(broken).__name__}: {broken})"
        ) from None


def _demand(holds: bool, step: str) -> None:
    if not holds:
        raise Refused(step)


KEYS = ["format", "before", "after", "leaks", "modules", "functions"]
FUNCTION_KEYS = ["function", "compared", "contract", "at once", "comparisons"]


class _Check:
    """One certificate against two programs."""

    def __init__(self, before: Operation, after: Operation, certificate: Json) -> None:
        self.before, self.after, self.certificate = before, after, certificate

    def run(self) -> None:
        clear()
        certificate = self.certificate
        _demand(list(certificate) == KEYS, "the certificate has unknown or missing keys")
        _demand(
            certificate["format"] == FORMAT and certificate["format"] is not True,
            f"the format is not {FORMAT}",
        )
        _demand(certificate["before"] == digest(self.before), "the first program is a different one")
        _demand(certificate["after"] == digest(self.after), "the second program is a different one")
        _demand(isinstance(certificate["leaks"], bool), "'leaks' is neither true nor false")
        entries = certificate["functions"]
        compared: list[str] = []
        count = 0
        for modules in side_by_side(self.before, self.after):
            found, questions = compare_modules(modules)
            compared += found
            for question in questions:
                raise Refused(f"module '{modules.name}': could not prove that {question.text}")
            prefix = f"{modules.name}::" if modules.name else ""
            count += self._functions(modules, prefix, entries[count:])
        _demand(compared == certificate["modules"], "it compares other parts of modules")
        _demand(count == len(entries), "it proves a function that does not exist")
        _demand(bool(compared), "nothing is compared")

    def _functions(self, modules: Modules, prefix: str, entries: list[Json]) -> int:
        """Check the entries of one module; gives how many these are."""
        mine = {
            op.symbol_name: op for op in modules.before.regions[0].ops() if isinstance(op, FunctionOp)
        } if modules.before.regions else {}  # fmt: skip
        its = (
            {op.symbol_name: op for op in modules.after.regions[0].ops() if isinstance(op, FunctionOp)}
            if modules.after.regions
            else {}
        )
        names = [
            name for name, op in mine.items() if not op.is_declaration and (name in its or not is_private(op))
        ]
        entries = entries[: len(names)]
        claimed = [entry["function"] for entry in entries]
        _demand(
            sorted(claimed) == sorted(prefix + name for name in names),
            "it does not prove exactly the functions of the program",
        )
        one = _Module(
            modules,
            mine,
            its,
            self.certificate["leaks"],
            self.certificate["leaks"] or frees_memory(modules.after),
        )
        for entry in entries:
            _demand(list(entry) == FUNCTION_KEYS, "a function has unknown or missing keys")
            name = entry["function"].removeprefix(prefix)
            one.contracts[name] = (
                worst_contract(mine[name]) if entry["contract"] is None else from_plain(entry["contract"])
            )
        for entry in entries:
            try:
                one.check(entry["function"].removeprefix(prefix), entry)
            except Refused as refused:
                raise Refused(f"function '{entry['function']}': {refused}") from None
        return len(names)


class _Module:
    """The functions of one module; as far as `unchanged` asks, a pair of programs."""

    def __init__(
        self,
        modules: Modules,
        originals: dict[str, FunctionOp],
        others: dict[str, FunctionOp],
        leaks: bool,
        frees: bool,
    ) -> None:
        self.before, self.after = modules.before, modules.after
        self.originals, self.others, self.leaks, self.frees = originals, others, leaks, leaks or frees
        self.symbols, self.other_symbols = Symbols(self.before), Symbols(self.after)
        self.contracts: dict[str, Contract] = {}
        self.signatures: dict[str, Signature] = {}
        self.checked: set[str] = set()
        self.recursive = {
            name
            for group in call_groups(originals)
            for name in group
            if len(group) > 1 or name in called_by(originals[name])
        }

    def is_proved(self, name: str) -> bool:
        one, other = self.originals.get(name), self.others.get(name)
        if one is None or other is None:
            return False
        return name in self.checked or (one.is_declaration and other.is_declaration)

    def needs_initialized(self, name: str) -> bool:
        """Whether a function of the target needs initialized arguments."""
        return bool(needed_initialized(self.contracts.get(name), self.others[name]))

    def check(self, name: str, entry: Json) -> None:
        """Run a function of both programs, and compare what can be observed by the steps of its entry."""
        if entry["comparisons"] is None:
            _demand(
                entry["contract"] is None and entry["compared"] == [THE_TEXT] and not entry["at once"],
                "it claims more than an unchanged function can",
            )
            _demand(is_unchanged(self, name), "its text differs, or it manages memory")
            self.checked.add(name)
            return
        original, other = self.originals[name], self.others[name]
        facts = Facts()
        first = Executor(
            module=self.before,
            transformed=False,
            facts=facts,
            symbols=self.symbols,
            other_symbols=self.other_symbols,
            contracts=self.contracts,
            signatures=self.signatures,
            frees=self.frees,
            at_once=numbered(original, {loop: times for loop, times in entry["at once"] if times > 1}),
        )
        second = Executor(
            module=self.after, transformed=True, facts=facts, symbols=self.other_symbols, other_symbols=self.symbols,
            contracts=self.contracts, signatures=self.signatures, frees=self.frees,
        )  # fmt: skip
        try:
            source, target = run_function(first, original, original), run_function(second, other, original)
        except TooHard as limit:
            raise Refused(limit.question.text) from None
        ends = Ends(first, second, source, target, original, other, self.leaks)
        replay = ends.refinement = Replay(facts, entry["comparisons"])
        compared, questions = compare_functions(ends)
        open_ = [
            question
            for question in (*first.questions, *second.questions, *questions)
            if self.leaks or question.kind != "leak"
        ]
        if open_ and entry["compared"][:1] == [THE_TEXT]:
            _demand(computes_the_same(self, name), "its text differs, or it is called")
            compared = [THE_TEXT, *compared]
            open_ = [question for question in open_ if not question.is_about_contents]
        if open_:
            raise Refused(f"could not prove that {open_[0].text}")
        found = contract_of(ends)
        _demand(replay.next == len(replay.derivations), "there are unnecessary comparisons")
        good = (
            self.contracts[name].covers(found)
            if name in self.recursive
            else as_plain(found) == entry["contract"]
        )
        _demand(good, "its contract is different")
        _demand(compared == entry["compared"], "it compares other observables")
        if name not in self.recursive:
            self.signatures[name] = signature_of(first, source.values, source.state)
        self.checked.add(name)


# -- comparisons, step by step


@dataclass(slots=True)
class _Assumed:
    """Loops of one level whose carried values are taken to correspond, by induction."""

    source: Term
    target: Term
    around: _Assumed | None
    pairs: set[tuple[Term, Term]] = field(default_factory=set)


class Replay:
    """Holds terms against each other by rules that are given."""

    def __init__(self, facts: Facts, derivations: list[list[str] | None]):
        self.facts, self.derivations, self.next = facts, derivations, 0
        self.known: dict[Path, set[tuple[Term, Term]]] = {}

    def compare(self, source: Term, target: Term) -> Mismatch | None:
        """None if the next derivation shows that the terms correspond; a mismatch if it claims nothing."""
        _demand(self.next < len(self.derivations), "a comparison is missing")
        rules = self.derivations[self.next]
        at = f"comparison {self.next}"
        known = self.known.setdefault(self.facts.here, set())
        self.next += 1
        if rules is None:
            return Mismatch(source, target)
        pending: list[tuple[Term, Term, _Assumed | None]] = [(source, target, None)]
        seen: set[tuple[Term, Term, int]] = set()
        kept: list[_Assumed | None] = []
        shown: Pairs = []
        for n, rule in enumerate(rules):
            _demand(bool(pending), f"{at}, step {n}: nothing is left to prove")
            s, x, loops = pending.pop()
            while loops is not None and loops.source.attr[1] > max(s.level, x.level):
                loops = loops.around
            where = f"{at}, step {n} ('{rule}')"
            trivial = (s is x and loops is None) or x.op == "hole"
            again = not trivial and ((s, x) in known or (s, x, id(loops)) in seen)
            if trivial or again:
                _demand(
                    rule == ("same" if trivial else "again"),
                    f"{where}: the pair is {'the same' if trivial else 'known'}",
                )
                continue
            seen.add((s, x, id(loops)))
            kept.append(loops)
            if loops is None:
                shown.append((s, x))
            name = next((name for name, (holds, _) in RULES.items() if holds(self, s, x, loops)), "")
            _demand(name == rule, f"{where}: '{s.op}' and '{x.op}' need '{name}'")
            parts: Pairs | None = RULES[name][1](self, s, x, loops)
            if parts is None:
                raise Refused(f"{where}: it does not apply")
            inner: _Assumed | None = _Assumed(s, x, loops) if rule == "loop" else loops
            kept.append(inner)
            sizes = (
                self._sizes(s.shape, x.shape, loops)
                if rule != "slot" and not (rule == "undefined" and s.shape is None)
                else []
            )
            _demand(sizes is not None, f"{where}: the sizes differ")
            following: Pairs = [*(sizes or []), *parts]
            pending += [(a, b, inner) for a, b in reversed(following)]
        _demand(not pending, f"{at}: {len(pending)} pairs are not proved equal")
        known.update(shown)
        return None

    def nonnegative(self, term: Term) -> bool:
        return ranges.nonnegative(term) if _has_slot(term) else self.facts.nonnegative(term, self.facts.here)

    def equal(self, s: Term, x: Term, loops: _Assumed | None) -> bool:
        if loops is not None and (_has_slot(s) or _has_slot(x)):
            return False
        return self.facts.equal(s, x, self.facts.here)

    def _sizes(self, left: Shape | None, right: Shape | None, loops: _Assumed | None) -> Pairs | None:
        if left is None or right is None:
            return [] if left is right else None
        if len(left) != len(right):
            return None
        rest = [(a, b) for a, b in zip(left, right, strict=True) if not self.equal(a, b, loops)]
        return None if any(a.op == "const" or b.op == "const" for a, b in rest) else rest


# -- the rules: when each is the one to use, and which pairs must correspond then


def _undefined(r: Replay, s: Term, x: Term, loops: _Assumed | None) -> Pairs:
    """Contents that are undefined in the source may be anything; an empty tensor has no elements."""
    return []


def _slots(r: Replay, s: Term, x: Term, loops: _Assumed | None) -> Pairs | None:
    """Carried values correspond if they do before the first iteration, and after one more iteration if they did before it."""
    while loops is not None and loops.source.attr[1] != s.attr[0]:
        loops = loops.around
    if loops is None:
        return [] if s is x else None
    if (s, x) in loops.pairs:
        return []
    loops.pairs.add((s, x))
    i, j = (loops.source.attr[2] + 1 + 2 * term.attr[1] for term in (s, x))
    return [
        (loops.source.args[i], loops.target.args[j]),
        (loops.source.args[i + 1], loops.target.args[j + 1]),
    ]


def _inserted(r: Replay, s: Term, x: Term, loops: _Assumed | None) -> Pairs | None:
    """The target contains the elements that the source inserts; everywhere else it has the old contents."""
    if s.shape is None or x.shape is None or len(s.shape) != len(x.shape):
        return None
    box, base, value = c.box_of(s), s.args[0], s.args[1]
    varies = any(_has_slot(term) for part in box for term in part)
    replaces = x.op == "ins" and x.args[1].op != "hole"
    if varies or (replaces and (_moves(s) or _moves(x))):
        return list(zip(s.args, x.args, strict=True)) if x.op == "ins" else None
    if replaces and (x.args[0] is base or base.op == "undef") and c.box_of(x) == box:
        return [(base, x.args[0]), (value, x.args[1])]
    hole = c.hole(box[1])
    return [(value, c.ext(x, box)), (base, c.ins(x, hole, box))]


def _outside(r: Replay, s: Term, x: Term, loops: _Assumed | None) -> Pairs | None:
    """The source contains the elements that the target inserts; the contents of holes do not matter."""
    if x.args[1].op != "hole":
        box = c.box_of(x)
        hole = c.hole(box[1])
        return [(c.ext(s, box), x.args[1]), (s, c.ins(x.args[0], hole, box))]
    holes: list[c.Box] = []
    inner = x
    while inner.op == "ins":
        if _is_boxed_by_slots(inner):
            return None
        box = c.box_of(inner)
        if inner.args[1].op == "hole":
            holes.append(box)
        elif not any(box == hole or ranges.inside(box, hole, r.nonnegative) for hole in holes):
            break
        inner = inner.args[0]
    if ranges.cover(holes, x.shape or (), r.nonnegative):
        return []
    if inner.op == "sel":
        condition = inner.args[0]
        if may_vary(condition):
            return None
        cases = [
            (c.assumed(s, condition, holds), c.assumed(inner, condition, holds)) for holds in (True, False)
        ]
        return [(a, _holed(b, holes)) for a, b in cases]
    if inner.op == "ins":
        box = c.box_of(inner)
        if not all(ranges.disjoint(box, hole, r.nonnegative) for hole in holes):
            return None
        return [(c.ext(s, box), inner.args[1]), (s, _holed(inner.args[0], [*holes, box]))]
    cells = ranges.grid(holes, x.shape or (), r.nonnegative) if inner.op == "ext" else None
    if cells is not None:
        return [(c.ext(s, cell), c.ext(inner, cell)) for cell, holed in cells if not holed]
    return [(s, inner)]


def _holed(x: Term, holes: list[c.Box]) -> Term:
    for hole in holes:
        x = c.ins(x, c.hole(hole[1]), hole)
    return x


def _cases(r: Replay, s: Term, x: Term, loops: _Assumed | None) -> Pairs | None:
    """Terms correspond if they do where a condition holds, and where it does not."""
    condition = deciding(s, x)
    if condition is None:
        return None
    if may_vary(condition):
        return [(case, x) for case in s.args[1:]]
    return [(c.assumed(s, condition, holds), c.assumed(x, condition, holds)) for holds in (True, False)]


def _reshaped(r: Replay, s: Term, x: Term, loops: _Assumed | None) -> Pairs:
    """A reshape to the sizes that are there does nothing."""
    return [(s.args[0], x)] if s.op == "reshape" else [(s, x.args[0])]


def _congruent(r: Replay, s: Term, x: Term, loops: _Assumed | None) -> Pairs | None:
    """The same operation of parts that correspond."""
    if s.op == "loop":
        count = s.attr[2] + 1
        return list(zip(s.args[:count], x.args[:count], strict=True))
    return paired(s, x)


def _in_cells(r: Replay, s: Term, x: Term, loops: _Assumed | None) -> Pairs:
    """Contents correspond if they do in each of some boxes that make them up."""
    return [(c.ext(s, cell), c.ext(x, cell)) for cell in cells_of(s, x) or ()]


def _alike(r: Replay, left: Shape | None, right: Shape | None) -> bool:
    return left is not None and right is not None and r.facts.same_shape(left, right, r.facts.here)


def _is_reshape(r: Replay, s: Term, x: Term, loops: _Assumed | None) -> bool:
    if s.op == "reshape" and x.op != "reshape" and _alike(r, s.args[0].shape, x.shape):
        return True
    return x.op == "reshape" and s.op != "reshape" and _alike(r, s.shape, x.args[0].shape)


def _same_operation(s: Term, x: Term) -> bool:
    return s.op == x.op != "slot" and s.type is x.type


Condition = Callable[[Replay, Term, Term, "_Assumed | None"], bool]
Parts = Callable[[Replay, Term, Term, "_Assumed | None"], "Pairs | None"]

RULES: dict[str, tuple[Condition, Parts]] = {
    "undefined": (lambda r, s, x, loops: s.op in ("undef", "blank"), _undefined),
    "empty": (lambda r, s, x, loops: any(size is ZERO for size in s.shape or ()), _undefined),
    "nothing": (lambda r, s, x, loops: x.op in ("undef", "junk"), lambda r, s, x, loops: None),
    "slot": (lambda r, s, x, loops: s.op == x.op == "slot" and s.attr[0] == x.attr[0], _slots),
    "inserted": (lambda r, s, x, loops: s.op == "ins", _inserted),
    "equal": (lambda r, s, x, loops: s.type is not None and r.equal(s, x, loops), _undefined),
    "reshaped": (_is_reshape, _reshaped),
    "outside": (
        lambda r, s, x, loops: x.op == "ins" and s.shape is not None and not _is_boxed_by_slots(x),
        _outside,
    ),
    "cases": (lambda r, s, x, loops: deciding(s, x) is not None, _cases),
    "cells": (lambda r, s, x, loops: cells_of(s, x) is not None, _in_cells),
    "fold": (lambda r, s, x, loops: steps_of(s, x) is not None, lambda r, s, x, loops: steps_of(s, x)),
    "sliced": (
        lambda r, s, x, loops: slices_of(s, x, r.nonnegative) is not None,
        lambda r, s, x, loops: [found] if (found := slices_of(s, x, r.nonnegative)) is not None else None,
    ),
    "promise": (
        lambda r, s, x, loops: about_promises(s, x) is not None,
        lambda r, s, x, loops: about_promises(s, x),
    ),
    "loop": (
        lambda r, s, x, loops: _same_operation(s, x) and s.op == "loop" and s.attr == x.attr,
        _congruent,
    ),
    "congruence": (lambda r, s, x, loops: _same_operation(s, x), _congruent),
}
"""For a pair the first rule whose condition holds; the certificate must name that one."""


def _moves(x: Term) -> bool:
    """Whether contents have an insertion at indices that depend on a loop."""
    while x.op == "ins":
        if _is_boxed_by_slots(x):
            return True
        x = x.args[0]
    return False


def _is_boxed_by_slots(x: Term) -> bool:
    return any(_has_slot(term) for part in c.box_of(x) for term in part)


MAX_LOOKED_INTO = 200
"""Subterms searched for a loop-carried value; a larger term is assumed to contain one."""


def _has_slot(root: Term) -> bool:
    """Whether a carried value of a loop may be free in a term."""
    pending, seen = [root] if root.level else [], 0
    while pending:
        term = pending.pop()
        seen += 1
        if term.op == "slot" or seen > MAX_LOOKED_INTO:
            return True
        pending += term.args if term.level else ()
    return False

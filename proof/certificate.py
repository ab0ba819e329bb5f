"""Certificates: proofs as files that `checker` verifies without search.

A certificate identifies the two programs by hash and contains, for each function, its contract, the unrolled loops
with their factors, the list of comparisons, and for each comparison of terms the rules applied, in the order in
which the pairs are visited.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeAlias

from ..ir.program.core import Operation
from ..ir.source.diagnostics import BufferizeError, Diagnostic, Severity
from ..ir.text.printer import print_operation
from .contracts import Contract

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
        copies={k: set(numbers) for k, numbers in plain["copies"]},
    )

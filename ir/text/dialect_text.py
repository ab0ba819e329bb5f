"""Canonical spelling of attributes and types kept as text.

Those of other dialects are compared by their text, so equivalent spellings must be normalised. Most attributes are
usually written as `mlir-opt` prints them; this module handles the exceptions:

* `#dlti.dl_spec<#dlti.dl_entry<index, 32>>` is printed `#dlti.dl_spec<index = 32 : i64>`, and numbers get their type;
* `#sparse_tensor.encoding<{map = (i, j) -> (i: dense, j: compressed)}>` is printed with spaces inside the braces and
  around the colons, and with dimensions and levels named `d0`, `l0`;
* `#arith.fastmath<ninf, nnan>` lists its flags in the order of their bits, and `#complex.number<:f32 1.0, 2.0>` has a type;
* `!llvm.struct<(!llvm.ptr,i32)>` drops `!llvm.` inside, and is printed `!llvm.struct<(ptr, i32)>`.

Text of any other form is kept unchanged. O(text).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ..source.diagnostics import ParseError, error
from ..source.locations import Source, Span
from ..source.parts import attribute_end
from ..source.text import lazy_pattern
from ..types.attributes import Attribute, DialectAttr, FloatAttr
from ..types.types import BF16, F16, F32, F64, ComplexType, DialectType, Type

_NUMBER = lazy_pattern(r"-?\d+")
_TOKEN = lazy_pattern(r'"(?:[^"\\]|\\.)*"|->|[<>(){}\[\],=]|[^"<>(){}\[\],=\s-]+|-|\s+')
_ENTRY = lazy_pattern(r"#dlti\.dl_entry\s*<(.*)>", re.DOTALL)
_NESTED = lazy_pattern(r"#dlti\.(\w+)\s*<(.*)>", re.DOTALL)
_MAX_NESTING = 8
"""Data layout specifications nest three deep; deeper text is kept unchanged."""


def canonical_body(dialect: str, body: str) -> str:
    """The body of `#dialect.body` as `mlir-opt` spells it."""
    rule = _RULES.get(dialect)
    return body if rule is None else rule(body)


def dialect_attribute(
    dialect: str, body: str, type: Type | None, aliases: Mapping[str, Attribute]
) -> DialectAttr:
    """`#dialect.body : type`, with nested attributes parsed if `mlir-opt` loads the dialect.

    Text of unknown dialects is kept as written, including its aliases.
    """
    parts = attributes_within(body, aliases) if "#" in body and dialect in _WITH_ATTRIBUTES else ()
    if parts:
        return DialectAttr(dialect, "".join(map(str, parts)), type, parts)
    if dialect == "complex" and (found := _COMPLEX.fullmatch(body)):  # whatever type is written behind it
        type = ComplexType(_FLOATS[found[1]])
    return DialectAttr(dialect, canonical_body(dialect, body), type)


def dialect_type(
    dialect: str, body: str, attributes: Mapping[str, Attribute], types: Mapping[str, Type]
) -> DialectType:
    """`!dialect.body`, with nested attributes and type aliases parsed if `mlir-opt` loads the dialect."""
    if dialect not in _WITH_ATTRIBUTES:
        return DialectType(dialect, body)
    if "!" in body and types:

        def meaning(match: re.Match[str]) -> str:
            found = types.get(match[1]) if match[1] else None
            if found is None:
                return match[0]
            if isinstance(found, DialectType) and found.dialect == dialect == "llvm":
                return found.body
            return str(found)

        body = _TYPE_MENTION.sub(meaning, body)
    if dialect == "llvm":
        body = llvm_type(body)
    parts = attributes_within(body, attributes) if "#" in body else ()
    return DialectType(dialect, "".join(map(str, parts)) if parts else body, parts)


def split_parameters(text: str) -> list[str]:
    """Split a type's angle-bracketed parameters at top-level commas; empty if brackets do not match."""
    return _split(text, ",") or []


def read_parameters_of(dialect: str) -> None:
    """Register `dialect` as known, so that attributes and types nested in its own are parsed."""
    _WITH_ATTRIBUTES.add(dialect)


_WITH_ATTRIBUTES = {
    *"acc amdgpu async emitc gpu linalg llvm nvgpu nvvm omp pdl ptr quant".split(),
    *("rocdl", "shard", "smt", "sparse_tensor", "spirv", "tosa", "transform", "xegpu"),
}
"""Dialects whose types and attributes `mlir-opt` parses; those of others it keeps as text."""
_WITHOUT_BOTH = """
    affine arm_neon arm_sve bufferization builtin cf func math memref pdl_interp scf tensor x86vector
    """.split()
WITHOUT_ATTRIBUTES = frozenset([*_WITHOUT_BOTH, *["amx", "async", "pdl", "quant", "shape", "wasmssa"]])
WITHOUT_TYPES = frozenset(
    [
        *_WITHOUT_BOTH,
        *["arith", "arm_sme", "complex", "dlti", "index", "linalg", "nvvm", "rocdl", "ub", "vector", "xevm"],
    ]
)
"""Dialects of MLIR 22 that have no attributes, or no types."""
_ATTRIBUTES = {
    "arith": ("fastmath", "overflow"),
    "complex": ("number",),
    "index": ("cmp_predicate",),
    "linalg": ("binary_fn", "elementwise_kind", "iterator_type", "ternary_fn", "type_fn", "unary_fn"),
}
"""All attributes of some dialects of MLIR 22."""
TYPES = {
    "acc": "data_bounds_ty declare_token",
    "amdgpu": "tdm_base tdm_descriptor tdm_gather_base",
    "amx": "tile",
    "async": "coro.handle coro.id coro.state group token value",
    "emitc": "array lvalue opaque ptr ptrdiff_t size_t ssize_t",
    "gpu": "async.token mma_matrix sparse.dntensor_handle sparse.spgemmop_handle sparse.spmat_handle",
    "llvm": "array func label metadata ppc_fp128 ptr struct target token void x86_amx",
    "ml_program": "token",
    "mpi": "comm request retval status",
    "nvgpu": "mbarrier.group mbarrier.token tensormap.descriptor warpgroup.accumulator warpgroup.descriptor",
    "omp": "cli map_bounds_ty",
    "pdl": "attribute operation range type value",
    "ptr": "ptr ptr_metadata",
    "quant": "any calibrated uniform",
    "shape": "shape size value_shape witness",
    "smt": "array bool bv func int sort",
    "sparse_tensor": "iter_space iterator storage_specifier",
    "tosa": "mxint8 shape",
    "wasmssa": "externref funcref limit local tabletype",
    "xegpu": "mem_desc nbarrier tensor_desc",
}
"""All types of some dialects of MLIR 22."""
_UNKNOWN_TYPE = {
    "gpu": "unknown gpu type: {name}",
    "llvm": "unknown LLVM type: {name}",
    "quant": "unknown quantized type {name}",
}
_KEYWORD = lazy_pattern(r"[A-Za-z_][\w$.]*", re.ASCII)


def type_error(dialect: str, body: str) -> str | None:
    """What is wrong with `!dialect.body`, if it is known that the dialect has no such type."""
    if dialect in WITHOUT_TYPES:
        return f"dialect '{dialect}' provides no type parsing hook"
    found = _KEYWORD.match(body) if dialect in TYPES else None
    if found is None or found[0] in TYPES[dialect].split():
        return None
    message = _UNKNOWN_TYPE.get(dialect, "unknown  type `{name}` in dialect `{dialect}`")
    return message.format(name=found[0], dialect=dialect)


def attribute_error(dialect: str, body: str) -> str | None:
    """What is wrong with `#dialect.body`, if it is known that the dialect has no such attribute."""
    if dialect in WITHOUT_ATTRIBUTES:
        return f"dialect '{dialect}' provides no attribute parsing hook"
    name = re.split("[< ]", body, maxsplit=1)[0]  # `name<...>` or, in the other spelling, `name ...`
    if name not in _ATTRIBUTES.get(dialect, (name,)):
        return f"unknown attribute `{name}` in dialect `{dialect}`"
    return None


OF_MLIR = frozenset((*_WITH_ATTRIBUTES, *WITHOUT_ATTRIBUTES, *WITHOUT_TYPES, "irdl", "mpi", "ml_program"))
_USED = re.compile(r"[!#]([A-Za-z_][\w$]*)[.<]", re.ASCII).findall
_SPELLED = lazy_pattern(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|([!#])([A-Za-z_][\w$]*)([.<])', re.ASCII)


def check_dialects(source: Source, is_known: Callable[[str], bool]) -> None:
    """Check that the types and attributes in a text are of known dialects, as mlir-opt requires by default. O(text).

    Raises:
        ParseError: one is not.
    """
    unknown = {name for name in set(_USED(source.text)) - OF_MLIR if not is_known(name)}
    if not unknown:
        return
    for match in _SPELLED.finditer(source.text):
        sigil, name, opened = match.groups()
        if name not in unknown:
            continue
        end = attribute_end(source, match.start(), colon_type=False)
        body = source.text[match.end() : end if opened == "." else end - 1]
        shown = f'{sigil}"{name}"<"{body}">'
        what = f"`{shown}` type" if sigil == "!" else f"{shown} : 'none' attribute"
        at = match.end() if opened == "." else match.start()
        raise ParseError(
            error(
                f"{what} created with unregistered dialect. If this is intended, please call allowUnregisteredDialects() on "
                "the MLIRContext, or use -allow-unregistered-dialect with the MLIR opt tool used",
                Span(source, at, at),
            )
        )


_TYPE_MENTION = lazy_pattern(r'"(?:[^"\\]|\\.)*"|!([A-Za-z_$][\w$]*)(?![\w.$<])', re.ASCII)


_MENTION = lazy_pattern(r'"(?:[^"\\]|\\.)*"|#([A-Za-z_$][\w$]*)(?:\.([A-Za-z_][\w.]*))?(<)?', re.ASCII)


def attributes_within(
    body: str, aliases: Mapping[str, Attribute], nesting: int = 0
) -> tuple[str | Attribute, ...]:
    """Split the body of a dialect attribute into text and the attributes in it: `#alias` and `#dialect.name<...>`.

    Empty if it contains none. Beyond `_MAX_NESTING` levels everything stays text. O(text * nesting).
    """
    parts: list[str | Attribute] = []
    done = 0
    for match in _MENTION.finditer(body):
        name, rest, opened = match.groups()
        if name is None or match.start() < done:
            continue
        end = match.end()
        if rest is None:
            found = aliases.get(name) if opened is None else None
        else:
            end = attribute_end(body, match.start(), colon_type=False)
            inner = body[match.start() + len(name) + 2 : end]
            pieces = attributes_within(inner, aliases, nesting + 1) if nesting < _MAX_NESTING else ()
            inner = "".join(map(str, pieces)) if pieces else canonical_body(name, inner)
            found = DialectAttr(name, inner, None, pieces)
        if found is not None:
            parts += [body[done : match.start()], found]
            done = end
    return (*parts, body[done:]) if parts else ()


def _split(text: str, separator: str) -> list[str] | None:
    """Split `text` at separators outside brackets and strings; None if brackets do not match."""
    parts: list[str] = []
    start = at = depth = 0
    for match in _TOKEN.finditer(text):
        if match.start() != at:
            return None
        at = match.end()
        token = match.group()
        if token in "<({[":
            depth += 1
        elif token in ">)}]":
            depth -= 1
        elif token == separator and depth == 0:
            parts.append(text[start : match.start()].strip())
            start = at
        if depth < 0:
            return None
    parts.append(text[start:].strip())
    return None if depth or at != len(text) else parts


# -- dlti


def _dlti(body: str, nesting: int = 0) -> str:
    name, opened, rest = body.partition("<")
    if not opened or not rest.rstrip().endswith(">") or nesting > _MAX_NESTING:
        return body
    inner = rest.rstrip()[:-1].strip()
    if name == "dl_entry":
        parts = _split(inner, ",")
        if parts is None or len(parts) != 2:
            return body
        return f"dl_entry<{parts[0]}, {_dlti_value(parts[1], nesting)}>"
    if name not in ("dl_spec", "map", "target_system_spec", "target_device_spec"):
        return body
    entries = _split(inner, ",") if inner else []
    if entries is None:
        return body
    shown = []
    for entry in entries:
        old = _ENTRY.fullmatch(entry)
        pair = _split(old[1], ",") if old else _split(entry, "=")
        if pair is None or len(pair) != 2:
            return body
        shown.append(f"{pair[0]} = {_dlti_value(pair[1], nesting)}")
    return f"{name}<{', '.join(shown)}>"


def _dlti_value(text: str, nesting: int) -> str:
    if _NUMBER.fullmatch(text):
        return f"{text} : i64"
    number, colon, type = text.partition(":")
    if colon and _NUMBER.fullmatch(number.strip()):
        return f"{number.strip()} : {type.strip()}"
    if found := _FLOAT.fullmatch(text):
        return _typed_float(*found.groups())
    nested = _NESTED.fullmatch(text)
    if nested:
        return "#dlti." + _dlti(f"{nested[1]}<{nested[2]}>", nesting + 1)
    if text.startswith("dense") and '"' not in text:
        return re.sub(r"\s*:\s*", " : ", re.sub(r"\s*,\s*", ", ", text))
    return text


_FLOAT = lazy_pattern(r"(-?\d+\.\d*(?:[eE][-+]?\d+)?)\s*:\s*(b?f16|f32|f64)")
_FLOATS = {"bf16": BF16, "f16": F16, "f32": F32, "f64": F64}


def _typed_float(number: str, type: str) -> str:
    """`1.000000e+00 : f32`."""
    return str(FloatAttr(float(number), _FLOATS[type]))


# -- sparse_tensor

_ENCODING = lazy_pattern(r"encoding\s*<\s*\{(.*)\}\s*>", re.DOTALL)
_MAP = lazy_pattern(
    r"map\s*=\s*(\[[^\]]*\])?\s*(?:\{([^}]*)\})?\s*\(((?:[^()]|\([^()]*\))*)\)\s*->\s*\((.*)\)", re.DOTALL
)
_SLICE = "#sparse_tensor<slice({})>"
_SLICED = lazy_pattern(r"#sparse_tensor\s*<\s*slice\s*\((.*)\)\s*>")
_WORD = lazy_pattern(r"[A-Za-z_]\w*")


def _sparse_tensor(body: str) -> str:
    found = _ENCODING.fullmatch(body)
    fields = _split(found[1].strip(), ",") if found else None
    if fields is None:
        return body
    shown = []
    for field in fields:
        key, equals, value = field.partition("=")
        if not equals:
            return body
        if key.strip() == "map":
            map = _sparse_map(field)
            if map is None:
                return body
            shown.append(map)
        else:
            number = _FLOAT.fullmatch(value.strip())
            exact = _typed_float(*number.groups()) if number else value.strip()
            shown.append(f"{key.strip()} = {exact}")
    return f"encoding<{{ {', '.join(shown)} }}>"


def _sparse_map(text: str) -> str | None:
    """`map = (i, j) -> (i: dense, j: compressed)` with canonical names; None for other forms, kept as written.

    Levels may have names (`{l0, l1}(i = l0, ...) -> (l0 = i: dense, ...)`), which are not printed; if one dimension is
    a slice all are shown as slices.
    """
    found = _MAP.fullmatch(text)
    declared = _split(found[3], ",") if found is not None and found[3].strip() else []
    levels = _split(found[4], ",") if found is not None else None
    if found is None or declared is None or levels is None:
        return None
    dims = [re.split("[=:]", dim)[0].strip() for dim in declared]
    slices = [_SLICED.fullmatch(dim.partition(":")[2].strip()) for dim in declared]
    if not all(map(_WORD.fullmatch, dims)) or len(set(dims)) != len(dims):
        return None
    names = {dim: f"d{i}" for i, dim in enumerate(dims)}
    shown = []
    for level in levels:
        expr, colon, kind = level.rpartition("=" if found[2] is not None else "\0")[2].partition(":")
        if not colon:
            return None
        renamed = _WORD.sub(lambda word: names.get(word.group(), word.group()), " ".join(expr.split()))
        kind = re.sub(r"\s*,\s*", ", ", re.sub(r"\s+", "", kind))
        shown.append(f"{renamed} : {kind}")
    spaces = [
        f"{name} : {_SLICE.format(', '.join(slice[1].replace(' ', '').split(',')) if slice else '0, ?, 1')}"
        if any(slices)
        else name
        for name, slice in zip(names.values(), slices, strict=True)
    ]
    return f"map = {found[1] or ''}({', '.join(spaces)}) -> ({', '.join(shown)})"


# -- flags


def _flags(separator: str, *names: str) -> Callable[[str], str]:
    """The rule for a set of flags: in the order of `names`, and `fast` for all flags of floating-point arithmetic."""

    def rule(listed: str) -> str:
        given = [name.strip() for name in listed.split(",")]
        if names == FAST_FLAGS and "fast" in given:
            given += names
        if not {*given} <= {*names, "none"} | ({"fast"} if names == FAST_FLAGS else set()):
            return listed
        found = tuple(name for name in names if name in given)
        return "fast" if found == FAST_FLAGS else separator.join(found) or "none"

    return rule


FAST_FLAGS = ("reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn")
_FLAGS = {
    ("arith", "fastmath"): _flags(",", *FAST_FLAGS),
    ("arith", "overflow"): _flags(", ", "nsw", "nuw"),
    ("llvm", "fastmath"): _flags(", ", *FAST_FLAGS),
    ("llvm", "overflow"): _flags(", ", "nsw", "nuw"),
}


def _flags_of(dialect: str) -> Callable[[str], str]:
    def rule(body: str) -> str:
        name, opened, listed = body.partition("<")
        order = _FLAGS.get((dialect, name))
        if order is None or not opened or not listed.endswith(">"):
            return body
        return f"{name}<{order(listed[:-1])}>"

    return rule


# -- complex

_COMPLEX = lazy_pattern(
    r"number\s*<\s*:\s*(b?f16|f32|f64)\s+(-?\d+\.\d*(?:[eE][-+]?\d+)?)\s*,\s*(-?\d+\.\d*(?:[eE][-+]?\d+)?)\s*>"
)


def _complex(body: str) -> str:
    found = _COMPLEX.fullmatch(body)
    if found is None:
        return body
    type, *numbers = found.groups()
    real, imaginary = (_typed_float(n, type).partition(" : ")[0] for n in numbers)
    return f"number<:{type} {real}, {imaginary}>"


# -- llvm

_LLVM_TOKEN = lazy_pattern(
    r'"(?:[^"\\]|\\.)*"|!llvm\s*\.|\.\.\.|[A-Za-z_$][\w$.]*|\d+|[<>(){}\[\],*!#?-]|\s+', re.ASCII
)
_BUILTIN = frozenset(("vector", "tensor", "memref", "complex", "tuple"))


def llvm_type(body: str) -> str:
    """The body of `!llvm.body` as `mlir-opt` spells it: without `!llvm.` inside, and with its spaces. O(text)."""
    if "<" not in body:
        return body
    pieces: list[str] = []
    at = 0
    while at < len(body):
        match = _LLVM_TOKEN.match(body, at)
        if match is None:
            return body
        token, at = match[0], match.end()
        if token.isspace() or token.startswith("!llvm"):
            continue
        if token in ("!", "#") or (token in _BUILTIN and body[at : at + 1] == "<"):
            end = attribute_end(
                body, match.start(), colon_type=False
            )  # of another dialect, with spaces of its own
            token, at = body[match.start() : end], end
        if token == ">" and pieces[-3:] == ["ptr", "<", "0"]:
            del pieces[-2:]  # the default address space
            continue
        before = pieces[-1] if pieces else ""
        if (
            before == ","
            or token == "x"
            or before in ("x", "packed")
            or (token == "(" and before[-1:] not in "<,")
        ):
            pieces.append(" ")
        pieces.append(token)
    return "".join(pieces)


_RULES: dict[str, Callable[[str], str]] = {
    "arith": _flags_of("arith"),
    "complex": _complex,
    "dlti": _dlti,
    "llvm": _flags_of("llvm"),
    "sparse_tensor": _sparse_tensor,
}

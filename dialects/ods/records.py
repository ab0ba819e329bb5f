"""Declarations from tblgen's JSON records, reduced to what parsing, printing and analysis need.

A declaration is a JSON dictionary:

    name, class, format of the operation; its C++ class, if not derived from the name; without a format there is only a generic form
    operands, results   [name, "single" | "optional" | "variadic", type or null]; a type if the constraint allows only one,
                        `!dialect.name<` if all have that prefix and forms omit it; optionally followed by the summary that
                        completes "operand #0 must be ...", if there is a constraint with that summary here
    attributes          [name, kind, optional, default or null]; see `declare` for kinds and defaults
    regions, successors [name, "single" | "variadic"]
    traits              names, or [name, argument, ...]
    effects             "Pure", "NoMemoryEffect", "Recursive", or a list of ["Read" | "Write" | "Alloc" | "Free", field or null];
                        absent if unknown
"""

from __future__ import annotations

import re
from typing import Any, Final

from ...ir.declaration.constraints import ANY_TYPE, ATTRIBUTES, TYPES
from ...ir.source.text import lazy_pattern
from .._described import FASTMATH_ATTR

Record = dict[str, Any]

_TYPES = {
    "getIndexType()": "index",
    "getI1Type()": "i1",
    "getNoneType()": "none",
    "getF16Type()": "f16",
    "getBF16Type()": "bf16",
    "getF32Type()": "f32",
    "getF64Type()": "f64",
}
_INTEGER = lazy_pattern(r"getIntegerType\((\d+)\)$")
_SIGNED = lazy_pattern(r"getIntegerType\((\d+),\s*/\*isSigned=\*/(true|false)\)$")

_CLASSES = {
    "gpu::AsyncTokenType": "!gpu.async.token",
    "gpu::SparseDnTensorHandleType": "!gpu.sparse.dntensor_handle",
    "gpu::SparseSpGEMMOpHandleType": "!gpu.sparse.spgemmop_handle",
    "gpu::SparseSpMatHandleType": "!gpu.sparse.spmat_handle",
    "LLVM::LLVMPointerType": "!llvm.ptr",
}
"""Types whose spelling does not follow from their C++ name."""

_TRAITS = set(
    """
    ConstantLike ReturnLike IsTerminator IsIsolatedFromAbove SingleBlock NoTerminator NoRegionArguments
    SymbolTable AutomaticAllocationScope AttrSizedOperandSegments AttrSizedResultSegments
    SameVariadicOperandSize SameVariadicResultSize SameOperandsAndResultType SameTypeOperands
    SameOperandsAndResultShape SameOperandsAndResultElementType SameOperandsElementType Elementwise
    """.split()
)
_INTERFACES = {"DestinationStyleOpInterface", "SymbolOpInterface", "FunctionOpInterface"}


def class_name(entry: dict[str, Any]) -> str:
    """The class name of an operation: the C++ name, by default derived from the operation's name."""
    words = re.split(r"[._]", entry["name"].partition(".")[2])
    return entry.get("class") or "".join(word.capitalize() for word in words) + "Op"


def declarations_of(records: dict[str, Any]) -> list[dict[str, Any]]:
    """The operations among tblgen's records, sorted by name.

    Raises ValueError if `records` is not a dump of records.
    """
    instances = records.get("!instanceof") if isinstance(records, dict) else None
    if not isinstance(instances, dict):
        raise ValueError("these are not records of tblgen: there is no '!instanceof'")
    reader = _Reader(records)
    classes = {name.partition("_")[2] or name: name for name in instances.get("Op", ())}
    found = [reader.operation(name) for name in instances.get("Op", ())]
    for entry in found:
        if entry is not None:
            entry_traits = [reader.named(trait, classes) for trait in entry.get("traits", ())]
            if entry_traits:
                entry["traits"] = [trait for trait in entry_traits if trait is not None]
    return sorted((entry for entry in found if entry is not None), key=lambda entry: entry["name"])


def _arguments(trait: object) -> list[str]:
    """The template arguments of a trait."""
    inner = re.search(r"<([^<>]*)>", str(trait))
    return [part.strip() for part in inner[1].split(",")] if inner else []


def _class_of(record: Record) -> str:
    kind = record.get("cppType") or f"{record.get('cppNamespace') or ''}::{record.get('cppClassName')}"
    return str(kind).strip().removeprefix("::")


class _Reader:
    def __init__(self, records: dict[str, Any]):
        self.records = records
        self.printed_classes: dict[str, dict[str, tuple[str, str]]] = {}

    def named(self, trait: object, classes: dict[str, str]) -> Any:
        """The trait with operation names in place of C++ class names; None if a class has no operation."""
        if not isinstance(trait, list) or trait[0] not in ("HasParent", "ImplicitTerminator"):
            return trait
        names: list[str] = []
        for cls in trait[1:]:
            found = self.records.get(classes.get(cls.rpartition("::")[2], ""))
            if not isinstance(found, dict):
                return None
            names.append(f"{self.dialect_of(found['opDialect'])}.{found['opName']}")
        return [trait[0], *names]

    def record(self, reference: object) -> Record:
        name = str(reference.get("def")) if isinstance(reference, dict) else ""
        found = self.records.get(name)
        if not isinstance(found, dict):
            raise ValueError(f"the record '{name}' is missing")
        return found

    @staticmethod
    def is_a(record: Record, kind: str) -> bool:
        return kind in record.get("!superclasses", ())

    def dialect_of(self, reference: object) -> str:
        return str(self.record(reference).get("name", ""))

    def operation(self, name: str) -> dict[str, Any] | None:
        record = self.record({"def": name})
        if not isinstance(record.get("opName"), str) or record.get("opDialect") is None:
            return None
        dialect = self.dialect_of(record["opDialect"])
        entry: dict[str, Any] = {"name": f"{dialect}.{record['opName']}" if dialect else record["opName"]}
        named = name.partition("_")[2] or name
        if named != class_name(entry):
            entry["class"] = named
        operands: list[Any] = []
        attributes: list[Any] = []
        form = record.get("assemblyFormat")
        effects: list[Any] = []
        for i, (reference, field) in enumerate(record.get("arguments", {}).get("args", ())):
            field = field or f"argument{i}"
            constraint, more = self.constraint(reference, field)
            effects += more
            if self.is_a(constraint, "TypeConstraint"):
                operands.append(self.value(field, constraint))
                if self.is_a(constraint, "VariadicOfVariadic"):
                    form = None
            elif self.is_a(constraint, "AttrConstraint") or self.is_a(constraint, "Property"):
                attributes.append(self.attribute(field, constraint, dialect))
        results: list[Any] = []
        for reference, field in record.get("results", {}).get("args", ()):
            constraint, more = self.constraint(reference, field)
            effects += more
            results.append(self.value(field or f"result{len(results)}", constraint))
        for key, entries in (("operands", operands), ("attributes", attributes), ("results", results)):
            if entries:
                entry[key] = entries
        regions = [
            [
                field or f"region{i}",
                "variadic" if self.is_a(self.record(reference), "VariadicRegion") else "single",
            ]
            for i, (reference, field) in enumerate(record.get("regions", {}).get("args", ()))
        ]
        successors = [
            [
                field or f"successor{i}",
                "variadic" if self.is_a(self.record(reference), "VariadicSuccessor") else "single",
            ]
            for i, (reference, field) in enumerate(record.get("successors", {}).get("args", ()))
        ]
        if regions:
            entry["regions"] = regions
        if successors:
            entry["successors"] = successors
        self.traits(record, entry, effects)
        if isinstance(form, str) and form.strip():
            entry["format"] = " ".join(form.split())
        return entry

    def constraint(self, reference: object, field: str | None) -> tuple[Record, list[Any]]:
        """The constraint of an argument, and its declared memory effects."""
        record = self.record(reference)
        effects: list[Any] = []
        if self.is_a(record, "OpVariable"):
            for decorator in record.get("decorators", ()) or ():
                kind = self.effect_kind(self.record(decorator))
                if kind:
                    effects.append([kind, field])
            record = self.record(record["constraint"])
        return record, effects

    def value(self, name: str, record: Record) -> list[Any]:
        arity = "single"
        for kind, word in (
            ("Variadic", "variadic"),
            ("VariadicOfVariadic", "variadic"),
            ("Optional", "optional"),
        ):
            if self.is_a(record, kind):
                arity = word
                record = self.record(record["baseType"])
                break
        type = self.only_type(record) or self.shortened(record, arity)
        summary = str(record.get("summary") or "")
        told = summary in TYPES if type is None else not type.endswith("<")
        return [name, arity, type, summary] if told and summary != ANY_TYPE.summary else [name, arity, type]

    def shortened(self, record: Record, arity: str) -> str | None:
        """The prefix of types that forms spell by their parameters alone: those of one class with its own printer."""
        if arity != "single" or not record.get("cppType"):
            return None
        found = self.printed("TypeDef").get(_class_of(record))
        return "!" + ".".join(found) + "<" if found else None

    def printed(self, kind: str) -> dict[str, tuple[str, str]]:
        """Dialect and name, by C++ class, of the types or attributes that print their parameters themselves."""
        if kind not in self.printed_classes:
            found = map(self.records.__getitem__, self.records["!instanceof"].get(kind, ()))
            self.printed_classes[kind] = {
                _class_of(record): (self.dialect_of(record["dialect"]), record["mnemonic"])
                for record in found
                if record.get("mnemonic")
                and (record.get("assemblyFormat") or record.get("hasCustomAssemblyFormat"))
            }
        return self.printed_classes[kind]

    def parameter_type(self, compute: str) -> str | None:
        """`!dialect.name<n`, if C++ extracts the n-th parameter of such a type, itself a type: `getValueType()`."""
        match = re.fullmatch(r"(?:::)?(?:\w+::)*cast<([\w:]+)>\(\$_self\)\.get(\w+)\(\)", compute.strip())
        if match is None:
            return None
        for reference in self.records["!instanceof"].get("TypeDef", ()):
            record = self.records[reference]
            names = [name for _, name in record.get("parameters", {}).get("args", ())]
            if record.get("cppClassName") != match[1].rpartition("::")[2] or not record.get("mnemonic"):
                continue
            form = str(record.get("assemblyFormat") or "").replace(" ", "")
            plain = form == "`<`" + "`,`".join("$" + name for name in names) + "`>`"
            at = next((i for i, name in enumerate(names) if name.lower() == match[2].lower()), None)
            if at is not None and (plain or len(names) == 1):
                return f"!{self.dialect_of(record['dialect'])}.{record['mnemonic']}<{at}"
        return None

    def only_type(self, record: Record) -> str | None:
        """The spelling of the only type that a constraint allows, if it is buildable without further information."""
        if self.is_a(record, "TypeDef") and record.get("mnemonic"):
            if not record.get("parameters", {}).get("args"):
                return f"!{self.dialect_of(record['dialect'])}.{record['mnemonic']}"
            return None
        call = record.get("builderCall")
        if not isinstance(call, str) or not call:
            return None
        call = call.strip().removeprefix("$_builder.")
        if call in _TYPES:
            return _TYPES[call]
        if match := _INTEGER.match(call):
            return f"i{match[1]}"
        if match := _SIGNED.match(call):
            return f"{'s' if match[2] == 'true' else 'u'}i{match[1]}"
        for cls, text in _CLASSES.items():
            if f"{cls}::get(" in call or f"<::mlir::{cls}>" in call:
                return text
        if match := re.search(r"getType<::mlir::(\w+)::\w+>\(\)$", call):
            mnemonic = record.get("mnemonic")
            return f"!{match[1].lower()}.{mnemonic}" if mnemonic else None
        return None

    # -- attributes

    def attribute(self, name: str, record: Record, dialect: str) -> list[Any]:
        optional, default = False, None
        while True:
            if (
                record.get("defaultValue") is not None
                and not self.is_a(record, "UnitAttr")
                and default is None
            ):
                default = record["defaultValue"]
            if self.is_a(record, "OptionalAttr") or self.is_a(record, "DefaultValuedOptionalAttr"):
                optional = True
            base = record.get("baseAttr") or record.get("attr") if self.wraps(record) else None
            if base is None:
                break
            record = self.record(base)
        kind = self.kind(record, dialect)
        if kind == "unit":
            optional, default = True, None
        known = self.default(default, kind)
        return [name, kind, optional or (default is not None and known is None), known]

    def wraps(self, record: Record) -> bool:
        return any(
            self.is_a(record, kind)
            for kind in ("OptionalAttr", "DefaultValuedAttr", "DefaultValuedOptionalAttr", "ConfinedAttr")
        )

    def kind(self, record: Record, dialect: str) -> Any:
        name = record["!name"]
        if name == "UnitAttr" or name in ("UnitProp", "UnitProperty"):
            return "unit"
        if name == "SymbolNameAttr":
            return "symbol_name"
        if record.get("summary") == FASTMATH_ATTR.summary:
            return "fastmath"
        if record.get("summary") in ATTRIBUTES:
            return ["known", record["summary"]]
        if self.is_a(record, "Property"):
            return self.property_kind(record, dialect)
        if self.is_a(record, "EnumAttr"):
            return self.enum_attribute(record)
        if self.is_a(record, "EnumAttrInfo") or self.is_a(record, "EnumInfo"):
            return self.integer_enum(record)
        if self.is_a(record, "AttrDef"):
            mnemonic = record.get("mnemonic")
            return ["def", self.dialect_of(record["dialect"]), mnemonic] if mnemonic else "any"
        storage = str(record.get("storageType", "")).strip().removeprefix("::mlir::")
        if storage == "StringAttr":
            return "string"
        if storage in ("SymbolRefAttr", "FlatSymbolRefAttr"):
            return "symbol"
        if storage == "TypeAttr":
            return "type"
        if storage == "BoolAttr":
            return "bool"
        if match := re.match(r"Dense(Bool|I8|I16|I32|I64|F32|F64)ArrayAttr$", storage):
            return ["array", match[1].lower().replace("bool", "i1")]
        if found := self.printed("AttrDef").get(str(record.get("storageType")).strip().removeprefix("::")):
            return ["def", *found]
        if storage in ("IntegerAttr", "FloatAttr"):
            reference = record.get("valueType")
            only = self.only_type(self.record(reference)) if reference else None
            return ["number", only] if only and only != "none" else "any"
        return "any"

    def property_kind(self, record: Record, dialect: str) -> Any:
        reference = record.get("attrForm") or record.get("enum")
        if reference is None:
            return "any"
        enum = self.record(reference)
        if enum.get("enum") is not None:
            enum = self.record(enum["enum"])
        if not enum.get("enumerants"):
            return "any"
        keyword = record.get("mnemonic")
        return ["flags", keyword or "", self.cases(enum), "," if "," in str(enum.get("separator")) else "|"]

    def cases(self, record: Record) -> dict[str, int]:
        return {
            str(case["str"]): int(case["value"]) for case in map(self.record, record.get("enumerants") or ())
        }

    def enum_attribute(self, record: Record) -> Any:
        form = str(record.get("assemblyFormat") or "$value").replace(" ", "")
        enum = self.record(record["enum"])
        separator = str(enum.get("separator") or "").strip() if self.is_a(enum, "BitEnumBase") else ""
        if form not in ("$value", "`<`$value`>`"):
            return ["def", self.dialect_of(record["dialect"]), record["mnemonic"]]
        return [
            "enum",
            self.dialect_of(record["dialect"]),
            record["mnemonic"],
            list(self.cases(enum)),
            form != "$value",
            separator,
        ]

    def integer_enum(self, record: Record) -> Any:
        type = "i64" if record.get("bitwidth") == 64 else f"i{record.get('bitwidth', 32)}"
        return ["keyword", type, self.cases(record)]

    @staticmethod
    def default(text: object, kind: object) -> Any:
        """A default as text that `declare` can parse, or None for other C++ expressions."""
        if not isinstance(text, str):
            return None
        text = text.strip().strip('"')
        word = text.rpartition("::")[2]
        if kind == "fastmath":
            return word
        if isinstance(kind, list) and kind[0] in ("enum", "keyword", "flags"):
            cases = kind[3] if kind[0] == "enum" else kind[2]
            by_symbol = {str(case).lower(): case for case in cases}
            if text == "{}" and "none" in by_symbol:
                return by_symbol["none"]
            return by_symbol.get(word.lower())
        if text in ("true", "false"):
            return text == "true"
        if number := re.fullmatch(r"(-?\d+)|static_cast<u?int\d+_t>\((-?\d+)\)", text):
            return int(number[1] or number[2])
        if kind in ("string", ["known", "string attribute"]) and re.fullmatch(r"[\w.]*", text):
            return text
        if isinstance(kind, list) and kind[0] == "array" and text in ("{}", ""):
            return []
        return None

    # -- traits and effects

    def effect_kind(self, record: Record) -> str | None:
        name = str(record.get("effect") or record.get("!name") or "").rpartition("::")[2]
        for kind in ("Read", "Write", "Allocate", "Free"):
            if name.startswith(kind) or record.get("!name", "").startswith("Mem" + kind):
                return {"Allocate": "Alloc"}.get(kind, kind)
        return None

    def traits(self, record: Record, entry: dict[str, Any], effects: list[Any]) -> None:
        found: list[Any] = []
        known: Any = None
        for trait in self.flat(record.get("traits") or ()):
            name, kind = trait["!name"], trait.get("trait")
            interface = str(trait.get("cppInterfaceName") or kind or "").rpartition("::")[2]
            if name in ("Pure", "AlwaysSpeculatable"):
                known = "Pure" if name == "Pure" else known
            elif name == "NoMemoryEffect" or (
                interface == "MemoryEffectOpInterface" and "NoMemoryEffect" in name
            ):
                known = known or "NoMemoryEffect"
            elif interface == "HasRecursiveMemoryEffects" or name == "RecursiveMemoryEffects":
                known = known or "Recursive"
            elif interface == "MemoryEffectOpInterface" and self.is_a(trait, "MemoryEffects"):
                effects += [
                    [k, None] for e in trait.get("effects") or () if (k := self.effect_kind(self.record(e)))
                ]
                if not (trait.get("effects") or ()):
                    known = known or "NoMemoryEffect"
            elif self.is_a(trait, "SingleBlockImplicitTerminatorImpl") or str(kind or "").startswith(
                "SingleBlockImplicitTerminator"
            ):
                found.append(["ImplicitTerminator", *_arguments(kind)])
            elif str(kind or "").startswith("HasParent<"):
                found.append(["HasParent", *_arguments(kind)])
            elif self.is_a(trait, "AllTypesMatch"):
                found.append(["AllTypesMatch", *trait["values"]])
            elif self.is_a(trait, "TypesMatchWith"):
                compute = str(trait["transformer"]).strip()
                compute = self.parameter_type(compute) or compute
                found.append(["TypesMatchWith", trait["lhs"], trait["rhs"], compute, trait["summary"]])
            elif interface == "InferTypeOpInterface":
                found.append("InferTypes")
            elif interface in ("IsCommutative", "IsIdempotent"):
                found.append(interface.removeprefix("Is"))
            elif interface in _TRAITS or interface in _INTERFACES:
                found.append(interface)
        if found:
            entry["traits"] = [t for i, t in enumerate(found) if t not in found[:i]]
        if known:
            entry["effects"] = known
        elif effects:
            entry["effects"] = effects

    def flat(self, references: Any) -> list[Record]:
        traits: list[Record] = []
        for reference in references:
            record = self.record(reference)
            if self.is_a(record, "TraitList"):
                traits.append(record)
                traits += self.flat(record.get("traits") or ())
            else:
                traits.append(record)
        return traits


# -- parsing IRDL, MLIR's dialect definition language, as declarations
#
#     irdl.dialect @cmath {
#       irdl.operation @norm {
#         %0 = irdl.is f32
#         irdl.operands(x: %0)
#         irdl.results(y: %0)
#       }
#     }
#
# IRDL declares the numbers and types of operands, results, regions and attributes, but neither forms nor
# traits, so operations have their generic form only. Supported are names, counts, and `irdl.is` of a plain type.


_DIALECT: Final = lazy_pattern(r"\birdl\.dialect\s+@([\w$.-]+)")
_OPERATION: Final = lazy_pattern(r"\birdl\.operation\s+@([\w$.-]+)")
_IS: Final = lazy_pattern(
    r"(%[\w$.-]+)\s*=\s*irdl\.is\s+((?:[su]?i\d+|f\d+|bf16|index|none)\b|![\w.$]+(?![\w.$<]))"
)
_LIST: Final = lazy_pattern(r"\birdl\.(operands|results|regions)\s*\(([^)]*)\)")
_ATTRIBUTES: Final = lazy_pattern(r"\birdl\.attributes\s*\{([^}]*)\}")
_ENTRY: Final = lazy_pattern(r"\s*(?:([A-Za-z_]\w*)\s*:\s*)?(?:(single|optional|variadic)\s+)?(%[\w$.-]+)\s*")
_NOISE: Final = lazy_pattern(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"')


def declarations_of_irdl(text: str) -> list[dict[str, Any]]:
    """The operations that IRDL declares, sorted by name. O(length of the text).

    Raises ValueError if there is no dialect, or a list is malformed.
    """
    text = _NOISE.sub(lambda m: "" if m[0].startswith("//") else m[0], text)
    found: list[dict[str, Any]] = []
    dialects = 0
    for dialect, body in _blocks(text, _DIALECT):
        dialects += 1
        found += [_operation(f"{dialect}.{name}", inner) for name, inner in _blocks(body, _OPERATION)]
    if not dialects:
        raise ValueError("there is no 'irdl.dialect'")
    return sorted(found, key=lambda entry: entry["name"])


def _blocks(text: str, head: re.Pattern[str]) -> list[tuple[str, str]]:
    """Name and contents of each `head @name { ... }`; the contents are empty if there are no braces."""
    found: list[tuple[str, str]] = []
    at = 0
    while (match := head.search(text, at)) is not None:
        opening = re.compile(r"\s*(?:attributes\s*\{[^}]*\}\s*)?\{").match(text, match.end())
        if opening is None:
            found.append((match[1], ""))
            at = match.end()
            continue
        depth, end = 1, opening.end()
        for brace in re.compile(r"[{}]").finditer(text, opening.end()):
            depth += 1 if brace[0] == "{" else -1
            if depth == 0:
                end = brace.start()
                break
        else:
            raise ValueError(f"the braces of '@{match[1]}' are not closed")
        found.append((match[1], text[opening.end() : end]))
        at = end
    return found


def _operation(name: str, body: str) -> dict[str, Any]:
    only = {match[1]: match[2] for match in _IS.finditer(body)}
    entry: dict[str, Any] = {"name": name}
    traits: list[str] = []
    for kind, contents in _LIST.findall(body):
        rows: list[list[Any]] = []
        for i, part in enumerate(contents.split(",") if contents.strip() else []):
            match = _ENTRY.fullmatch(part)
            if match is None:
                raise ValueError(f"'{name}': cannot read '{part.strip()}' in 'irdl.{kind}'")
            label, arity = match[1] or f"{kind[:-1]}{i}", match[2] or "single"
            rows.append([label, arity] if kind == "regions" else [label, arity, only.get(match[3])])
        if rows:
            entry[kind] = rows
        if kind != "regions" and sum(row[1] != "single" for row in rows) > 1:
            traits.append("AttrSizedOperandSegments" if kind == "operands" else "AttrSizedResultSegments")
    attributes = [
        [label, "any", False, None]
        for contents in _ATTRIBUTES.findall(body)
        for label in re.findall(r'"?([\w$.-]+)"?\s*=', contents)
    ]
    if attributes:
        entry["attributes"] = attributes
    if traits:
        entry["traits"] = traits
    return entry

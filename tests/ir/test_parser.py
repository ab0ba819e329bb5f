"""Reading programs: names and scopes, forward references, regions, forms old and new, and what is said of mistakes."""

import pytest
from bufferize.ir.source.diagnostics import ParseError, format_plain
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import DocumentParser, parse_text
from bufferize.ir.text.printer import print_module, print_operation
from bufferize.ir.text.registry import default_registry


def read(text, allow_unregistered=True):
    return parse_text(text, allow_unregistered=allow_unregistered)


def printed(text, generic=False):
    return print_operation(read(text), generic=generic)


def test_an_empty_text_is_an_empty_module():
    assert printed("") == "module {\n}"
    assert printed("  // only a comment\n") == "module {\n}"


def test_one_module_stands_for_itself_and_several_are_wrapped():
    assert printed("module @a {}") == "module @a {\n}"
    assert printed("module @a {} module @b {}").splitlines()[0] == "module {"


def test_uses_may_precede_definitions():
    text = """
    func.func @f(%c: i1) {
      cf.br ^second
    ^first:
      "t.use"(%x) : (i32) -> ()
      return
    ^second:
      %x = "t.def"() : () -> i32
      cf.br ^first
    }
    """
    use = next(op for op in read(text).walk() if op.name == "t.use")
    assert use.operands[0].defining_op.name == "t.def"


def test_sibling_regions_may_reuse_names():
    module = read('"t.a"() ({ %x = "t.d"() : () -> i32 }, { %x = "t.d"() : () -> i32 }) : () -> ()')
    assert sum(op.name == "t.d" for op in module.walk()) == 2


def test_results_of_one_operation_may_be_bound_to_groups():
    module = read('%a:2, %b = "t.d"() : () -> (i1, i2, i3)\n"t.u"(%a#0, %a#1, %b) : (i1, i2, i3) -> ()')
    use = next(op for op in module.walk() if op.name == "t.u")
    assert [v.index for v in use.operands] == [0, 1, 2]


def test_operations_know_their_place():
    text = 'func.func @f(%a: f32) {\n  %b, %c = "t.d"(%a) : (f32) -> (i1, i1)\n  return\n}'
    op = next(op for op in read(text).walk() if op.name == "t.d")
    assert op.span.text == '%b, %c = "t.d"(%a) : (f32) -> (i1, i1)'
    assert (op.name_span.line, op.name_span.column, op.name_span.text) == (2, 12, '"t.d"')
    arg = op.operands[0]
    source, start, end = arg.where
    assert source.text[start:end] == "%a"


def test_aliases_of_types_and_attributes():
    text = '!t = tensor<4xf32>\n#m = affine_map<(d0) -> (d0 + 1)>\n"t.u"() {m = #m, t = !t} : () -> !t'
    assert printed(text) == (
        '#map = affine_map<(d0) -> (d0 + 1)>\nmodule {\n  %0 = "t.u"() {m = #map, t = tensor<4xf32>} : () -> tensor<4xf32>\n}'
    )


def test_locations_are_read_and_their_aliases_may_follow():
    module = read(
        '"t.u"() : () -> () loc(#loc1)\n"t.v"() : () -> () loc("f.py":3:4)\n#loc1 = loc("g.py":1:2)'
    )
    assert [str(op.location) for op in module.walk() if op.name.startswith("t.")] == [
        'loc("g.py":1:2)',
        'loc("f.py":3:4)',
    ]


def test_metadata_is_kept_in_mlir_layout():
    text = (
        '"t.u"() {x = [dense_resource<b> : tensor<1xi8>], y = dense_resource<a> : tensor<1xi8>} : () -> ()\n'
        "{-# external_resources: { tool: { on: true } },"
        ' dialect_resources: { builtin: { a: "0x08000000", unused: "0x20000000", b: "0x10000000" } } #-}'
    )
    parser = DocumentParser(Source("x", text), default_registry(), True)
    module = parser.parse()
    assert print_module(module, metadata=parser.metadata).endswith(
        '\n\n{-#\n  dialect_resources: {\n    builtin: {\n      b: "0x10000000",\n      a: "0x08000000"\n    }\n  },\n'
        "  external_resources: {\n    tool: {\n      on: true\n    }\n  }\n#-}\n\n"
    )


def test_resources_that_nobody_refers_to_are_not_printed():
    text = '"t.u"() : () -> ()\n{-# dialect_resources: { builtin: { a: "0x08000000" } } #-}'
    parser = DocumentParser(Source("x", text), default_registry(), True)
    module = parser.parse()
    assert print_module(module, metadata=parser.metadata) == print_module(module)


@pytest.mark.parametrize("depth", [1, 50, 3000])
def test_nesting_is_limited_by_memory_only(depth):
    text = '"t.r"() ({\n' * depth + '"t.leaf"() : () -> ()\n' + "}) : () -> ()\n" * depth
    assert sum(1 for _ in read(text).walk()) == depth + 2


ROUND_TRIPS = {
    "custom": "func.func @f(%arg0: f32) -> f32 {\n  %0 = arith.addf %arg0, %arg0 : f32\n  return %0 : f32\n}",
    "names from operations": "func.func @f() {\n  %c0 = arith.constant 0 : index\n  %c0_0 = arith.constant 0 : index\n"
    "  %true = arith.constant true\n  return\n}",
    "blocks and predecessors": "func.func @f(%arg0: i1) {\n  cf.cond_br %arg0, ^bb1, ^bb2\n^bb1:  // pred: ^bb0\n"
    "  cf.br ^bb2\n^bb2:  // 2 preds: ^bb0, ^bb1\n  return\n}",
    "a block nobody reaches": "func.func @f() {\n  return\n^bb1:  // no predecessors\n  return\n}",
    "several results": 'func.func @f() {\n  %0:2 = "t.d"() : () -> (i32, i64)\n  "t.u"(%0#1) : (i64) -> ()\n  return\n}',
    "function types": 'func.func @f(%arg0: () -> (), %arg1: (i32) -> (i32, i32)) {\n  "t.u"(%arg0) : (() -> ()) -> (() -> ())\n'
    "  return\n}".replace('"t.u"', '%0 = "t.u"'),
    "quoted symbols": 'func.func @"a b"() {\n  return\n}',
    "cases without sign": "func.func @f(%arg0: i8) {\n  cf.switch %arg0 : i8, [\n    default: ^bb1,\n    200: ^bb1\n  ]\n"
    "^bb1:  // 2 preds: ^bb0, ^bb0\n  return\n}",
    "attributes": 'func.func @f() attributes {a = [1, 2 : i32], b = {c = "x\\0A"}, "d e"} {\n  return\n}',
}


@pytest.mark.parametrize("body", ROUND_TRIPS.values(), ids=ROUND_TRIPS.keys())
def test_printed_programs_read_back_as_they_are(body):
    text = "module {\n" + "\n".join("  " + line for line in body.splitlines()) + "\n}"
    text = text.replace("\n  ^bb", "\n  ^bb")
    once = printed(text)
    assert printed(once) == once
    assert once == text
    generic = printed(text, generic=True)
    assert printed(generic) == once


ERRORS = [
    ('"t.u"(%x) : (i32) -> ()', 1, 7, "use of undeclared SSA value name"),
    ('%a = "t.d"() : () -> i32\n%a = "t.d"() : () -> i32', 2, 1, "redefinition of SSA value '%a'"),
    (
        '%a = "t.d"() : () -> i32\n"t.u"(%a) : (f32) -> ()',
        2,
        7,
        "use of value '%a' expects different type than prior uses: 'f32' vs 'i32'",
    ),
    ('%a:2 = "t.d"() : () -> i32', 1, 1, "operation defines 1 results but was provided 2 to bind"),
    ('%a = "t.d"() : () -> ()', 1, 1, "cannot name an operation with no results"),
    ('"t.u"(%a#1) : (i32) -> ()\n%a = "t.d"() : () -> i32', 1, 7, "use of undeclared SSA value name"),
    ('scf.if %a {\n%a = "t.d"() : () -> i1\n}', 1, 1, "operation's operand is unlinked"),
    ('"t.u"() : (i32) -> ()', 1, 11, "expected 0 operand types but had 1"),
    ('"t.u"() : i32', 1, 11, "expected function type"),
    ('"t.u"() ({', 1, 11, "expected operation name in quotes"),
    ("func.func @f() { cf.br ^x }", 1, 24, "reference to an undefined block"),
    ('"t.r"() ({\n^a:\n^a:\n}) : () -> ()', 3, 1, "redefinition of block '^a'"),
    ("}", 1, 1, "expected operation name in quotes"),
    ("arith.nonsense", 1, 1, "custom op 'arith.nonsense' is unknown"),
    ("nonsense", 1, 1, "custom op 'nonsense' is unknown (tried 'builtin.nonsense' as well)"),
    ("#a = ", 1, 5, ""),
    ("!t = tensor<", 1, 13, ""),
    ('"t.u"() {a = 1, a = 2} : () -> ()', 1, 17, "duplicate key 'a' in dictionary attribute"),
    ("%0 = arith.addf", 1, 16, "expected SSA operand"),
    ("%0 = tensor.empty() : $x", 1, 22, "expected non-function type"),
    ("module attributes {a.b =    $x} {}", 1, 25, "expected attribute value"),
    (f"%0 = tensor.empty() : tensor<4x{10**20}xf32>", 1, 32, "invalid dimension"),
    (
        f"%0 = tensor.empty() : tensor<4xf32>\n%1 = tensor.extract_slice %0[{10**20}] [1] [1] : tensor<4xf32> to tensor<1xf32>",
        2,
        30,
        "custom op 'tensor.extract_slice' integer value too large",
    ),
    ("func.func 4", 1, 11, "custom op 'func.func' expected valid '@'-identifier for symbol name"),
    (
        '%0:2 = "t.d"() : () -> (i32, i32)\n"t.u"(%0#1) : (f32) -> ()',
        2,
        7,
        "use of value '%0' expects different type than prior uses: 'f32' vs 'i32'",
    ),
    ("{-# dialect_resources: {", 1, 24, "expected identifier key for 'resource' entry"),
]


@pytest.mark.parametrize(("text", "line", "column", "message"), ERRORS)
def test_mistakes_are_pointed_at(text, line, column, message):
    with pytest.raises(ParseError) as caught:
        read(text)
    diagnostic = caught.value.diagnostic
    if message:
        assert diagnostic.message == message
        assert (diagnostic.span.line, diagnostic.span.column) == (line, column)
    assert format_plain(diagnostic).startswith(f"<text>:{diagnostic.span.line}:")


def test_unknown_dialects_are_allowed_only_on_request():
    with pytest.raises(ParseError, match="-allow-unregistered-dialect"):
        read('"foo.bar"() : () -> ()', allow_unregistered=False)


@pytest.mark.parametrize(
    ("alias", "type"),
    [
        ("#map = affine_map<(d0, d1) -> (d0, d1 + {0})>", "memref<?x?xf32, #map>"),
        ("!e = i{0}", "memref<?x?x!e>"),
    ],
)
def test_an_alias_is_that_of_its_document(alias, type):
    """Also for operations that are common enough for the fast path, which remembers what types lead to."""
    for number in range(1, 4):
        body = "".join(
            f'  %x{i} = memref.alloc(%n, %n) : {type}\n  "test.x"(%x{i}) : ({type}) -> ()\n  memref.dealloc %x{i} : {type}\n'
            for i in range(12)
        )
        text = f"{alias.format(number)}\nfunc.func @f(%n: index) {{\n{body}  return\n}}\n"
        module = parse_text(text, allow_unregistered=True)
        shown = {str(op.results[0].type) for op in module.walk() if op.name == "memref.alloc"}
        assert len(shown) == 1 and (
            f"i{number}>" in shown.pop() if alias[0] == "!" else f"d1 + {number}" in shown.pop()
        )

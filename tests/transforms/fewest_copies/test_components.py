"""Functions that no tensor connects are prepared apart, as if each were alone."""

import re

import pytest
from bufferize import parse, run_passes
from bufferize.analysis.naming import symbol
from bufferize.transforms.fewest_copies import components
from bufferize.transforms.fewest_copies.components import components_of, together
from bufferize.transforms.fewest_copies.prepare import Preparation

FEWEST = "one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops fewest-copies"


def updated(name: str, size: int) -> str:
    """A function that returns a tensor and a changed part of it, with copies that can be avoided."""
    whole = f"tensor<{size}xf32>"
    return f"""
func.func @{name}(%t: {whole}, %x: f32, %i: index) -> ({whole}, f32, tensor<2xf32>) {{
  %e = tensor.empty() : {whole}
  %filled = linalg.fill ins(%x : f32) outs(%e : {whole}) -> {whole}
  %0 = tensor.insert %x into %filled[%i] : {whole}
  %1 = linalg.add ins(%filled, %t : {whole}, {whole}) outs(%e : {whole}) -> {whole}
  %2 = tensor.extract %t[%i] : {whole}
  %3 = tensor.extract_slice %0[1] [2] [1] : {whole} to tensor<2xf32>
  return %1, %2, %3 : {whole}, f32, tensor<2xf32>
}}"""


def bufferized(text: str) -> str:
    module = parse(text)
    run_passes(module, [FEWEST])
    return str(module)


def functions(text: str) -> list[str]:
    return re.findall(r"  func\.func .*?\n  }", text, re.DOTALL)


@pytest.fixture
def each_apart(monkeypatch):
    monkeypatch.setattr(components, "MAX_TOGETHER", 0)


@pytest.mark.usefixtures("each_apart")
def test_each_becomes_what_it_becomes_alone():
    parts = [updated(f"f{size}", size) for size in (4, 8, 300)]
    apart = [function for part in parts for function in functions(bufferized(part))]
    assert functions(bufferized("\n".join(parts))) == apart


@pytest.mark.usefixtures("each_apart")
def test_the_work_grows_with_the_number_of_functions(monkeypatch):
    def operations_analysed(number: int) -> int:
        sizes: list[int] = []
        make = Preparation.__init__

        def counting(self, root, chosen, decide, *others, **known):
            def decided(root, prepared):
                sizes.append(sum(1 for _ in root.walk()))
                return decide(root, prepared)

            make(self, root, chosen, decided, *others, **known)

        with monkeypatch.context() as patch:
            patch.setattr(Preparation, "__init__", counting)
            bufferized("\n".join(updated(f"f{i}", 4 + i) for i in range(number)))
        return sum(sizes)

    assert operations_analysed(16) < 2.2 * operations_analysed(8)


GLOBAL = 'memref.global "private" @state : memref<4xf32>'
READS = """
func.func @reads() -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @state : memref<4xf32>
  %x = memref.load %m[%c0] : memref<4xf32>
  return %x : f32
}"""
CASES = {
    "nothing in common": (updated("f", 4) + updated("g", 8), [["f"], ["g"]]),
    "a tensor is passed": (
        updated("f", 4)
        + """
func.func @g(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %0:3 = func.call @f(%t, %x, %i) : (tensor<4xf32>, f32, index) -> (tensor<4xf32>, f32, tensor<2xf32>)
  return %0#0 : tensor<4xf32>
}"""
        + updated("h", 4),
        [["f", "g"], ["h"]],
    ),
    "a call without tensors": (
        updated("f", 4) + "func.func @g() { return }\nfunc.func @h() { func.call @g() : () -> () return }",
        [["f"], ["g"], ["h"]],
    ),
    "a global in memory": (
        GLOBAL + READS + READS.replace("@reads", "@others") + updated("f", 4),
        [["reads", "others"], ["f"]],
    ),
    "only declared": (
        "func.func private @d(tensor<4xf32>)"
        + "".join(
            f"\nfunc.func @{name}(%t: tensor<4xf32>) {{ func.call @d(%t) : (tensor<4xf32>) -> () return }}"
            for name in "fg"
        ),
        [["f"], ["g"]],
    ),
    "one function": (updated("f", 4), []),
    "a module within": (updated("f", 4) + updated("g", 8) + f"module {{ {updated('f', 4)} }}", []),
}


@pytest.mark.parametrize("case", CASES)
def test_what_connects_functions(case):
    text, expected = CASES[case]
    found = components_of(parse(text))
    assert [[symbol(function) for function in component.functions] for component in found] == expected


def test_small_components_are_prepared_together(monkeypatch):
    module = parse("\n".join(updated(f"f{i}", 4 + i) for i in range(8)))
    size = sum(1 for _ in module.body.entry.ops[0].walk())
    monkeypatch.setattr(components, "MAX_TOGETHER", 3 * size)
    assert [len(group.functions) for group in together(components_of(module))] == [3, 3, 2]


@pytest.mark.usefixtures("each_apart")
@pytest.mark.parametrize("case", CASES)
def test_the_program_keeps_its_order_and_its_other_operations(case):
    text, _ = CASES[case]
    module = parse(text)
    expected = [symbol(op) for op in module.body.ops()]
    run_passes(module, [FEWEST])
    assert [symbol(op) for op in module.body.ops()] == expected

"""Comparing programs up to the names of values and the order of operations that do not depend on each other."""

from collections import Counter

from bufferize.ir.program.core import Block, BlockArgument, Operation, OpResult


def structure(root: Operation) -> object:
    """A canonical value of a program: equal for programs that differ only in value names and in the order of
    independent operations.

    Small programs only: contents are compared as nested tuples.
    """
    values: dict[object, object] = {}
    places: dict[Block, str] = {}

    def name_blocks(op: Operation, path: str) -> None:
        for r, region in enumerate(op.regions):
            for b, block in enumerate(region):
                places[block] = f"{path}/{r}.{b}"
                counts: Counter[str] = Counter()
                for inner in block:
                    counts[inner.name] += 1
                    if inner.regions:
                        name_blocks(inner, f"{places[block]}/{inner.name}{counts[inner.name]}")

    def value_key(value: object) -> object:
        if value not in values:
            if isinstance(value, BlockArgument):
                values[value] = (places[value.owner], value.index)
            else:
                assert isinstance(value, OpResult)
                values[value] = (own_key(value.owner), value.index, _writers(value))
        return values[value]

    def own_key(op: Operation) -> object:
        return (
            op.name,
            places[op.block],
            tuple(value_key(operand) for operand in op.operands),
            tuple(map(str, op.result_types)),
            tuple(sorted((key, str(attr)) for key, attr in op.properties.items())),
            tuple(places[block] for block in op.successors),
        )

    def contents(op: Operation) -> object:
        inside = tuple(
            tuple(
                (tuple(str(arg.type) for arg in block.args), frozenset(Counter(map(contents, block)).items()))
                for block in region
            )
            for region in op.regions
        )
        key = own_key(op) if op.block is not None else op.name
        return key, inside

    name_blocks(root, "")
    return contents(root)


def _writers(value: OpResult) -> tuple[str, ...]:
    """Distinguishes allocations that are created alike but used differently."""
    return tuple(sorted(f"{use.owner.name}#{use.index}" for use in value.uses))

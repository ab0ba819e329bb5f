"""Editing: links, use lists and order numbers stay consistent whatever is done to a program."""

from itertools import pairwise

from bufferize.ir.program.core import Block, Operation, Region, UnregisteredOp
from bufferize.ir.text.parser import parse_text
from bufferize.ir.types.types import I32
from hypothesis import given, strategies as st


def op(name="t.op", operands=(), results=0, regions=0):
    return UnregisteredOp(name, operands, [I32] * results, regions=regions)


def test_uses_are_listed_most_recent_first():
    producer = op(results=1)
    first, second = op(operands=producer.results), op(operands=[*producer.results, *producer.results])
    assert [(use.owner, use.index) for use in producer.the_result.uses] == [
        (second, 1),
        (second, 0),
        (first, 0),
    ]
    assert producer.the_result.users == [second, first]


def test_replacing_uses_moves_them_all():
    old, new = op(results=1), op(results=1)
    users = [op(operands=old.results) for _ in range(3)]
    old.the_result.replace_all_uses_with(new.the_result)
    assert not old.the_result.has_uses
    assert {use.owner for use in new.the_result.uses} == set(users)
    assert all(user.operands == [new.the_result] for user in users)


def test_setting_an_operand_leaves_the_old_use_list():
    a, b = op(results=1), op(results=1)
    user = op(operands=[a.the_result, a.the_result])
    user.op_operands[0].value = b.the_result
    assert [use.index for use in a.the_result.uses] == [1]
    assert [use.index for use in b.the_result.uses] == [0]


def test_erasing_an_operation_drops_nested_uses():
    outer_value = op(results=1)
    owner = op(regions=1)
    block = owner.regions[0].append(Block())
    block.append(op(operands=outer_value.results))
    Region().append(Block()).append(owner)
    owner.erase()
    assert not outer_value.the_result.has_uses
    assert owner.block is None


def test_clone_maps_values_blocks_and_successors():
    module = parse_text(
        """
        func.func @f(%c: i1, %x: i32) -> i32 {
          cf.cond_br %c, ^a(%x : i32), ^b
        ^a(%y: i32):
          return %y : i32
        ^b:
          cf.br ^a(%x : i32)
        }
        """
    )
    copy = module.clone()
    assert str(copy) == str(module)
    originals = {id(o) for o in module.walk()}
    for nested in copy.walk():
        assert id(nested) not in originals
        for value in nested.operands:
            owner = value.defining_op or value.parent_block.parent_op
            assert id(owner) not in originals
        for successor in nested.successors:
            assert successor.region is nested.block.region


def test_clone_maps_each_operand_once():
    a, b, other = op(results=1), op(results=1), op(results=1)
    a, b, other = a.the_result, b.the_result, other.the_result
    user = op(operands=[a, b, other], results=1)
    assert user.clone({a: b, b: a}).operands == [b, a, other]
    assert user.clone({a: user.the_result}).operands == [user.the_result, b, other]


def test_split_moves_the_tail_into_a_new_block():
    region = Region()
    block = region.append(Block())
    ops = [block.append(op(f"t.op{i}")) for i in range(4)]
    tail = block.split_before(ops[2])
    assert block.ops == ops[:2]
    assert tail.ops == ops[2:]
    assert region.blocks == [block, tail]
    assert ops[2].is_before_in_block(ops[3])


def test_walks_survive_erasing_what_was_yielded():
    block = Region().append(Block())
    parent = op(regions=1)
    block.append(parent)
    inner = parent.regions[0].append(Block())
    for i in range(5):
        inner.append(op(f"t.op{i}"))
    for nested in parent.walk_post_order():
        if nested is not parent:
            nested.erase()
    assert inner.is_empty


def test_deep_nesting_needs_no_python_stack():
    depth = 20_000
    root = current = op(regions=1)
    for _ in range(depth):
        block = current.regions[0].append(Block())
        current = block.append(op(regions=1))
    assert sum(1 for _ in root.walk()) == depth + 1
    assert sum(1 for _ in root.walk_post_order()) == depth + 1
    copy = root.clone()
    assert sum(1 for _ in copy.walk()) == depth + 1


EDITS = st.lists(
    st.tuples(
        st.sampled_from(["before", "after", "append", "erase", "move"]),
        st.integers(0, 40),
        st.integers(0, 40),
    )
)


@given(EDITS)
def test_block_order_agrees_with_a_plain_list(edits):
    block = Region().append(Block())
    plain: list[Operation] = []
    for kind, i, j in edits:
        if kind == "append" or not plain:
            plain.append(block.append(op()))
            continue
        anchor = plain[i % len(plain)]
        if kind == "before":
            plain.insert(plain.index(anchor), block.insert_before(op(), anchor))
        elif kind == "after":
            plain.insert(plain.index(anchor) + 1, block.insert_after(op(), anchor))
        elif kind == "erase":
            anchor.erase()
            plain.remove(anchor)
        else:
            other = plain[j % len(plain)]
            if other is not anchor:
                anchor.move_before(other)
                plain.remove(anchor)
                plain.insert(plain.index(other), anchor)
    assert block.ops == plain
    assert list(reversed(block)) == plain[::-1]
    for left, right in pairwise(plain):
        assert left.is_before_in_block(right)
        assert not right.is_before_in_block(left)


def test_many_insertions_in_one_place_keep_the_order():
    block = Region().append(Block())
    last = block.append(op("t.last"))
    inserted = [block.insert_before(op(f"t.op{i}"), last) for i in range(500)]
    assert block.ops == [*inserted, last]
    assert all(a.is_before_in_block(b) for a, b in pairwise(inserted))

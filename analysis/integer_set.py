"""Sets of small integers that share structure: unions of large sets that differ little cost little.

Big-endian Patricia trees [1]_: a leaf is a number; a branch holds the prefix that all its numbers share, the bit in
which they then differ, and the two halves. Trees are never changed, so a set and the set it was made from share all
subtrees that are equal, and both `union` and `overlap` stop where they meet the same subtree on both sides.

.. [1] C. Okasaki and A. Gill, "Fast mergeable integer maps", Workshop on ML, 1998.
"""

from __future__ import annotations

from collections.abc import Iterator

Branch = tuple[int, int, "Tree", "Tree"]
Tree = int | Branch
IntegerSet = Tree | None
"""A set of non-negative integers; None is the empty one."""


def singleton(number: int) -> IntegerSet:
    """The set of one number."""
    return number


def union(one: IntegerSet, other: IntegerSet) -> IntegerSet:
    """All numbers of both. Depth is bounded by the bits of the numbers; at worst O(size of the smaller)."""
    if one is None:
        return other
    if other is None:
        return one
    return _merge(one, other)


def overlap(one: IntegerSet, other: IntegerSet) -> bool:
    """Whether some number is in both. At worst O(size of the smaller)."""
    if one is None or other is None:
        return False
    return _meet(one, other)


def members(numbers: IntegerSet) -> Iterator[int]:
    """The numbers, ascending."""
    stack = [] if numbers is None else [numbers]
    while stack:
        tree = stack.pop()
        if isinstance(tree, int):
            yield tree
        else:
            stack.append(tree[3])
            stack.append(tree[2])


def _join(prefix: int, one: Tree, other_prefix: int, other: Tree) -> Tree:
    """Two trees whose prefixes differ, under the bit in which they first do."""
    bit = 1 << ((prefix ^ other_prefix).bit_length() - 1)
    common = prefix & ~((bit << 1) - 1)
    return (common, bit, other, one) if prefix & bit else (common, bit, one, other)


def _insert(number: int, tree: Tree) -> Tree:
    if isinstance(tree, int):
        return tree if number == tree else _join(number, number, tree, tree)
    prefix, bit, zeros, ones = tree
    if number & ~((bit << 1) - 1) != prefix:
        return _join(number, number, prefix, tree)
    if number & bit:
        inserted = _insert(number, ones)
        return tree if inserted is ones else (prefix, bit, zeros, inserted)
    inserted = _insert(number, zeros)
    return tree if inserted is zeros else (prefix, bit, inserted, ones)


def _merge(one: Tree, other: Tree) -> Tree:
    if one is other:
        return one
    if isinstance(one, int):
        return _insert(one, other)
    if isinstance(other, int):
        return _insert(other, one)
    prefix, bit, zeros, ones = one
    other_prefix, other_bit, other_zeros, other_ones = other
    if bit == other_bit and prefix == other_prefix:
        left, right = _merge(zeros, other_zeros), _merge(ones, other_ones)
        if left is zeros and right is ones:
            return one
        return other if left is other_zeros and right is other_ones else (prefix, bit, left, right)
    if bit < other_bit:
        one, other = other, one
        prefix, bit, zeros, ones = one
        other_prefix, other_bit = other[0], other[1]
    if other_prefix & ~((bit << 1) - 1) == prefix:  # not if the bits are the same: then the prefixes differ
        if other_prefix & bit:
            right = _merge(ones, other)
            return one if right is ones else (prefix, bit, zeros, right)
        left = _merge(zeros, other)
        return one if left is zeros else (prefix, bit, left, ones)
    return _join(prefix, one, other_prefix, other)


def _contains(tree: Tree, number: int) -> bool:
    while not isinstance(tree, int):
        prefix, bit, zeros, ones = tree
        if number & ~((bit << 1) - 1) != prefix:
            return False
        tree = ones if number & bit else zeros
    return tree == number


def _meet(one: Tree, other: Tree) -> bool:
    pairs = [(one, other)]
    while pairs:
        one, other = pairs.pop()
        if one is other:
            return True
        if isinstance(one, int):
            if _contains(other, one):
                return True
            continue
        if isinstance(other, int):
            if _contains(one, other):
                return True
            continue
        if one[1] < other[1]:
            one, other = other, one
        prefix, bit, zeros, ones = one
        other_prefix, other_bit, other_zeros, other_ones = other
        if bit == other_bit:
            if prefix == other_prefix:
                pairs.append((zeros, other_zeros))
                pairs.append((ones, other_ones))
        elif other_prefix & ~((bit << 1) - 1) == prefix:
            pairs.append((ones if other_prefix & bit else zeros, other))
    return False

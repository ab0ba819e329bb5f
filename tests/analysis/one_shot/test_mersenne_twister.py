from __future__ import annotations

from bufferize.analysis.one_shot.search import mt19937, shuffled


def test_mt19937_gives_the_values_of_the_standard() -> None:
    generator = mt19937(5489)
    outputs = [generator.getrandbits(32) for _ in range(10_000)]
    assert outputs[0] == 3499211612
    assert outputs[-1] == 4123659995  # [rand.predef] of the C++ standard


def test_shuffle_is_a_permutation_and_depends_on_the_seed_alone() -> None:
    items = list(range(50))
    assert sorted(shuffled(items, 7)) == items
    assert shuffled(items, 7) == shuffled(items, 7) != shuffled(items, 8)

"""A random graph of blocks, reducible or not, with loops and dead ends, and who dominates whom in it."""

from __future__ import annotations

from random import Random


class RandomGraph:
    """A random graph of blocks that all are reached from the first; the last returns.

    Attributes:
        successors: of each block, none to three.
        dominators: of each block, itself included; they have smaller numbers.
    """

    def __init__(self, random: Random, count: int) -> None:
        self.successors: list[list[int]] = [[] for _ in range(count)]
        for block in range(1, count):
            sources = [i for i in range(block) if len(self.successors[i]) < 2]
            self.successors[random.choice(sources[-3:])].append(block)
        for block in range(count - 1):
            found = self.successors[block]
            while (not found and random.random() < 0.95) or (len(found) == 1 and random.random() < 0.6):
                found.append(random.randrange(1, count))
            if len(found) == 2 and random.random() < 0.15:
                found.append(random.randrange(1, count))
            random.shuffle(found)
        everything = set(range(count))
        self.dominators: list[set[int]] = [{0}] + [set(everything) for _ in range(1, count)]
        changed = True
        while changed:
            changed = False
            for block in range(1, count):
                sources = [self.dominators[i] for i in range(count) if block in self.successors[i]]
                new = set.intersection(*sources) | {block}
                if new != self.dominators[block]:
                    self.dominators[block] = new
                    changed = True

    def freeing_places(self, home: int) -> list[int]:
        """The blocks that a buffer made in `home` may be freed in, at most once on each path."""
        return [
            block
            for block in range(home + 1, len(self.successors))
            if home in self.dominators[block] and block not in self._reached(block, home)
        ]

    def _reached(self, start: int, avoiding: int) -> set[int]:
        found: set[int] = set()
        waiting = list(self.successors[start])
        while waiting:
            block = waiting.pop()
            if block not in found and block != avoiding:
                found.add(block)
                waiting += self.successors[block]
        return found

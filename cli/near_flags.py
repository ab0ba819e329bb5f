"""The flags of one program among several: what is typed, and for the rest the settings nearest to that program.

A command is typed once, but its programs may belong to several projects, or to parts of one with settings of their own. What says how
a program is read, explained and judged (`[options]`, models, definitions, budgets, ignored ids, the baseline) is that of its own
settings; what concerns all programs together, such as the format, is that of the first.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ..ir.source.reading import read_source
from .settings import find

if TYPE_CHECKING:
    from ..analysis.models.registry import ModelRegistry
    from ..ir.source.locations import Source
    from .baseline import Accepted
    from .budgets import Budgets

FlagsBySettings = Callable[[Path | None], argparse.Namespace]
"""The flags if the settings are those of a file, or if there are none."""


class ProgramFlags:
    """The flags of the programs that have the same settings, and what is read because of them."""

    def __init__(self, flags: argparse.Namespace) -> None:
        self.flags = flags

    @cached_property
    def models(self) -> list[Source]:
        """The files of `--models`."""
        return [read_source(path) for path in self.flags.models]

    @cached_property
    def rules(self) -> list[Source]:
        """The files of `--rules`."""
        return [read_source(path) for path in self.flags.rules]

    @cached_property
    def registry(self) -> ModelRegistry:
        """The models that the analysis asks."""
        from ..analysis.models.facts import registry_with

        return registry_with(self.models, self.rules)

    @cached_property
    def accepted(self) -> Accepted:
        """What these settings and the baseline accept."""
        from .baseline import Accepted

        return Accepted(self.flags)

    @cached_property
    def budgets(self) -> Budgets:
        """How many copies are allowed."""
        from .budgets import read_budgets

        return read_budgets(self.flags.budget, self.flags.fail_on_copy or self.accepted.has_baseline)


class NearFlags:
    """Finds the flags of each program of a command.

    Attributes:
        first: those of the first program, with which the command began.
    """

    def __init__(self, flags: argparse.Namespace) -> None:
        self.first = ProgramFlags(flags)
        settings = flags.settings
        self._read: FlagsBySettings | None = flags.with_settings
        self._folders: dict[Path, Path | None] = {}
        self._known = {None if settings is None else Path(settings.source.name).resolve(): self.first}

    def __iter__(self):
        yield from self._known.values()

    def of(self, path: str) -> ProgramFlags:
        """Those of the program in a file; of one that is read from elsewhere those of the first.

        What its settings define is declared from then on.

        Raises:
            BufferizeError: its settings are not understood.
        """
        from .arguments import declare_definitions

        if self._read is None or not Path(path).is_file():
            return self.first
        folder = Path(path).parent
        if folder not in self._folders:
            self._folders[folder] = find(folder)
        file = self._folders[folder]
        found = self._known.get(file)
        if found is None:
            found = self._known[file] = ProgramFlags(self._read(file))
            declare_definitions(found.flags)
        return found

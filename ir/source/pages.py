"""Finding ids and their pages, as `rustc --explain` and `ruff rule` print them.

The docstring of its class is the page, and its two programs are tests:

    A value is read after its buffer would have been overwritten.        what it is called

    The operation would write to a buffer ...                            what it is

    Why: ...                                                             why that happens, or why it matters

    Fix (safe): Move the read before the write.                          what to do, and how far that can be trusted

    Example (--why %t):                                                  a program that has it, and the flags that show it
        func.func @f...

    Instead:                                                             its like that has not
        func.func @f...

A program that needs other files has them behind it, each under a line `--- NAME`.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import ClassVar

from .diagnostics import Applicability, Meaning
from .records import record


class Advice(StrEnum):
    """How far the fix of a page can be trusted. Those of `Applicability` are changes that `bufferize fix` can make."""

    SAFE = Applicability.SAFE.value
    MAYBE = Applicability.MAYBE.value
    CALLERS = Applicability.CALLERS.value
    BY_HAND = "by hand"
    OPTION = "an option"
    NONE = "nothing to fix"


TRUST: dict[Advice, str] = {
    Advice.SAFE: "the program computes the same; `bufferize fix` makes the change and proves it",
    Advice.MAYBE: "the edited program must be run or proved; `bufferize fix` does both",
    Advice.CALLERS: "only you can know whether callers accept this; `bufferize fix --unsafe-fixes` makes the change",
    Advice.BY_HAND: "no command makes this change",
    Advice.OPTION: "the program does not change",
    Advice.NONE: "this is not a problem",
}

_SECTION = re.compile(r"^(Why|Fix|Example|Instead)(?: \(([^)]*)\))?:[ \n]?", re.M)
_FILE = re.compile(r"^--- (\S+)\n", re.M)


@record(frozen=True)
class PageProgram:
    """A program of a page, the flags with which it is looked at, and the files that these name."""

    text: str
    flags: tuple[str, ...]
    files: tuple[tuple[str, str], ...]

    @classmethod
    def read(cls, text: str, flags: str) -> PageProgram:
        """The program that a docstring shows."""
        import textwrap  # only who shows a page needs it

        program, *files = _FILE.split(textwrap.dedent(text).strip("\n") + "\n")
        named = tuple(zip(files[::2], files[1::2], strict=True))
        return cls(program, tuple(flags.split()), named)

    def shown(self) -> str:
        """The program as pages show it, other files behind it."""
        return self.text + "".join(f"\n// {name}:\n{text}" for name, text in self.files)


@record(frozen=True)
class Page:
    """What is to be known of one kind of finding.

    Attributes:
        what: what it is.
        why: why that happens, or why it matters.
        fix: what to do.
        advice: how far that can be trusted.
        example, instead: a program that has the finding, and its like that has not.
    """

    id: str
    title: str
    what: str
    why: str
    fix: str
    advice: Advice
    example: PageProgram
    instead: PageProgram

    @property
    def text(self) -> str:
        """All of it but the programs, as one paragraph."""
        return " ".join(part for part in (self.what, self.why, self.fix) if part)


class Documented:
    """A kind of finding: its docstring is its page.

    Attributes:
        id: names the problem, never the fix.
        command: the command that finds it.
        rules: the rules that derive it, `FILE.LABEL`; those of `conflict.dl` are too many to name, and stand as `conflict`.
    """

    id: ClassVar[str] = ""
    command: ClassVar[tuple[str, ...]] = ("explain",)
    rules: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def page(cls) -> Page:
        """The page.

        Raises:
            LookupError: a section is missing.
        """
        import inspect  # only who shows a page needs it

        heading, _, rest = inspect.cleandoc(cls.__doc__ or "").partition("\n\n")
        what, *sections = _SECTION.split(rest)
        found = {name: (given or "", text) for name, given, text in zip(*[iter(sections)] * 3, strict=True)}
        try:
            (_, why), (advice, fix), example, instead = (
                found[name] for name in ("Why", "Fix", "Example", "Instead")
            )
            return Page(
                cls.id,
                heading.removesuffix("."),
                _line(what),
                _line(why),
                _line(fix),
                Advice(advice),
                PageProgram.read(example[1], example[0]),
                PageProgram.read(instead[1], instead[0]),
            )
        except (KeyError, ValueError) as failure:
            raise LookupError(f"the docstring of {cls.__name__} is no page: {failure}") from None

    @classmethod
    def meaning(cls) -> Meaning:
        """What SARIF viewers say of the id."""
        page = cls.page()
        return Meaning(page.id, page.title, page.text)


def _line(text: str) -> str:
    return " ".join(text.split())


def kinds_in(*families: object) -> tuple[type[Documented], ...]:
    """The kinds of findings that are defined in some modules, in the order of their text."""
    return tuple(
        kind
        for family in families
        for kind in vars(family).values()
        if isinstance(kind, type)
        and issubclass(kind, Documented)
        and kind.id
        and kind.__module__ == vars(family)["__name__"]
    )

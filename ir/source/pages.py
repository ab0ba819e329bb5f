"""Finding ids and their pages, as `rustc --explain` and `ruff rule` print them.

The docstring of the finding's class is the page, and its two programs are tests:

    A value is read after its buffer would have been overwritten.        title

    The operation would write to a buffer ...                            description

    Why: ...                                                             cause or consequence

    Fix (safe): Move the read before the write.                          remedy, and how safe it is

    Example (--why %t):                                                  a program with the finding, and flags that show it
        func.func @f...

    Instead:                                                             a similar program without it
        func.func @f...

Other files that a program needs follow it, each under a line `--- NAME`.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import ClassVar

from .diagnostics import Applicability, Meaning
from .records import record


class Advice(StrEnum):
    """How safe the fix of a page is. The members of `Applicability` are changes that `bufferize fix` can apply."""

    SAFE = Applicability.SAFE.value
    MAYBE = Applicability.MAYBE.value
    CALLERS = Applicability.CALLERS.value
    BY_HAND = "by hand"
    OPTION = "an option"
    PASS = "a pass"
    NONE = "nothing to fix"


TRUST: dict[Advice, str] = {
    Advice.SAFE: "the program computes the same; `bufferize fix` makes the change and proves it",
    Advice.MAYBE: "the edited program must be run or proved; `bufferize fix` does both",
    Advice.CALLERS: "only you can know whether callers accept this; `bufferize fix --unsafe-fixes` makes the change",
    Advice.BY_HAND: "no command makes this change",
    Advice.OPTION: "the program does not change",
    Advice.PASS: "the program computes the same; `bufferize lint` runs the pass before it advises it",
    Advice.NONE: "this is not a problem",
}

_SECTION = re.compile(r"^(Why|Fix|Example|Instead)(?: \(([^)]*)\))?:[ \n]?", re.M)
_FILE = re.compile(r"^--- (\S+)\n", re.M)


@record(frozen=True)
class PageProgram:
    """A program of a page, its flags, and the files that these name."""

    text: str
    flags: tuple[str, ...]
    files: tuple[tuple[str, str], ...]

    @classmethod
    def read(cls, text: str, flags: str) -> PageProgram:
        """Parse the program in a docstring."""
        import textwrap  # needed only to show a page

        program, *files = _FILE.split(textwrap.dedent(text).strip("\n") + "\n")
        named = tuple(zip(files[::2], files[1::2], strict=True))
        return cls(program, tuple(flags.split()), named)

    def shown(self) -> str:
        """The program as pages show it, followed by its other files."""
        return self.text + "".join(f"\n// {name}:\n{text}" for name, text in self.files)


@record(frozen=True)
class Page:
    """The documentation of one kind of finding.

    Attributes:
        what: the description.
        why: the cause, or the consequence.
        fix: the remedy.
        advice: how safe the remedy is.
        example, instead: a program with the finding, and a similar one without it.
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
        """The prose as one paragraph, without the programs."""
        return " ".join(part for part in (self.what, self.why, self.fix) if part)


class Documented:
    """A kind of finding; its docstring is its page.

    Attributes:
        id: names the problem, never the fix.
        command: the command that reports it.
        rules: the rules that derive it, `FILE.LABEL`; the many rules of `conflict.dl` are abbreviated to `conflict`.
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
        import inspect  # needed only to show a page

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
            raise LookupError(f"the docstring of {cls.__name__} is not a page: {failure}") from None

    @classmethod
    def meaning(cls) -> Meaning:
        """The description of the id for SARIF viewers."""
        page = cls.page()
        return Meaning(page.id, page.title, page.text)


def _line(text: str) -> str:
    return " ".join(text.split())


def kinds_in(*families: object) -> tuple[type[Documented], ...]:
    """The kinds of findings defined in some modules, in textual order."""
    return tuple(
        kind
        for family in families
        for kind in vars(family).values()
        if isinstance(kind, type)
        and issubclass(kind, Documented)
        and kind.id
        and kind.__module__ == vars(family)["__name__"]
    )

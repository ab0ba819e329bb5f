"""Settings of all tests."""

import functools
import os
from typing import Any

os.environ["BUFFERIZE_NO_CACHE"] = "1"  # a test asks what happens now, and leaves nothing in a home

import pytest
from bufferize.ir.source.diagnostics import VerifyError
from bufferize.ir.verifier import verify
from bufferize.transforms import pass_manager
from bufferize.transforms.rewriting import greedy
from hypothesis import HealthCheck, settings

# How long an example takes depends on what else the machine does; speed is measured in `benchmarks/`.
settings.register_profile("no deadlines", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no deadlines")


@pytest.fixture(autouse=True, scope="session")
def what_passes_did_not_touch_is_valid():
    """Wherever a pass says what it touched, nothing else may have become wrong: every pass of every test is asked."""

    def check(root: Any, *, touched: Any = None, **options: Any) -> None:
        verify(root, touched=touched, **options)
        try:
            verify(root, **options)
        except VerifyError as failure:
            raise AssertionError("a pass broke what it said it did not touch") from failure

    patch = pytest.MonkeyPatch()
    patch.setattr(pass_manager, "verify", check)
    yield
    patch.undo()


@pytest.fixture(autouse=True, scope="session")
def patterns_say_whether_they_change_anything():
    """A pattern of the greedy driver says yes exactly if it changed the program: every pattern of every test is asked."""
    edits = 0
    patch = pytest.MonkeyPatch()

    def counted(edit: Any) -> Any:
        def counting(*arguments: Any) -> Any:
            nonlocal edits
            edits += 1
            return edit(*arguments)

        return counting

    def asked(pattern: Any) -> Any:
        def asking(op: Any, rewriter: Any) -> bool:
            before = edits
            name = op.name
            said = pattern(op, rewriter)
            assert said == (edits != before), f"{pattern} says {said} of {name}"
            return said

        return asking

    make = greedy._Driver.__init__
    wrapped = functools.cache(asked)

    def make_asking(driver: Any, region: Any, patterns_of: Any, *more: Any) -> None:
        make(driver, region, lambda op: map(wrapped, patterns_of(op)), *more)

    patch.setattr(greedy._Driver, "__init__", make_asking)
    for edit in ("on_inserted", "modified", "moved", "on_erased"):
        patch.setattr(greedy._Driver, edit, counted(getattr(greedy._Driver, edit)))
    yield
    patch.undo()

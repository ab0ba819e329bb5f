"""Settings of all tests."""

import os
from typing import Any

os.environ["BUFFERIZE_NO_CACHE"] = "1"  # a test asks what happens now, and leaves nothing in a home

import pytest
from bufferize.ir.source.diagnostics import VerifyError
from bufferize.ir.verifier import verify
from bufferize.transforms import pass_manager
from hypothesis import settings

# How long an example takes depends on what else the machine does; speed is measured in `benchmarks/`.
settings.register_profile("no deadlines", deadline=None)
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

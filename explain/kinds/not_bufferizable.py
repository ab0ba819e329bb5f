"""The kind `not-bufferizable`."""

from __future__ import annotations

from ..finding import Meant


class NotBufferizable(Meant):
    """The program cannot be rewritten to buffers as it is.

    An operation on tensors has no bufferization, or types do not fit. Convert it first, describe and rewrite it from Python, or
    keep its tensors with allow-unknown-ops.
    """

    id = "not-bufferizable"

"""The kind `not-bufferizable`."""

from __future__ import annotations

from ..finding import Described


class NotBufferizable(Described):
    """The program cannot be rewritten to buffers as it is.

    An operation on tensors has no bufferization, or types do not fit. Convert it first, describe and rewrite it from Python, or
    keep its tensors with allow-unknown-ops.
    """

    id = "not-bufferizable"

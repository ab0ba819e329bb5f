"""Rewrites of tensor, in three parts: views, access to elements and parts, and what makes new tensors."""

from __future__ import annotations

from .tensor_access import ACCESS_REWRITES
from .tensor_creation import CREATION_REWRITES
from .tensor_views import VIEW_REWRITES

REWRITES = {**VIEW_REWRITES, **ACCESS_REWRITES, **CREATION_REWRITES}

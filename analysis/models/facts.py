"""placeholder"""
from __future__ import annotations
from .registry import ModelRegistry
def registry_with(models):
    return ModelRegistry()

"""The program: types, attributes, operations, regions; text in, text out."""

from .text import printer  # installs `Operation.to_text`  # noqa: F401

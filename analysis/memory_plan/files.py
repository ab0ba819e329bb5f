"""Buffers in CSV files, as MiniMalloc and others exchange them: id, lower, upper, size, and perhaps alignment and offset."""

from __future__ import annotations

import csv
import io

from ...ir.source.diagnostics import InputError
from .buffers import Buffer


def read_csv(text: str, name: str) -> list[Buffer]:
    """The buffers of a file whose first line names its columns; `lower` and `upper` are half-open.

    Raises:
        InputError: a column is missing, or a cell is no number.
    """
    rows = csv.DictReader(io.StringIO(text))
    columns = {(column or "").strip(): column for column in rows.fieldnames or ()}
    for column in ("lower", "upper", "size"):
        if column not in columns:
            raise InputError(f"'{name}' has no column '{column}'; buffers are rows of id,lower,upper,size")
    found: list[Buffer] = []
    for row in rows:
        try:
            begin, end, size = (int(row[columns[column]]) for column in ("lower", "upper", "size"))
            alignment = int(row[columns["alignment"]] or 1) if "alignment" in columns else 1
            fixed = row[columns["offset"]] if "offset" in columns else None
            found.append(Buffer(begin, end, size, alignment, int(fixed) if fixed else None))
        except (TypeError, ValueError):
            raise InputError(f"{name}:{rows.line_num}: a cell is missing or no whole number") from None
        if end < begin or size < 0 or alignment < 1:
            raise InputError(
                f"{name}:{rows.line_num}: a buffer must not end before it begins or have a negative size"
            )
    return found

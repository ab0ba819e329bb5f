"""Results of many programs in one SQLite file, by content: equal texts are analysed once, wherever they lie."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from ...ir.source.diagnostics import InputError, error

_SCHEMA = """
create table if not exists results (key text primary key, result text not null, seconds real not null);
create table if not exists programs (path text primary key, key text not null);
"""


def key_of(text: bytes, version: str) -> str:
    """What a result depends on: the text, and the version of this package."""
    return hashlib.sha256(version.encode() + b"\0" + text).hexdigest()


class Known(NamedTuple):
    """What was found out of a program, and how many seconds of the processor that took."""

    found: dict[str, Any]
    seconds: float


Programs = dict[str, Known]
"""By path."""


class Store:
    """A file of results. Use as a context manager; what was added stays, whatever happens afterwards.

    Raises:
        InputError: the file is not one of ours, or cannot be opened.
    """

    def __init__(self, path: str, *, must_exist: bool = False) -> None:
        if must_exist and not Path(path).is_file():
            raise InputError(error(f"cannot read '{path}': there is no such file"))
        try:
            self._database = sqlite3.connect(path)
            columns = [row[1] for row in self._database.execute("pragma table_info(results)")]
            if columns and "seconds" not in columns:  # of an earlier version: found out anew
                self._database.execute("drop table results")
            self._database.executescript(_SCHEMA)
        except sqlite3.Error as failure:
            raise InputError(error(f"cannot use '{path}' for results: {failure}")) from None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def known(self, keys: Iterable[str]) -> set[str]:
        """Those of `keys` that have results."""
        have = {key for (key,) in self._database.execute("select key from results")}
        return have & set(keys)

    def add(self, results: Iterable[tuple[str, dict[str, Any], float]]) -> None:
        """Keep keys with results, and how long these took in seconds, at once."""
        with self._database:
            self._database.executemany(
                "insert or replace into results values (?, ?, ?)",
                [(key, json.dumps(found, sort_keys=True), seconds) for key, found, seconds in results],
            )

    def set_programs(self, keys: dict[str, str]) -> None:
        """Say which programs this is about: keys by path."""
        with self._database:
            self._database.execute("delete from programs")
            self._database.executemany("insert into programs values (?, ?)", sorted(keys.items()))

    def programs(self) -> Programs:
        """What is known of each program, by path."""
        rows = self._database.execute(
            "select path, result, seconds from programs join results using (key) order by path"
        )
        return {path: Known(json.loads(result), seconds) for path, result, seconds in rows}

    def of(self, keys: dict[str, str]) -> Programs:
        """What is known of programs whose keys are given by path."""
        rows = self._database.execute("select key, result, seconds from results")
        known = {key: Known(json.loads(result), seconds) for key, result, seconds in rows}
        return {path: known[key] for path, key in sorted(keys.items()) if key in known}

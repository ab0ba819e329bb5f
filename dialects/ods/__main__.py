"""Converts tblgen's records to declarations: `python -m bufferize.dialects.ods RECORDS.json -o FOLDER`.

llvm-tblgen -dump-json -I include include/mlir/Dialect/Async/IR/AsyncOps.td > async-records.json
python -m bufferize.dialects.ods async-records.json -o dialects/ods/data
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from ...ir.text.registry import default_registry
from .records import declarations_of


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bufferize.dialects.ods", description=__doc__)
    parser.add_argument("records", nargs="+", type=Path, help="what `llvm-tblgen -dump-json` wrote")
    parser.add_argument("-o", "--output", type=Path, default=Path(), help="folder for the files")
    options = parser.parse_args()
    dialects: dict[str, dict[str, Any]] = {}
    for name in default_registry().dialects:  # their modules have the constraints that definitions name
        default_registry().load(name)
    for path in options.records:
        try:
            for entry in declarations_of(json.loads(path.read_text(encoding="utf-8"))):
                dialects.setdefault(entry["name"].partition(".")[0], {})[entry["name"]] = entry
        except (OSError, ValueError) as error:
            print(f"{path}: error: {error}", file=sys.stderr)
            return 1
    for dialect, entries in dialects.items():
        lines = ",\n".join(json.dumps(entries[name], separators=(",", ":")) for name in sorted(entries))
        (options.output / f"{dialect}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""`certify reproduce [PART]`: each printed figure, its enclosure, how it was cut, and whether it is safe."""

from __future__ import annotations

import argparse

from certify.errors import UnusableInput
from certify.reproduce import parts, reproduced
from certify.reproduce.document import json_document
from certify.reproduce.table import text_table


def run(arguments: argparse.Namespace) -> int:
    """Print the part asked for, or all; 0 only where every figure is enclosed and classified as recorded."""
    if arguments.part not in (*parts(), "all"):
        raise UnusableInput(f"{arguments.part!r} is not a part; accepted: {', '.join(parts())}, all", field="part")
    found = [reproduced(part) for part in (parts() if arguments.part == "all" else (arguments.part,))]
    status = 0 if all(part.agrees for part in found) else 1
    print(json_document(found, status) if arguments.format == "json" else text_table(found, status))
    return status

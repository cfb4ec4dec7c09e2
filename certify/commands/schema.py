"""`certify schema`: the JSON Schema of a claim file."""

from __future__ import annotations

import argparse
import json

from certify.claims.schema import claim_schema


def run(arguments: argparse.Namespace) -> int:
    """Print the schema."""
    del arguments
    print(json.dumps(claim_schema(), indent=2))
    return 0

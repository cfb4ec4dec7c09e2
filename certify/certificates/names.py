"""The name of a certificate's file: the same for the same claim, and a name on every file system."""

from __future__ import annotations

import re
from pathlib import PurePath

_OTHER = re.compile(r"[^a-z0-9]+")
_LONGEST = 60


def file_name(identity: str, source: str, index: int, claim_sha256: str) -> str:
    """The release's id (or the claim file's name), the number of the claim, and the head of the claim's digest."""
    words = _OTHER.sub("-", (identity or PurePath(source).stem).lower()).strip("-")[:_LONGEST].strip("-")
    return f"{words or 'claim'}-{index}-{claim_sha256[:12]}.json"

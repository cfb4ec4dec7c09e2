"""The digest of released weights, the subject of a signature."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from certify.certificates.envelope import CERTIFICATE, Subject
from certify.errors import UnusableInput

_SHA256 = re.compile(r"[0-9a-f]{64}")


def weights_subject(given: str) -> Subject:
    """The subject for a file of weights, or for the SHA-256 of one, written sha256:HEX."""
    if given.startswith("sha256:"):
        if not _SHA256.fullmatch(given[7:]):
            raise UnusableInput("sha256: and 64 lower-case hexadecimal digits are needed", field="--weights")
        return Subject("weights", given[7:])
    path = Path(given)
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError) as error:
        raise UnusableInput(f"cannot be read: {getattr(error, 'strerror', None) or error}", file=given) from None
    return Subject("weights" if path.name == CERTIFICATE else path.name, digest)

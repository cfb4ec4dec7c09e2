"""The digest of released weights, the subject of a signature."""

from __future__ import annotations

import hashlib
from pathlib import Path

from certify.certificates.envelope import CERTIFICATE, SHA256, Subject
from certify.errors import UnusableInput


def weights_subject(given: str) -> Subject:
    """The subject for a file of weights, or for the SHA-256 of one, written sha256:HEX."""
    if given.startswith("sha256:"):
        if not SHA256.fullmatch(given[7:]):
            raise UnusableInput("sha256: and 64 lower-case hexadecimal digits are needed", field="--weights")
        return Subject("weights", given[7:])
    path = Path(given)
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError) as error:
        raise UnusableInput(f"cannot be read: {getattr(error, 'strerror', None) or error}", file=given) from None
    is_plain = path.name.isprintable() and path.name != CERTIFICATE
    return Subject(path.name if is_plain else "weights", digest)

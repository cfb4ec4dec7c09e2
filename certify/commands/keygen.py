"""`certify keygen`: a pair of Ed25519 keys for signing certificates."""

from __future__ import annotations

import argparse
from pathlib import Path

from certify.certificates.files import write_atomically
from certify.certificates.keys import new_key
from certify.errors import UnusableInput

_LONGEST = 1023  # bytes; the library takes no more


def run(arguments: argparse.Namespace) -> int:
    """Write NAME.key (mode 600, kept where it exists) and NAME.pub, and print the key's id."""
    private, public = Path(f"{arguments.output}.key"), Path(f"{arguments.output}.pub")
    for path in (private, public):
        if path.exists():
            raise UnusableInput("it exists already, and is not replaced", file=str(path))
    key, opened, identity = new_key(passphrase(arguments.passphrase_file))
    write_atomically(private, key, mode=0o600, replace=False)
    write_atomically(public, opened, replace=False)
    print(f"{private} (keep it secret) and {public}; key id {identity}")
    return 0


def passphrase(path: str | None) -> bytes | None:
    """The first line of a file, without its line end; None where no file is named."""
    if path is None:
        return None
    try:
        with open(path, "rb") as file:
            line = file.readline(4096).rstrip(b"\r\n")
    except (OSError, ValueError) as error:
        raise UnusableInput(f"cannot be read: {getattr(error, 'strerror', None) or error}", file=path) from None
    if len(line) > _LONGEST:
        raise UnusableInput(f"the first line, the passphrase, is longer than {_LONGEST} bytes", file=path)
    if not line:
        raise UnusableInput("the first line, the passphrase, is empty", file=path)
    return line

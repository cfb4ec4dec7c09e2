"""`certify sign CERTIFICATE...`: sign certificates, after they are re-established."""

from __future__ import annotations

import argparse
from pathlib import Path

from certify.certificates.envelope import SUFFIX, signed
from certify.certificates.files import write_atomically
from certify.certificates.keys import read_private_key
from certify.certificates.weights import weights_subject
from certify.checker.__main__ import content
from certify.checker.verify import verify
from certify.commands.keygen import passphrase
from certify.errors import UnusableInput
from certify.statements.rules.written import Refused


def run(arguments: argparse.Namespace) -> int:
    """Write an envelope beside each certificate; nothing is signed unless every one of them is re-established."""
    key = read_private_key(Path(arguments.key), passphrase(arguments.passphrase_file))
    subject = None if arguments.weights is None else weights_subject(arguments.weights)
    found = []
    for name in arguments.certificates:
        try:
            data = content(name)
            verify(data)
        except Refused as refusal:
            raise UnusableInput(f"it is not signed: {refusal}", file=name) from None
        found.append((Path(name).with_suffix(SUFFIX), data))
    for path, data in found:
        write_atomically(path, signed(data, key, subject))
        print(path)
    return 0

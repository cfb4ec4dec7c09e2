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
    targets = _targets(arguments)
    key = read_private_key(Path(arguments.key), passphrase(arguments.passphrase_file))
    subject = None if arguments.weights is None else weights_subject(arguments.weights)
    envelopes = []
    for name in arguments.certificates:
        try:
            data = content(name)
            verify(data)
            envelopes.append(signed(data, key, subject))
        except Refused as refusal:
            raise UnusableInput(f"it is not signed: {refusal}", file=name) from None
    for path, envelope in zip(targets, envelopes, strict=True):
        write_atomically(path, envelope)
        print(path)
    return 0


def _targets(arguments: argparse.Namespace) -> list[Path]:
    """Where each envelope goes: no two to one file, and none onto a file that is read here."""
    names = arguments.certificates
    if arguments.output is None:
        found = [Path(name).parent / f"{Path(name).stem}{SUFFIX}" for name in names]
    elif len(names) == 1:
        found = [Path(arguments.output)]
    else:
        raise UnusableInput("one file takes one envelope; leave it out to sign several certificates", field="--output")
    taken = {Path(name).resolve() for name in (*names, arguments.key, arguments.weights or arguments.key)}
    for path in found:
        if path.resolve() in taken:
            raise UnusableInput("it is named twice: an envelope would be written over it", file=str(path))
        taken.add(path.resolve())
    return found

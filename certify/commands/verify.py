"""`certify verify CERTIFICATE...`: re-establish certificates without the code that made them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from certify.checker.__main__ import content, line, saying, status
from certify.checker.real import Reals as Integers
from certify.checker.verify import Checked, Engine, verify
from certify.errors import UnusableInput
from certify.statements.rules.written import Refused

SUFFIX = ".dsse.json"
ENVELOPE_START = b'{\n "payload"'
_SCHEMA = "certify/verification/v1"


def run(arguments: argparse.Namespace) -> int:
    """One line for each certificate, or one JSON document; 0 all certified, 1 all genuine, 2 some refused."""
    if arguments.weights is not None and not arguments.key:
        raise UnusableInput("only a signature binds a certificate to weights: give --key too", field="--weights")
    engines = _engines(arguments.engine)
    opener = _Opener(arguments)
    answers: list[Checked | None] = []
    told: list[dict[str, object]] = []
    for path in _files(arguments.certificates, signed=bool(arguments.key)):
        answer: Checked | None = None
        try:
            data, signer = opener.opened(path)
            answer = _agreed(data, engines)
            message = saying(answer) + signer
        except Refused as refusal:
            message = f"refused: {refusal}"
        answers.append(answer)
        told.append({"file": str(path), "established": answer is not None, "says": message})
        if arguments.format == "text":
            print(line(str(path), message))
    if arguments.format == "json":
        document = {"schema": _SCHEMA, "engine": arguments.engine, "files": told, "status": status(answers)}
        print(json.dumps(document, indent=2))
    return status(answers)


def _files(names: list[str], *, signed: bool) -> Iterator[Path]:
    """The files named, and of the folders named every certificate, or every envelope, in the order of the names."""
    for name in names:
        path = Path(name)
        if not path.is_dir():
            yield path
            continue
        found = sorted(file for file in path.glob("*.json") if file.name.endswith(SUFFIX) is signed)
        if not found:
            kind = f"signed envelope (*{SUFFIX})" if signed else "certificate (*.json)"
            raise UnusableInput(f"there is no {kind} in this folder", file=name)
        yield from found


def _engines(name: str) -> dict[str, Engine]:
    """The arithmetics to re-establish with."""
    if name == "integers":
        return {"integers": Integers}
    from certify.certificates.arb_engine import arb_engine

    return {"arb": arb_engine()} if name == "arb" else {"integers": Integers, "arb": arb_engine()}


def _agreed(data: bytes, engines: dict[str, Engine]) -> Checked:
    """What every engine re-establishes."""
    answers = []
    for name, engine in engines.items():
        try:
            answers.append(verify(data, engine))
        except Refused as refusal:
            raise (
                Refused(refusal.place, f"{refusal.message} (engine {name})") if len(engines) > 1 else refusal
            ) from None
    return answers[0]


class _Opener:
    """Where certificates come from: the file itself, or a signed envelope where a key is given."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.keys: tuple[Any, ...] = ()
        self.weights: str | None = None
        if arguments.key:
            from certify.certificates.keys import read_public_key
            from certify.certificates.weights import weights_subject

            self.keys = tuple(read_public_key(Path(path)) for path in arguments.key)
            self.weights = None if arguments.weights is None else weights_subject(arguments.weights).sha256

    def opened(self, path: Path) -> tuple[bytes, str]:
        """The bytes of the certificate, and who signed it about what. Raises Refused where they cannot be had."""
        data = content(str(path))
        if not self.keys:
            if data.startswith(ENVELOPE_START):
                raise Refused("signatures", "a signed envelope: give --key, the public key that has to have signed it")
            return data, ""
        from certify.certificates.envelope import open_envelope

        found = open_envelope(data, self.keys, self.weights)
        return found.certificate, f"; signed by {found.key_id} about {found.subject.name} {found.subject.sha256}"

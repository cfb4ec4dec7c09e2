"""Signed certificates: Ed25519 over an in-toto statement in a DSSE envelope.

The envelope is {"payload": base64, "payloadType": "application/vnd.in-toto+json", "signatures": [{"keyid", "sig"}]} in
the canonical form of certificates. Its payload is the in-toto Statement v1 of the certificate, in the same form. The
subject names what is vouched for: the released weights by their SHA-256, or the certificate itself. The predicate holds
the certificate's document and the digest of its canonical bytes, which are therefore covered and can be recovered.
Sources: DSSE v1 (github.com/secure-systems-lab/dsse), in-toto Statement v1, RFC 8032.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from certify.certificates.keys import key_id
from certify.checker.strict_json import canonical, read
from certify.statements.rules.certificate import SCHEMA
from certify.statements.rules.written import Refused

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

PAYLOAD_TYPE = "application/vnd.in-toto+json"
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "https://pypi.org/project/certify-dp/#certificate-v1"
SUFFIX = ".dsse.json"
CERTIFICATE = "certificate"
SHA256 = re.compile(r"[0-9a-f]{64}")
_MOST_SIGNATURES = 20
_LONGEST_NAME = 255


@dataclass(frozen=True)
class Subject:
    """What a signature vouches for: a name and the SHA-256 of its bytes."""

    name: str
    sha256: str


@dataclass(frozen=True)
class Opened:
    """The canonical bytes of a certificate, the id of the key that signed it, and what the signature is about."""

    certificate: bytes
    key_id: str
    subject: Subject


def pre_authentication(payload_type: str, payload: bytes) -> bytes:
    """DSSE's encoding of what is signed: the type and the payload with their lengths."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def statement(certificate: bytes, subject: Subject | None) -> bytes:
    """The in-toto statement about a certificate; its subject is the certificate itself where none is given."""
    sha256 = hashlib.sha256(certificate).hexdigest()
    about = subject or Subject(CERTIFICATE, sha256)
    return canonical(
        {
            "_type": STATEMENT_TYPE,
            "predicateType": PREDICATE_TYPE,
            "subject": [{"name": about.name, "digest": {"sha256": about.sha256}}],
            "predicate": {"certificate": read(certificate), "sha256": sha256},
        }
    )


def signed(certificate: bytes, key: Ed25519PrivateKey, subject: Subject | None = None) -> bytes:
    """The envelope of a certificate, signed. Raises Refused where it could not be opened again: too large, too deep."""
    payload = statement(certificate, subject)
    signature = key.sign(pre_authentication(PAYLOAD_TYPE, payload))
    data = canonical(
        {
            "payload": base64.b64encode(payload).decode(),
            "payloadType": PAYLOAD_TYPE,
            "signatures": [{"keyid": key_id(key.public_key()), "sig": base64.b64encode(signature).decode()}],
        }
    )
    open_envelope(data, [key.public_key()], None if subject is None else subject.sha256)
    return data


def open_envelope(data: bytes, keys: Sequence[Ed25519PublicKey], weights_sha256: str | None = None) -> Opened:
    """The certificate in an envelope that one of the keys has signed; entries of other keys say nothing.

    With ``weights_sha256`` the signature must be about weights of that digest. Raises Refused for anything else: an
    unsigned certificate, no or a wrong signature, another type or version, a statement that is not about this
    certificate or these weights.
    """
    document = read(data)
    if isinstance(document, dict) and "schema" in document:
        raise Refused("signatures", "the certificate is not signed, and a signature is required")
    envelope = _object("envelope", document, {"payload", "payloadType", "signatures"})
    if envelope["payloadType"] != PAYLOAD_TYPE:
        raise Refused("payloadType", f"it must be {PAYLOAD_TYPE}")
    payload = _base64("payload", envelope["payload"])
    identity = _signer(envelope["signatures"], pre_authentication(PAYLOAD_TYPE, payload), keys)
    stated = _object("payload", _statement(payload), {"_type", "predicateType", "subject", "predicate"})
    for name, value in (("_type", STATEMENT_TYPE), ("predicateType", PREDICATE_TYPE)):
        if stated[name] != value:
            raise Refused(f"payload.{name}", f"it must be {value}")
    predicate = _object("payload.predicate", stated["predicate"], {"certificate", "sha256"})
    certificate = canonical(predicate["certificate"])
    sha256 = hashlib.sha256(certificate).hexdigest()
    if predicate["sha256"] != sha256:
        raise Refused("payload.predicate.sha256", "it is not the digest of the certificate")
    if not isinstance(predicate["certificate"], dict) or predicate["certificate"].get("schema") != SCHEMA:
        raise Refused("payload.predicate.certificate.schema", f"it must be {SCHEMA}")
    return Opened(certificate, identity, _subject(stated["subject"], sha256, weights_sha256))


def _statement(payload: bytes) -> object:
    try:
        return read(payload)
    except Refused as refusal:
        raise Refused(f"payload, {refusal.place}", refusal.message) from None


def _signer(signatures: object, message: bytes, keys: Sequence[Ed25519PublicKey]) -> str:
    """The id of the key that signed: the first of those given; no entry stands twice."""
    from cryptography.exceptions import InvalidSignature

    if not isinstance(signatures, list) or not signatures:
        raise Refused("signatures", "there is none, and one is required")
    if len(signatures) > _MOST_SIGNATURES:
        raise Refused("signatures", f"there are more than {_MOST_SIGNATURES}")
    entries = [_object(f"signatures[{at}]", entry, {"keyid", "sig"}) for at, entry in enumerate(signatures, 1)]
    if len({str(entry["keyid"]) for entry in entries}) < len(entries):
        raise Refused("signatures", "a key stands there twice")
    known = {key_id(key): key for key in keys}
    for at, entry in enumerate(entries, 1):
        signature = _base64(f"signatures[{at}].sig", entry["sig"])
        key = known.get(str(entry["keyid"]))
        if key is None:
            continue
        try:
            key.verify(signature, message)
        except InvalidSignature:
            raise Refused(f"signatures[{at}].sig", "it is not this key's signature of the payload") from None
        return key_id(key)
    raise Refused("signatures", "none is by a key that was given")


def _subject(subject: object, certificate_sha256: str, weights_sha256: str | None) -> Subject:
    """One subject: the weights asked for, or any weights, or this certificate."""
    listed = subject if isinstance(subject, list) and len(subject) == 1 else [None]
    about = _object("payload.subject", listed[0], {"name", "digest"})
    found = _object("payload.subject.digest", about["digest"], {"sha256"})["sha256"]
    name = about["name"]
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME or not name.isprintable():
        raise Refused("payload.subject.name", f"a text of 1 to {_LONGEST_NAME} printable characters is needed")
    if not isinstance(found, str) or not SHA256.fullmatch(found):
        raise Refused("payload.subject.digest", "a SHA-256 is needed: 64 lower-case hexadecimal digits")
    if weights_sha256 is not None and found != weights_sha256:
        raise Refused("payload.subject.digest", f"the signature is about {found}, not about these weights")
    if name == CERTIFICATE and found != certificate_sha256:
        raise Refused("payload.subject.digest", "it is not the digest of the certificate")
    return Subject(name, found)


def _object(place: str, value: Any, keys: set[str]) -> dict[str, Any]:
    if not isinstance(value, dict) or set(value) != keys:
        raise Refused(place, f"an object with the keys {', '.join(sorted(keys))} is needed")
    return value


def _base64(place: str, text: object) -> bytes:
    """The bytes of canonical base64: the standard alphabet, padded, no white space, no stray bits."""
    try:
        found = base64.b64decode(text, validate=True) if isinstance(text, str) else b""
    except (binascii.Error, ValueError):
        found = b""
    if not found or base64.b64encode(found).decode() != text:
        raise Refused(place, "canonical base64 is needed")
    return found

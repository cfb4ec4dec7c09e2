"""Signed certificates: what was signed is what is opened, and nothing else is."""

from __future__ import annotations

import base64
import json
import random
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from certify.certificates.envelope import Subject, open_envelope, pre_authentication, signed, statement
from certify.certificates.keys import key_id, new_key, read_private_key, read_public_key
from certify.certificates.weights import weights_subject
from certify.checker.strict_json import canonical
from certify.errors import MissingExtra, UnusableInput
from certify.statements.rules.written import Refused
from tests.attacks.mutations import random_bytes
from tests.attacks.sound import genuine

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
CERTIFICATE = next(iter(genuine().values()))
WEIGHTS = Subject("weights.npz", "ab" * 32)
Document = dict[str, Any]


def resigned(change: Document, key: Ed25519PrivateKey = KEY) -> bytes:
    """An envelope around a changed statement, signed with the right key."""
    payload = canonical({**json.loads(statement(CERTIFICATE, None)), **change})
    signature = base64.b64encode(key.sign(pre_authentication("application/vnd.in-toto+json", payload))).decode()
    return canonical(
        {
            "payload": base64.b64encode(payload).decode(),
            "payloadType": "application/vnd.in-toto+json",
            "signatures": [{"keyid": key_id(key.public_key()), "sig": signature}],
        }
    )


def envelope(**change: object) -> bytes:
    """A right envelope with some fields replaced."""
    return canonical({**json.loads(signed(CERTIFICATE, KEY)), **change})


def refusal(data: bytes, *keys: Ed25519PublicKey, weights: str | None = None) -> str:
    """Why an envelope is refused."""
    with pytest.raises(Refused) as found:
        open_envelope(data, keys or (KEY.public_key(),), weights)
    assert "\n" not in str(found.value)
    return str(found.value)


def test_what_was_signed_is_opened() -> None:
    for keys in ((KEY.public_key(),), (OTHER.public_key(), KEY.public_key())):
        opened = open_envelope(signed(CERTIFICATE, KEY, WEIGHTS), keys, WEIGHTS.sha256)
        assert (opened.certificate, opened.subject) == (CERTIFICATE, WEIGHTS)
        assert opened.key_id == key_id(KEY.public_key())
    assert open_envelope(signed(CERTIFICATE, KEY), [KEY.public_key()]).subject.name == "certificate"


def test_the_encoding_is_that_of_dsse() -> None:
    """The test vector of the DSSE specification, and an Ed25519 vector of RFC 8032 (7.1, test 2)."""
    assert pre_authentication("http://example.com/HelloWorld", b"hello world") == (
        b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    )
    secret = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
    signature = Ed25519PrivateKey.from_private_bytes(secret).sign(b"\x72").hex()
    assert signature.startswith("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da")


def test_another_key_is_refused() -> None:
    assert "none is by a key that was given" in refusal(signed(CERTIFICATE, KEY), OTHER.public_key())
    forged = json.loads(signed(CERTIFICATE, OTHER))
    forged["signatures"][0]["keyid"] = key_id(KEY.public_key())
    assert "not this key's signature" in refusal(canonical(forged))


def test_a_stripped_signature_is_refused() -> None:
    assert "not signed, and a signature is required" in refusal(CERTIFICATE)
    assert "there is none" in refusal(envelope(signatures=[]))
    one = json.loads(signed(CERTIFICATE, KEY))["signatures"][0]
    assert "a key stands there twice" in refusal(envelope(signatures=[one, one]))
    assert "more than 20" in refusal(envelope(signatures=[{"keyid": str(k), "sig": one["sig"]} for k in range(21)]))
    assert "signatures[1]" in refusal(envelope(signatures=[{"keyid": one["keyid"]}]))
    assert "canonical base64" in refusal(envelope(signatures=[{**one, "sig": one["sig"] + "\n"}]))


def test_other_types_and_versions_are_refused() -> None:
    """A key's signature on something else does not count, nor on an older form."""
    assert "payloadType" in refusal(envelope(payloadType="application/json"))
    assert "payload._type" in refusal(resigned({"_type": "https://in-toto.io/Statement/v0.1"}))
    assert "payload.predicateType" in refusal(resigned({"predicateType": "https://slsa.dev/provenance/v1"}))
    document = {**json.loads(CERTIFICATE), "schema": "certify/certificate/v0"}
    import hashlib

    old = {"certificate": document, "sha256": hashlib.sha256(canonical(document)).hexdigest()}
    assert "certificate.schema" in refusal(resigned({"predicate": old}))


def test_a_statement_about_something_else_is_refused() -> None:
    assert "digest of the certificate" in refusal(
        resigned({"subject": [{"name": "certificate", "digest": {"sha256": "0" * 64}}]})
    )
    assert "not about these weights" in refusal(signed(CERTIFICATE, KEY, WEIGHTS), weights="cd" * 32)
    assert "not about these weights" in refusal(signed(CERTIFICATE, KEY), weights=WEIGHTS.sha256)
    for subject in ([], [None], {}, [{"name": 1, "digest": {"sha256": "0"}}], [{"name": "x", "digest": {}}]):
        assert "payload.subject" in refusal(resigned({"subject": subject}))
    assert "predicate.sha256" in refusal(
        resigned({"predicate": {"certificate": json.loads(CERTIFICATE), "sha256": "0" * 64}})
    )


def test_base64_has_one_form() -> None:
    payload = json.loads(signed(CERTIFICATE, KEY))["payload"]
    for other in (payload + "=", payload[:-1], payload.replace("e", "e\n", 1), payload + "AA", "", "é", 7):
        assert refusal(envelope(payload=other))


def test_no_random_change_of_an_envelope_is_accepted() -> None:
    data, draw = signed(CERTIFICATE, KEY, WEIGHTS), random.Random(3)
    changes = [random_bytes(data, draw) for _ in range(1500)]
    assert sum(changed != data for changed in changes) > 1400
    for changed in changes:
        if changed != data:
            assert refusal(changed)


def test_keys_are_kept_and_read(tmp_path: Path) -> None:
    private, public, identity = new_key(b"secret")
    (tmp_path / "k.key").write_bytes(private)
    (tmp_path / "k.pub").write_bytes(public)
    key = read_private_key(tmp_path / "k.key", b"secret")
    assert key_id(key.public_key()) == identity == key_id(read_public_key(tmp_path / "k.pub"))
    for passphrase, says in ((None, "needs its passphrase"), (b"wrong", "wrong passphrase")):
        with pytest.raises(UnusableInput, match=says):
            read_private_key(tmp_path / "k.key", passphrase)
    with pytest.raises(UnusableInput, match="a private key"):
        read_public_key(tmp_path / "k.key")
    with pytest.raises(UnusableInput, match="not a private key"):
        read_private_key(tmp_path / "k.pub")
    with pytest.raises(UnusableInput, match="No such file"):
        read_public_key(tmp_path / "none")
    (tmp_path / "open.key").write_bytes(new_key()[0])
    with pytest.raises(UnusableInput, match="has no passphrase"):
        read_private_key(tmp_path / "open.key", b"secret")


def test_other_kinds_of_keys_are_refused(tmp_path: Path) -> None:
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    key = X25519PrivateKey.generate()
    private = key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
    public = key.public_key().public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)
    (tmp_path / "x.key").write_bytes(private)
    (tmp_path / "x.pub").write_bytes(public)
    with pytest.raises(UnusableInput, match="not an Ed25519 key"):
        read_private_key(tmp_path / "x.key")
    with pytest.raises(UnusableInput, match="not an Ed25519 key"):
        read_public_key(tmp_path / "x.pub")


def test_weights_are_named_by_their_digest(tmp_path: Path) -> None:
    (tmp_path / "certificate").write_bytes(b"abc")
    found = weights_subject(str(tmp_path / "certificate"))
    assert found == Subject("weights", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    assert weights_subject("sha256:" + found.sha256) == found
    for wrong in ("sha256:ABC", "sha256:", str(tmp_path / "none")):
        with pytest.raises(UnusableInput):
            weights_subject(wrong)


def test_without_the_library_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(MissingExtra, match=r"pip install 'certify-dp\[sign\]'"):
        new_key()

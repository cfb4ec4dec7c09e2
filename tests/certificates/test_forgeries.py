"""Envelopes that were forged, altered or written in another form: none opens, and each refusal names the place."""

from __future__ import annotations

import base64
import hashlib
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from certify.certificates import envelope as module
from certify.certificates.envelope import Opened, Subject, open_envelope, pre_authentication, signed
from certify.certificates.keys import key_id
from certify.checker.strict_json import canonical
from certify.statements.rules.certificate import SCHEMA
from certify.statements.rules.written import Refused

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
PUBLIC, OURS, THEIRS = (KEY.public_key(), key_id(KEY.public_key()), key_id(OTHER.public_key()))
CERTIFICATE = canonical({"schema": SCHEMA, "claim": {"epsilon": "1/3", "id": "\u00e9"}, "sha256": "0" * 64})
WEIGHTS = Subject("weights.npz", "ab" * 32)
KIND = "application/vnd.in-toto+json"
ORDER = 2**252 + 27742317777372353535851937790883648493
Document = dict[str, Any]


def coded(data: bytes) -> str:
    """Standard base64."""
    return base64.b64encode(data).decode()


def parts() -> tuple[Document, bytes, bytes]:
    """A right envelope, its payload and its signature."""
    document: Document = json.loads(signed(CERTIFICATE, KEY, WEIGHTS))
    return (document, base64.b64decode(document["payload"]), base64.b64decode(document["signatures"][0]["sig"]))


def with_entries(*entries: object) -> bytes:
    """The envelope with other signatures."""
    return canonical({**parts()[0], "signatures": list(entries)})


def entry(signature: bytes, identity: object = OURS) -> Document:
    return {"keyid": identity, "sig": coded(signature)}


def around(payload: bytes, message: bytes | None = None) -> bytes:
    """An envelope around any payload, signed by the right key over its encoding, or over another message."""
    signature = KEY.sign(pre_authentication(KIND, payload) if message is None else message)
    return canonical({"payload": coded(payload), "payloadType": KIND, "signatures": [entry(signature)]})


def restated(change: Callable[[Document], object]) -> bytes:
    """An envelope around a changed statement, signed by the right key."""
    stated = json.loads(parts()[1])
    change(stated)
    return around(canonical(stated))


def refusal(data: bytes, weights: str | None = None) -> str:
    with pytest.raises(Refused) as found:
        open_envelope(data, [PUBLIC], weights)
    assert str(found.value).isprintable() and found.value.place
    return str(found.value)


def test_an_outsider_can_check_an_envelope_by_the_specifications() -> None:
    """With a JSON reader, base64, SHA-256 and Ed25519, and nothing of certify."""
    document = json.loads(signed(CERTIFICATE, KEY, WEIGHTS))
    assert set(document) == {"payload", "payloadType", "signatures"} and document["payloadType"] == KIND
    payload = base64.standard_b64decode(document["payload"])
    (one,) = document["signatures"]
    encoded = b" ".join([b"DSSEv1", str(len(KIND)).encode(), KIND.encode(), str(len(payload)).encode(), payload])
    PUBLIC.verify(base64.standard_b64decode(one["sig"]), encoded)
    assert one["keyid"] == hashlib.sha256(PUBLIC.public_bytes_raw()).hexdigest()
    stated = json.loads(payload)
    assert stated["_type"] == "https://in-toto.io/Statement/v1"
    assert stated["subject"] == [{"name": "weights.npz", "digest": {"sha256": "ab" * 32}}]
    inside = json.dumps(stated["predicate"]["certificate"], sort_keys=True, indent=1, ensure_ascii=True) + "\n"
    assert inside.encode() == CERTIFICATE
    assert stated["predicate"]["sha256"] == hashlib.sha256(CERTIFICATE).hexdigest()


def test_without_weights_the_certificate_is_the_subject() -> None:
    opened = open_envelope(signed(CERTIFICATE, KEY), [PUBLIC])
    assert opened == Opened(CERTIFICATE, OURS, Subject("certificate", hashlib.sha256(CERTIFICATE).hexdigest()))


def test_equal_certificates_give_equal_envelopes() -> None:
    """Ed25519 takes no random numbers, and nothing of the time or place is inside."""
    assert signed(CERTIFICATE, KEY, WEIGHTS) == signed(CERTIFICATE, KEY, WEIGHTS)


@pytest.mark.parametrize(
    ("payload_type", "payload", "encoded"),
    [
        ("http://example.com/HelloWorld", b"hello world", b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"),
        ("", b"", b"DSSEv1 0  0 "),
        ("\u00e9", b"\x00\xff ", b"DSSEv1 2 \xc3\xa9 3 \x00\xff "),
    ],
)
def test_the_encoding_counts_bytes(payload_type: str, payload: bytes, encoded: bytes) -> None:
    assert pre_authentication(payload_type, payload) == encoded


FORGED = {
    "signed without the encoding": (lambda: around(parts()[1], parts()[1]), "signatures[1].sig: it is not this key's"),
    "signed as another type": (
        lambda: around(parts()[1], pre_authentication("application/json", parts()[1])),
        "signatures[1].sig: it is not this key's",
    ),
    "signed for another payload": (
        lambda: around(parts()[1], pre_authentication(KIND, b"{}")),
        "signatures[1].sig: it is not this key's",
    ),
    "another key's signature under our id": (
        lambda: with_entries(entry(OTHER.sign(pre_authentication(KIND, parts()[1])))),
        "signatures[1].sig: it is not this key's",
    ),
    "our signature under another key's id": (lambda: with_entries(entry(parts()[2], THEIRS)), "none is by a key"),
    "an id in capitals": (lambda: with_entries(entry(parts()[2], OURS.upper())), "none is by a key"),
    "an id cut short": (lambda: with_entries(entry(parts()[2], OURS[:16])), "none is by a key"),
    "no id": (lambda: with_entries(entry(parts()[2], "")), "none is by a key"),
    "an id that is no text": (lambda: with_entries(entry(parts()[2], [OURS])), "none is by a key"),
    "a short signature": (lambda: with_entries(entry(parts()[2][:63])), "it is not this key's"),
    "a long signature": (lambda: with_entries(entry(parts()[2] + b"\0")), "it is not this key's"),
    "an empty signature": (lambda: with_entries(entry(b"")), "signatures[1].sig: canonical base64"),
    "a signature of zeros": (lambda: with_entries(entry(bytes(64))), "it is not this key's"),
    "a second form of the same signature": (
        lambda: with_entries(
            entry(parts()[2][:32] + (int.from_bytes(parts()[2][32:], "little") + ORDER).to_bytes(32, "little"))
        ),
        "it is not this key's",
    ),
    "the same entry twice": (lambda: with_entries(entry(parts()[2]), entry(parts()[2])), "a key stands there twice"),
    "a wrong entry first": (
        lambda: with_entries(entry(bytes(64)), entry(parts()[2])),
        "signatures: a key stands there twice",
    ),
    "an entry with more": (
        lambda: with_entries({**entry(parts()[2]), "cert": "x"}),
        "signatures[1]: an object with the keys keyid, sig",
    ),
    "an entry that is no object": (lambda: with_entries("x"), "signatures[1]: an object with the keys keyid, sig"),
    "no signatures": (lambda: with_entries(), "signatures: there is none, and one is required"),
    "signatures that are no list": (
        lambda: canonical({**parts()[0], "signatures": entry(parts()[2])}),
        "signatures: there is none",
    ),
    "a certificate without a signature": (lambda: CERTIFICATE, "the certificate is not signed"),
    "a statement without an envelope": (lambda: parts()[1], "envelope: an object with the keys payload, payloadType"),
    "a list": (lambda: canonical([]), "envelope: an object with the keys"),
    "an envelope with more": (lambda: canonical({**parts()[0], "x": 1}), "envelope: an object with the keys"),
    "an envelope in another form": (lambda: json.dumps(parts()[0]).encode(), "file: it is not in canonical form"),
    "two envelopes": (lambda: signed(CERTIFICATE, KEY) * 2, "Extra data"),
    "another type": (
        lambda: canonical({**parts()[0], "payloadType": KIND + ";v=1"}),
        f"payloadType: it must be {KIND}",
    ),
    "a type in capitals": (lambda: canonical({**parts()[0], "payloadType": KIND.upper()}), "payloadType: it must be"),
    "a type that is no text": (lambda: canonical({**parts()[0], "payloadType": [KIND]}), "payloadType: it must be"),
    "a statement in another form": (
        lambda: around(json.dumps(json.loads(parts()[1])).encode()),
        "payload, file: it is not in canonical form",
    ),
    "a payload that is no JSON": (lambda: around(b"hello world"), "payload, line 1: it is not JSON"),
    "a payload with a key twice": (lambda: around(b'{"_type":1,"_type":2}'), "payload, '_type': the key stands twice"),
    "a statement with more": (lambda: restated(lambda s: s.update(x=1)), "payload: an object with the keys _type"),
    "an older statement": (
        lambda: restated(lambda s: s.update(_type="https://in-toto.io/Statement/v0.1")),
        "payload._type: it must be https://in-toto.io/Statement/v1",
    ),
    "another predicate": (
        lambda: restated(lambda s: s.update(predicateType=s["predicateType"][:-1] + "2")),
        f"payload.predicateType: it must be {module.PREDICATE_TYPE}",
    ),
    "two subjects": (
        lambda: restated(lambda s: s.update(subject=s["subject"] * 2)),
        "payload.subject: an object with the keys digest, name",
    ),
    "two digests": (
        lambda: restated(lambda s: s["subject"][0]["digest"].update(sha512="0")),
        "payload.subject.digest: an object with the keys sha256",
    ),
    "a digest in capitals": (
        lambda: restated(lambda s: s["subject"][0]["digest"].update(sha256="AB" * 32)),
        "payload.subject.digest: a SHA-256 is needed",
    ),
    "a digest with a line feed": (
        lambda: restated(lambda s: s["subject"][0]["digest"].update(sha256="ab" * 32 + "\n")),
        "payload.subject.digest: a SHA-256 is needed",
    ),
    "a name that drives a terminal": (
        lambda: restated(lambda s: s["subject"][0].update(name="x\n\x1b[2Jcertified")),
        "payload.subject.name: a text of 1 to 255 printable characters",
    ),
    "no name": (lambda: restated(lambda s: s["subject"][0].update(name="")), "payload.subject.name: a text of 1"),
    "another certificate's digest": (
        lambda: restated(lambda s: s["predicate"].update(sha256="0" * 64)),
        "payload.predicate.sha256: it is not the digest",
    ),
    "a certificate changed inside": (
        lambda: restated(lambda s: s["predicate"]["certificate"]["claim"].update(epsilon="1/4")),
        "payload.predicate.sha256: it is not the digest",
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_envelopes_are_refused_at_their_place(name: str) -> None:
    made, says = FORGED[name]
    assert says in refusal(made())


@pytest.mark.parametrize("document", [{"schema": "certify/certificate/v0"}, {"schema": None}, {}, [], "x", None])
def test_another_schema_is_refused(document: object) -> None:
    """Also where its digest is right and the key has signed it."""

    def change(stated: Document) -> None:
        sha256 = hashlib.sha256(canonical(document)).hexdigest()
        stated["predicate"] = {"certificate": document, "sha256": sha256}

    assert f"payload.predicate.certificate.schema: it must be {SCHEMA}" in refusal(restated(change))


def test_base64_has_one_form() -> None:
    """Standard alphabet, padded, no white space, no bits beyond the last byte, nothing after the padding."""
    document, payload, signature = parts()
    right = coded(signature)
    assert right.endswith("==")
    others = [right[:-1], right[:-2], right + "=", right + "\n", " " + right, right[:20] + "\n" + right[20:], "="]
    others += [right[:-3] + chr(ord(right[-3]) + 1) + "==", right + right, right.replace("=", "\u00ad=", 1)]
    others += [base64.urlsafe_b64encode(b"\xff\xfe\xfd" * 22).decode()]
    for other in others:
        assert "signatures[1].sig: canonical base64 is needed" in refusal(with_entries({"keyid": OURS, "sig": other}))
    for other in (None, 7, [right], {"": right}):
        assert "signatures[1].sig: canonical base64 is needed" in refusal(with_entries({"keyid": OURS, "sig": other}))
        assert "payload: canonical base64 is needed" in refusal(canonical({**document, "payload": other}))
    broken = base64.encodebytes(payload).decode()
    assert "payload: canonical base64 is needed" in refusal(canonical({**document, "payload": broken}))


def test_no_key_opens_nothing() -> None:
    with pytest.raises(Refused, match="none is by a key that was given"):
        open_envelope(signed(CERTIFICATE, KEY), [])


def test_other_keys_may_sign_beside_ours() -> None:
    """As DSSE has it: an entry of a key that nobody gave is passed over, wherever it stands; ours has to be right."""
    ours = entry(parts()[2])
    foreign = entry(bytes(64), THEIRS)
    for entries in ([ours, foreign], [foreign, ours]):
        assert open_envelope(with_entries(*entries), [PUBLIC]).key_id == OURS
    with pytest.raises(Refused, match=r"signatures\[1\].sig: it is not this key's"):
        open_envelope(with_entries(foreign, ours), [PUBLIC, OTHER.public_key()])


@pytest.mark.parametrize("weights", ["", "0" * 64, "AB" * 32, "ab" * 31])
def test_the_weights_asked_for_are_those_signed_for(weights: str) -> None:
    says = f"payload.subject.digest: the signature is about {WEIGHTS.sha256}, not about these weights"
    assert says in refusal(signed(CERTIFICATE, KEY, WEIGHTS), weights)


@pytest.mark.parametrize("levels", [17, 18, 19])
def test_what_could_not_be_opened_is_not_signed(levels: int) -> None:
    """A statement nests its certificate two levels deeper."""
    value: object = "x"
    for _ in range(levels):
        value = [value]
    certificate = canonical({"schema": SCHEMA, "x": value})
    if levels == 17:
        assert open_envelope(signed(certificate, KEY), [PUBLIC]).certificate == certificate
    else:
        with pytest.raises(Refused, match=r"payload, byte [0-9]+: nested more than 20 deep"):
            signed(certificate, KEY)


def test_a_certificate_whose_envelope_is_too_large_is_not_signed() -> None:
    with pytest.raises(Refused, match="file: it is larger"):
        signed(canonical({"schema": SCHEMA, "x": "7" * 1_600_000}), KEY)


def mutated(data: bytes, draw: random.Random) -> bytes:
    """One byte changed, cut out, put in or doubled, or two neighbours exchanged."""
    at, byte = draw.randrange(len(data)), bytes([draw.randrange(256)])
    return draw.choice(
        [
            data[:at] + byte + data[at + 1 :],
            data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :],
            data[:at] + data[at + 1 :],
            data[:at] + byte + data[at:],
            data[:at] + data[at : at + 1] + data[at:],
            data[:at] + data[at : at + 2][::-1] + data[at + 2 :],
        ]
    )


def accepted(count: int) -> int:
    """How many of so many mutations of an envelope open."""
    data, draw, found = signed(CERTIFICATE, KEY, WEIGHTS), random.Random(8032), 0
    for _ in range(count):
        changed = mutated(data, draw)
        try:
            open_envelope(changed, [PUBLIC])
        except Refused:
            continue
        found += changed != data
    return found


def test_no_mutation_of_an_envelope_opens() -> None:
    assert accepted(2000) == 0


def test_every_byte_of_an_envelope_counts() -> None:
    """Each exchanged for its neighbour in the alphabet, and each left out."""
    data = signed(CERTIFICATE, KEY, WEIGHTS)
    for at in range(len(data)):
        for other in (bytes([data[at] ^ 1]), b""):
            assert refusal(data[:at] + other + data[at + 1 :])


def test_the_mutations_would_find_a_signature_that_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_signer", lambda *_: OURS)
    assert accepted(2000) > 20


def test_the_mutations_would_find_base64_of_many_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    """What base64 decoders take by default opens: a line break, or bits beyond the last byte."""

    def lax(place: str, text: str) -> bytes:
        try:
            return base64.b64decode(text)
        except ValueError:
            raise Refused(place, "no base64") from None

    monkeypatch.setattr(module, "_base64", lax)
    assert accepted(2000) > 20

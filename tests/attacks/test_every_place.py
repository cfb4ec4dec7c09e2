"""Every digit, key, text, order and verdict of a certificate changed, one at a time: nothing untrue is accepted."""

from __future__ import annotations

import copy
from itertools import pairwise

import pytest

from certify.checker.strict_json import canonical
from certify.checker.verify import verify
from certify.statements.rules.certificate import Printed
from certify.statements.rules.written import Refused
from tests.attacks.mutations import every_change, places, random_bytes
from tests.attacks.sound import Document, document, genuine, is_true, sealed

SHORT = ("not-certified/no-adjacency",)
LONG = (
    "certified/ridge-public-counts",
    "refuted/class-below-benchmark",
    "certified/theorem-c13-sharp-440",
    "certified/excess-risk",
    "not-certified/success-missed",
    "certified/theorem-4.1",
)
KINDS = (*SHORT, *(pytest.param(kind, marks=pytest.mark.slow) for kind in LONG))


def of_kind(kind: str) -> bytes:
    """The first certificate of a name that starts so."""
    return next(data for name, data in genuine().items() if name.startswith(kind))


def accepted(data: bytes) -> bool:
    """Whether the checker re-establishes the file; a refusal names a place in one line, nothing else is raised."""
    try:
        verify(data)
    except Refused as refusal:
        assert refusal.place and "\n" not in str(refusal)
        return False
    return True


def is_number(printed: object) -> bool:
    """Whether a number is printed exactly; an enclosure of it says less, and is as true."""
    return isinstance(printed, dict) and "lower" in printed and Printed(printed).is_number


def test_genuine_certificates_are_re_established() -> None:
    """What the attacks start from: certificates of every rule and verdict."""
    assert {document(data)["verdict"] for data in genuine().values()} == {"certified", "refuted", "not-certified"}
    assert all(accepted(data) for data in genuine().values())


@pytest.mark.slow
def test_every_claim_of_the_corpus_has_a_certificate() -> None:
    """Produced, re-established by the checker and by Arb's balls."""
    from certify.certificates.arb_engine import Balls

    certificates = genuine(whole=True)
    assert len(certificates) > 120
    for data in certificates.values():
        assert verify(data) == verify(data, Balls)


@pytest.mark.parametrize("kind", KINDS)
def test_no_single_change_is_accepted_without_its_digest(kind: str) -> None:
    data = of_kind(kind)
    changes = [canonical(changed) for _, changed in every_change(data)]
    assert len(changes) > 100
    assert not any(accepted(changed) for changed in changes if changed != data)


@pytest.mark.parametrize("kind", KINDS)
def test_no_untrue_change_is_accepted_with_its_digest(kind: str) -> None:
    """Only the claim can be changed, to one of which the same is true, and an exact number to its enclosure."""
    data = of_kind(kind)
    passed = [(name, sealed(changed)) for name, changed in every_change(data)]
    passed = [(name, changed) for name, changed in passed if changed != data and accepted(changed)]
    exact = {".".join(map(str, place)) for place, value in places(document(data)) if is_number(value)}
    for name, changed in passed:
        place = name.partition(" ")[2]
        assert place.startswith("claim.") or place.rpartition(".")[0] in exact, name
        assert is_true(changed), name


def test_a_verdict_cannot_be_relabelled() -> None:
    """Whatever the verdict, no other stands on the same proof, nor on none."""
    for data in genuine().values():
        original = document(data)
        for verdict in {"certified", "refuted", "not-certified"} - {original["verdict"]}:
            assert not accepted(sealed({**original, "verdict": verdict}))
            if original["proof"] is not None:
                assert not accepted(sealed({**original, "verdict": verdict, "proof": None}))


def test_no_proof_stands_under_another_claim() -> None:
    """A valid proof with everything said about another claim, or with another claim's numbers only."""
    names = list(genuine())
    for first, second in pairwise(names):
        one, other = document(genuine()[first]), document(genuine()[second])
        mixed: list[Document] = [{**other, "proof": one["proof"]}, {**one, "claim": other["claim"]}]
        for changed in mixed:
            data = sealed(changed)
            assert data in (genuine()[first], genuine()[second]) or not accepted(data)


def test_texts_of_other_versions_are_refused() -> None:
    """The schema, the maker's version and the digests of its files are this installation's."""
    original = document(of_kind("certified"))
    for schema in ("certify/certificate/v0", "certify/certificate/v2", "certify/result/v1", "", None, 1):
        assert not accepted(sealed({**original, "schema": schema}))
    for maker in (
        {**original["maker"], "certify": "0.0.1"},
        {**original["maker"], "trusted": {**original["maker"]["trusted"], "kernel": "0" * 64}},
        {"certify": original["maker"]["certify"]},
        {},
    ):
        assert not accepted(sealed({**original, "maker": maker}))


WITNESSES = (
    "0",
    "-1",
    "1",
    "1e9999",
    "1e-9999",
    "-1e-9999",
    "1/3",
    "1e-40000",
    "1e40000",
    "9" * 4000,
    "1/" + "7" * 4000,
)


@pytest.mark.parametrize("value", WITNESSES)
@pytest.mark.parametrize(
    "kind", ["certified/theorem-c13-sharp-440", "certified/theorem-c13-519", "certified/descent-recon"]
)
def test_no_witness_makes_a_proof(kind: str, value: str) -> None:
    """A witness of 0, a negative, a huge or a tiny one loses the proof: it is refused, soon."""
    original = document(of_kind(kind))
    assert original["proof"]["witnesses"] or kind.endswith("519")
    for name in original["proof"]["witnesses"]:
        changed = copy.deepcopy(original)
        changed["proof"]["witnesses"][name] = value
        data = sealed(changed)
        assert data == of_kind(kind) or not accepted(data)


def test_files_that_are_not_one_certificate_are_refused() -> None:
    data = of_kind("certified")
    text = data.decode()
    for changed in (
        *(data[:at] for at in range(0, len(data), 97)),
        *(data + data, data * 2 + b"\n", b"[" + data + b"," + data + b"]", b"", b"null\n", b"{}\n", b"[]\n", b'"x"\n'),
        *(text.encode("utf-16"), b"\xef\xbb\xbf" + data, data.replace(b"1", b"\x00", 1), data.replace(b"\n", b"\r\n")),
        *(b"[" * 1_000_000, b'{"schema":' * 100_000, data[:-1], data + b"\n", data.replace(b" ", b"  ")),
    ):
        assert not accepted(changed)


def test_random_bytes_are_what_they_say() -> None:
    """The random changes do change the file."""
    import random

    draw, data = random.Random(1), of_kind("certified")
    assert sum(random_bytes(data, draw) != data for _ in range(200)) > 150

"""Genuine certificates to attack, and the judgement whether a changed file is a true certificate after all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from certify.certificates.produce import Produced, certificates
from certify.checker.strict_json import canonical
from certify.checker.verify import digest
from certify.claims import Claim, ClaimFile, load
from certify.kernel.decision import Decision
from certify.kernel.interval import Interval, Intervals, compare
from certify.kernel.loop import Limits
from certify.statements.rules.case import case_of
from certify.statements.rules.written import Refused, read_claim
from certify.verdicts import check_file

CORPUS = Path(__file__).parents[1] / "corpus"
EXAMPLES = Path(__file__).parents[2] / "examples" / "claims"
Document = dict[str, Any]


FEW = (
    *(
        "certified/ridge-public-counts",
        "certified/hinge-sharp",
        "certified/theorem-4.1",
        "certified/theorem-c13-sharp-440",
    ),
    *("certified/theorem-c13-519", "certified/descent-reconstruction", "certified/delta-one", "certified/excess-risk"),
    *("certified/descent-delta-one", "refuted/success-below-baseline"),
    *("refuted/ridge-delta-zero", "refuted/class-below-benchmark", "not-certified/descent-few-steps"),
    *("not-certified/no-adjacency", "not-certified/success-missed"),
)
"""Claim files of the corpus, one for each rule."""


@cache
def genuine(*, whole: bool = False) -> dict[str, bytes]:
    """A certificate of every claim of a few files, or of the whole corpus and the examples, by a name of its own."""
    found: dict[str, bytes] = {}
    folders = [CORPUS / "certified", CORPUS / "refuted", CORPUS / "not-certified", EXAMPLES]
    files = [path for folder in folders for path in sorted(folder.glob("*.toml"))]
    for path in files if whole else [CORPUS / f"{name}.toml" for name in FEW]:
        claims = load(path)
        limits = Limits()
        for produced in certificates(claims, check_file(claims, limits, repairs=False), limits):
            if isinstance(produced, Produced):
                found[f"{path.parent.name}/{path.stem}/{len(found)}"] = produced.data
    return found


def document(data: bytes) -> Document:
    """The document of a certificate."""
    read: Document = json.loads(data)
    return read


def sealed(changed: Document) -> bytes:
    """The file of a liar who recomputes both digests."""
    body = {key: value for key, value in changed.items() if key != "sha256"}
    if "claim" in body and "claim_sha256" in body:
        body["claim_sha256"] = digest(body["claim"])
    return canonical({**body, "sha256": digest(body)})


def is_true(data: bytes) -> bool:
    """Whether an accepted file holds by the kernel: its verdict from the claim alone, and every number it prints.

    A verdict "not-certified" says only that the rule it names does not show the claim: nothing follows that is false.
    """
    try:
        return _is_true(document(data))
    except (ValueError, TypeError, KeyError, AttributeError, AssertionError, Refused):
        return False  # it does not even have the form


def _is_true(stated: Document) -> bool:
    claims, claim = read_claim(stated["claim"])
    whole = ClaimFile(claims.source, "", claims.id, claims.release, claims.model, claims.policy, (claim,))
    (verdict,) = check_file(whole, repairs=False)
    if stated["verdict"] not in (verdict.verdict.value, "not-certified"):
        return False
    return stated["proof"] is None or all(_pairs_hold(stated["proof"], claims, claim))


def _pairs_hold(proof: Document, claims: ClaimFile, claim: Claim) -> Iterator[bool]:
    """For each printed enclosure, whether the kernel's enclosure at 320 bits is inside; and each decision, as it is."""
    rule = case_of(claims, claim).rule(proof["rule"])
    assert rule is not None
    witnesses = {name: Fraction(text) for name, text in proof["witnesses"].items()}
    R = Intervals(320)
    for told, condition in zip(proof["conditions"], rule.conditions(R, witnesses), strict=True):
        found = compare(condition.left, condition.relation, condition.right)
        yield told["decision"] in ("undecided", found.value) and told["text"] == condition.text
        yield _is_inside(told["left"], condition.left) and _is_inside(told["right"], condition.right)
    if proof["bound"] is not None:
        yield _is_inside(proof["bound"], rule.bound(R, witnesses))
        for told, (name, value) in zip(proof["quantities"], rule.quantities(R, witnesses), strict=True):
            yield told["name"] == name and _is_inside(told["value"], value)


def _is_inside(told: Document, value: Interval) -> bool:
    R = Intervals(320)
    low = R(Fraction(told["lower"])) if told["lower"] != "-inf" else value
    high = R(Fraction(told["upper"])) if told["upper"] != "inf" else value
    outside = (compare(value, "<", low), compare(high, "<", value))
    return Decision.PROVED not in outside and Fraction(told.get("exact", 0)) in (0, value.exact)

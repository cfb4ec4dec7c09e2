"""Genuine certificates to attack, and the judgement whether a changed file is a true certificate after all."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from certify.certificates.produce import Produced, certificates
from certify.checker.strict_json import canonical
from certify.checker.verify import digest
from certify.claims import ClaimFile, load
from certify.kernel.loop import Limits
from certify.statements.rules.written import read_claim
from certify.verdicts import check_file

CORPUS = Path(__file__).parents[1] / "corpus"
EXAMPLES = Path(__file__).parents[2] / "examples" / "claims"
Document = dict[str, Any]


@cache
def genuine() -> dict[str, bytes]:
    """A certificate of every claim of the corpus and the examples, by a name of its own."""
    found: dict[str, bytes] = {}
    folders = [CORPUS / "certified", CORPUS / "refuted", CORPUS / "not-certified", EXAMPLES]
    for path in (path for folder in folders for path in sorted(folder.glob("*.toml"))):
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
    """Whether the kernel, from the claim alone, reaches the verdict that an accepted file states.

    A verdict "not-certified" says only that the rule it names does not show the claim: nothing follows that is false.
    """
    stated = document(data)
    claims, claim = read_claim(stated["claim"])
    whole = ClaimFile(claims.source, "", claims.id, claims.release, claims.model, claims.policy, (claim,))
    (verdict,) = check_file(whole, repairs=False)
    return stated["verdict"] in (verdict.verdict.value, "not-certified")

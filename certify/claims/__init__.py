"""Claim files: TOML, JSON or YAML in, typed and exact claims out; everything else is refused with file, line and field.

Every number is read exactly from its text ("0.1" is one tenth). Absent numbers that the mechanism needs are refused;
absent declarations (adjacency, metric, public, gradient_tolerance, intercept) are kept as None or empty, and the
verdict says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from certify.claims.document import Document
from certify.claims.parse import claim_file
from certify.claims.sources import document, guessed_format, raw_bytes
from certify.errors import UnusableInput
from certify.statements.rules.claim import (
    Claim,
    ClaimFile,
    DifferentialPrivacy,
    EmpiricalExcessRisk,
    ExcessRisk,
    Model,
    Policy,
    PopulationExcessRisk,
    Reconstruction,
    Release,
    SingleReleaseExcessRisk,
    UnregularizedExcessRisk,
)

__all__ = [
    "Claim",
    "ClaimFile",
    "DifferentialPrivacy",
    "EmpiricalExcessRisk",
    "ExcessRisk",
    "Model",
    "Policy",
    "PopulationExcessRisk",
    "Reconstruction",
    "Release",
    "SingleReleaseExcessRisk",
    "UnregularizedExcessRisk",
    "from_mapping",
    "load",
    "loads",
]


def load(path: str | Path) -> ClaimFile:
    """Return the claim file at ``path`` (``-``: standard input, JSON if it starts with a brace, else TOML).

    The ending of the name gives the format. Raises UnusableInput, or MissingExtra for YAML without PyYAML.
    """
    data, source, form = raw_bytes(path)
    return _claim_file(data, source, form)


def loads(
    text: str | bytes,
    source: str = "<text>",
    format: str | None = None,  # noqa: A002 (the word that callers look for)
) -> ClaimFile:
    """Return the claim file that a text holds; ``format`` is "toml", "json" or "yaml" (None: JSON or TOML, guessed).

    Raises as ``load`` does.
    """
    try:
        data = text.encode() if isinstance(text, str) else text
    except UnicodeEncodeError:
        raise UnusableInput("the text holds surrogates, which UTF-8 does not have", file=source) from None
    return _claim_file(data, source, guessed_format(data) if format is None else format)


def from_mapping(mapping: Mapping[str, object], source: str = "<dict>") -> ClaimFile:
    """Return the claim file that a Python mapping holds, with the fields of a file.

    Numbers are text, int, Fraction or Decimal; a float is refused, since it is rarely the decimal it prints. There
    are no lines; ``sha256`` is of the mapping's JSON with sorted keys and no spaces, fractions and long integers in
    hexadecimal text.
    """
    parsed = claim_file(Document(source, mapping), "")
    return ClaimFile(
        source, _digest(_canonical(mapping)), parsed.id, parsed.release, parsed.model, parsed.policy, parsed.claims
    )


def _claim_file(data: bytes, source: str, form: str) -> ClaimFile:
    return claim_file(document(data, source, form), _digest(data))


def _digest(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()


def _canonical(mapping: Mapping[str, object]) -> bytes:
    import json

    return json.dumps(_plain(mapping), sort_keys=True, separators=(",", ":")).encode()


def _plain(value: object) -> object:
    """A value that was parsed, in terms that JSON has; no conversion here meets the interpreter's limit on digits."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Fraction):
        return f"{value.numerator:#x}/{value.denominator:#x}"
    if isinstance(value, int) and value.bit_length() > 1000:
        return f"{value:#x}"
    return value if isinstance(value, int | str) else str(value)

"""Each record held against what the claim says of the data, in exact arithmetic. The check looks at private records."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from certify.audit.data import Records
from certify.errors import UnusableInput
from certify.kernel.enclosure import Enclosure
from certify.mechanisms.arrays import Array, Data, Labels
from certify.statements.rules.claim import ClaimFile, Model
from certify.statements.rules.numbers import exact_text

Preprocessing = Literal["none", "clip", "unit"]
_BINARY = ("binary-logistic", "squared-hinge")
_NAMED = 3
_CELLS = 1_000_000
"""So many numbers are squared exactly at once."""
_WHOLE = re.compile(r"-?[0-9]+")


@dataclass(frozen=True)
class Checked:
    """``faults``: what contradicts the claim, empty where nothing does. ``remarks``: what could be claimed better."""

    faults: tuple[str, ...]
    remarks: tuple[str, ...]


def preprocessed(records: Records, how: Preprocessing, bound: Fraction) -> Records:
    """The records after the named public preprocessing; "clip" and "unit" leave exact norms of at most ``bound``.

    clip cuts vectors longer than the bound back to it; unit scales every vector but 0 to the bound.
    """
    if how == "none":
        return records
    rows, norms, exponents = _in_range(records.features)
    longer = norms > _in_units(bound, exponents)
    chosen = norms > 0 if how == "unit" else longer
    x = records.features.copy()
    x[chosen] = rows[chosen] / norms[chosen, None] * float(bound)
    # Rounding may leave a norm a few units above the bound: shrink those until they are below it exactly.
    above = _near_or_above(x, bound)
    while len(above):
        above = above[np.array([square > bound**2 for square in squared_norms(x[above])])]
        x[above] *= 1 - 2.0**-52
    return Records(records.source, records.sha256, x, records.labels)


def labelled(records: Records, claims: ClaimFile, beside: Records | None = None) -> Data:
    """The records as arrays: labels in sorted order become 0, 1, ..., or -1 and +1 for two-class problems.

    ``beside`` are the private records whose labels and features these are to share. Raises UnusableInput where they do
    not, and where a binary problem has more than two labels.
    """
    names = label_names(records if beside is None else beside)
    if beside is not None:
        _check_shared(records, beside, names)
    places = {name: at for at, name in enumerate(names)}
    codes = np.array([places[label] for label in records.labels], dtype=np.int64)
    if claims.model.head is None or claims.model.head in _BINARY:
        if len(names) > 2:
            raise UnusableInput(f"{len(names)} labels for a model of two classes", file=records.source)
        return Data(records.features, 2 * codes - 1 if len(names) == 2 else np.ones_like(codes), 2)
    return Data(records.features, codes, max(len(names), claims.model.classes or 0))


def _check_shared(records: Records, beside: Records, names: list[str]) -> None:
    wide, d = records.features.shape[1], beside.features.shape[1]
    if wide != d:
        raise UnusableInput(f"{wide} features, where {beside.source} has {d}", file=records.source)
    foreign = sorted(set(records.labels) - set(names))
    if foreign:
        raise UnusableInput(f"label {foreign[0]!r} is not one of {beside.source}", file=records.source)


def label_names(records: Records) -> list[str]:
    """The distinct labels: whole numbers in their order, else texts in theirs."""
    distinct = set(records.labels)
    if all(_WHOLE.fullmatch(name) for name in distinct):
        return sorted(distinct, key=int)
    return sorted(distinct)


def checked(records: Records, claims: ClaimFile) -> Checked:
    """The records against norm <= feature_bound, n, d, classes and the smallest class count, each exactly."""
    model = claims.model
    n, d = records.features.shape
    faults = [*_long_records(records, model.feature_bound)]
    remarks: list[str] = []
    if n != model.n:
        faults.append(f"n: the claim says {model.n} records, the data have {n}")
    if model.d is not None and d != model.d:
        faults.append(f"d: the claim says {model.d} features, the data have {d}")
    counts = Counter(records.labels)
    if model.classes is not None and len(counts) > model.classes:
        faults.append(f"classes: the claim says {model.classes}, the data have {len(counts)} labels")
    _check_counts(model, counts, faults, remarks)
    return Checked(tuple(faults), tuple(remarks))


def _check_counts(model: Model, counts: Counter[str], faults: list[str], remarks: list[str]) -> None:
    if model.min_class_count is None:
        return
    label, least = min(counts.items(), key=lambda item: (item[1], item[0]))
    said = (
        f"min_class_count: the claim says {model.min_class_count}; the smallest class, {label!r}, has {least} records"
    )
    if least < model.min_class_count:
        faults.append(said)
    elif least > model.min_class_count:
        remarks.append(f"{said}: the noise could be smaller")


def _long_records(records: Records, bound: Fraction) -> list[str]:
    near = _near_or_above(records.features, bound)
    squares = squared_norms(records.features[near]) if records.exact is None else _decimal_squares(records, near)
    beyond = [(index, square) for index, square in zip(near, squares, strict=True) if square > bound**2]
    shown = [
        f"record {index}: its norm is above feature_bound = {exact_text(bound)}: "
        f"norm^2 = {_digits(square)} against {_digits(bound**2)}"
        for index, square in beyond[:_NAMED]
    ]
    if len(beyond) > _NAMED:
        shown.append(f"{len(beyond) - _NAMED} more records have norms above feature_bound")
    if beyond:
        shown.append(
            "where a public step before training cuts or scales every record, say so: --preprocess clip or unit"
        )
    return shown


def _near_or_above(features: Array, bound: Fraction) -> Labels:
    """The records that rounding leaves in doubt, or that are longer than the bound."""
    _, norms, exponents = _in_range(features)
    return np.flatnonzero(~(norms < _in_units(bound, exponents) * (1 - 1e-9)))


def _in_range(features: Array) -> tuple[Array, Array, Labels]:
    """Each row over a power of two, so that its square neither overflows nor vanishes; its norm; that exponent."""
    exponents = np.frexp(np.abs(features).max(axis=1))[1].astype(np.int64)
    rows = np.ldexp(features, -exponents[:, None])
    return rows, np.linalg.norm(rows, axis=1), exponents


def _in_units(bound: Fraction, exponents: Labels) -> Array:
    """The bound over the same powers of two; infinite or 0 beyond the range of doubles."""
    with np.errstate(over="ignore"):
        return np.asarray(np.ldexp(float(bound), -exponents))


def squared_norms(features: Array) -> list[Fraction]:
    """|x|^2 of rows of doubles, exactly: the entries of a row are whole numbers times one power of two."""
    found: list[Fraction] = []
    step = max(1, _CELLS // features.shape[1])
    for first in range(0, len(features), step):
        part = features[first : first + step]
        mantissas, exponents = np.frexp(part)
        exponents = np.where(part == 0, exponents.max(axis=1, keepdims=True), exponents)
        lowest = exponents.min(axis=1, keepdims=True)
        # In Python's integers: 53 bits, shifted by up to 2,098.
        wholes = np.ldexp(mantissas, 53).astype(np.int64).astype(object) << (exponents - lowest).astype(object)
        sums = (wholes * wholes).sum(axis=1)
        found += [
            Fraction(total) * Fraction(4) ** (int(low) - 53) for total, low in zip(sums, lowest[:, 0], strict=True)
        ]
    return found


def _decimal_squares(records: Records, indices: Labels) -> list[Fraction]:
    """|x|^2 of records of a text file, over one denominator each."""
    found = []
    for row in map(records.row, indices):
        whole = math.lcm(*(x.denominator for x in row))
        found.append(Fraction(sum((x.numerator * (whole // x.denominator)) ** 2 for x in row), whole**2))
    return found


def _digits(value: Fraction) -> str:
    """Enough digits to see on which side of a short decimal a value lies, rounded up."""
    return Enclosure(value, value).text(24)[1]

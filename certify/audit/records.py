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
from certify.claims.model import ClaimFile, Model
from certify.errors import UnusableInput
from certify.kernel.enclosure import Enclosure, fraction_text
from certify.mechanisms.arrays import Array, Data, Labels
from certify.mechanisms.neighbours import clipped

Preprocessing = Literal["none", "clip", "unit"]
_BINARY = ("binary-logistic", "squared-hinge")
_NAMED = 3
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
    size = float(bound)
    x = records.features
    if how == "unit":
        norms = np.linalg.norm(x, axis=1, keepdims=True)
        x = x / np.where(norms > 0, norms, 1.0) * size
    x = clipped(x, size)
    # Rounding may leave a norm a few units above the bound: shrink those until they are below it exactly.
    for index in _near_or_above(x, bound):
        while _square(Records("", "", x[index : index + 1], ("",)).row(0)) > bound**2:
            x[index] *= 1 - 2.0**-52
    return Records(records.source, records.sha256, x, records.labels)


def labelled(records: Records, claims: ClaimFile, beside: Records | None = None) -> Data:
    """The records as arrays: labels in sorted order become 0, 1, ..., or -1 and +1 for two-class problems.

    ``beside`` are the private records whose labels and features these are to share. Raises UnusableInput where they do
    not, and where a binary problem has more than two labels.
    """
    names = label_names(records if beside is None else beside)
    if beside is not None:
        _check_shared(records, beside, names)
    codes = np.array([names.index(label) for label in records.labels], dtype=np.int64)
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
    beyond = [
        (index, square)
        for index in _near_or_above(records.features, bound)
        if (square := _square(records.row(int(index)))) > bound**2
    ]
    shown = [
        f"record {index}: its norm is above feature_bound = {fraction_text(bound)}: "
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
    norms = np.linalg.norm(features, axis=1)
    return np.flatnonzero(~(norms < float(bound) * (1 - 1e-9)))


def _square(row: list[Fraction]) -> Fraction:
    """The squared norm, over one denominator."""
    whole = math.lcm(*(x.denominator for x in row))
    return Fraction(sum((x.numerator * (whole // x.denominator)) ** 2 for x in row), whole**2)


def _digits(value: Fraction) -> str:
    """Enough digits to see on which side of a short decimal a value lies, rounded up."""
    return Enclosure(value, value).text(24)[1]

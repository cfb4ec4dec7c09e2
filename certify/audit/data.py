"""Records read for an audit: .npz, .csv, .parquet, or a toy set of scikit-learn by name.

One row a record: numbers, and a label in its own column. Whatever cannot be read exactly as that is refused.
"""

from __future__ import annotations

import hashlib
import io
import math
import re
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from certify.errors import MissingExtra, UnusableInput
from certify.mechanisms.arrays import Array

TOY_SETS = ("breast-cancer", "digits", "iris", "wine")
_LABEL_NAMES = ("labels", "label", "y")
_FEATURE_NAMES = ("features", "X", "x")
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_LONGEST_LABEL = 100
_LARGEST = 4 * 2**30
"""Bytes of a file, and of the numbers it unpacks to."""
_EXTRA = "install it with: pip install 'certify-dp[audit]'"


@dataclass(frozen=True)
class Records:
    """``features`` (n, d) in double precision and one label a record, as text; ``sha256`` of the file's bytes.

    ``exact`` holds the decimals of a text file, which doubles only approximate; None where the doubles are the data.
    """

    source: str
    sha256: str
    features: Array
    labels: tuple[str, ...]
    exact: tuple[tuple[str, ...], ...] | None = field(default=None, repr=False)

    def row(self, index: int) -> list[Fraction]:
        """One record's features as exact numbers."""
        if self.exact is not None:
            return [Fraction(text) for text in self.exact[index]]
        return [Fraction(float(x)) for x in self.features[index]]


def read(source: str, label_column: str | None = None) -> Records:
    """The records of a file, or of a toy set where no such file exists.

    Raises UnusableInput for anything but a table of finite numbers with labels, and MissingExtra without the library
    that a format needs.
    """
    path = Path(source)
    if source in TOY_SETS and not path.exists():
        return _toy_set(source)
    readers = {".npz": _npz, ".csv": _csv, ".parquet": _parquet}
    if path.suffix not in readers:
        known = f"a file ending in {', '.join(readers)}, or one of {', '.join(TOY_SETS)}"
        raise UnusableInput(f"not data that an audit reads; accepted: {known}", file=source)
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
    except OSError as error:
        raise UnusableInput(f"cannot be read: {error.strerror}", file=source) from None
    _check_size(len(content), source)
    return readers[path.suffix](source, content, label_column)


def _check_size(size: int, source: str) -> None:
    if size > _LARGEST:
        raise UnusableInput(f"more than the {_LARGEST // 2**30} GiB of records that an audit holds", file=source)


def _records(source: str, content: bytes, features: Any, labels: list[str], exact: Any = None) -> Records:
    array = np.asarray(features)
    if array.ndim != 2 or 0 in array.shape or array.dtype.kind not in "fiu" or array.dtype.itemsize > 8:
        raise UnusableInput(
            f"features must be a table of numbers, n rows by d columns, not {array.dtype} of shape {array.shape}",
            file=source,
        )
    if len(labels) != len(array):
        raise UnusableInput(f"{len(array)} records have {len(labels)} labels", file=source)
    doubles = array.astype(np.float64)
    _check_whole(array, source)
    bad = np.argwhere(~np.isfinite(doubles))
    if len(bad):
        raise UnusableInput(f"record {bad[0][0]}, feature {bad[0][1]} is not a finite number", file=source)
    digest = hashlib.sha256(content).hexdigest()
    return Records(source, digest, doubles, tuple(labels), exact)


def _check_whole(array: Any, source: str) -> None:
    if array.dtype.kind in "iu" and not ((array <= 2**53) & (array >= -(2**53))).all():
        raise UnusableInput("whole numbers beyond 2^53 have no double of their own", file=source)


def _npz(source: str, content: bytes, label_column: str | None) -> Records:
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            _check_size(sum(member.file_size for member in archive.zip.infolist()), source)
            arrays = {name: np.asarray(archive[name]) for name in archive.files}
    except UnusableInput:
        raise
    except Exception as error:  # whatever a broken archive makes numpy or zipfile raise
        raise UnusableInput(f"not an .npz archive of plain arrays: {error}", file=source) from None
    features = _one_of(arrays, _FEATURE_NAMES, source)
    labels = _one_of(arrays, (label_column,) if label_column else _LABEL_NAMES, source)
    if labels.ndim != 1 or labels.dtype.kind not in "iuUbf":
        raise UnusableInput(f"labels must be a list, not {labels.dtype} of shape {labels.shape}", file=source)
    return _records(source, content, features, _labels(labels.tolist(), source))


def _one_of(arrays: dict[str, Any], names: tuple[str, ...], source: str) -> Any:
    for name in names:
        if name in arrays:
            return arrays[name]
    raise UnusableInput(f"no array named {' or '.join(names)}; it has {', '.join(arrays) or 'none'}", file=source)


def _csv(source: str, content: bytes, label_column: str | None) -> Records:
    import csv

    try:
        rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise UnusableInput(f"not a CSV file: {error}", file=source) from None
    if len(rows) < 2:
        raise UnusableInput("a header and at least one record are needed", file=source)
    header, *body = rows
    place = _label_place(header, label_column, source)
    exact: list[tuple[str, ...]] = []
    for line, row in enumerate(body, 2):
        if len(row) != len(header):
            raise UnusableInput(f"{len(row)} cells under {len(header)} columns", file=source, line=line)
        cells = tuple(cell.strip() for at, cell in enumerate(row) if at != place)
        for cell in cells:
            if len(cell) > 400 or not _NUMBER.fullmatch(cell):
                raise UnusableInput(f"{cell[:40]!r} is not a plain decimal number", file=source, line=line)
        exact.append(cells)
    features = [[float(cell) for cell in cells] for cells in exact]
    return _records(source, content, features, _labels([row[place].strip() for row in body], source), tuple(exact))


def _label_place(header: list[str], label_column: str | None, source: str) -> int:
    if label_column is not None:
        if header.count(label_column) != 1:
            raise UnusableInput(f"no one column is named {label_column!r}", field="--label-column", file=source)
        return header.index(label_column)
    named = [at for at, name in enumerate(header) if name.strip().lower() in _LABEL_NAMES]
    if len(named) != 1:
        count = "no column is" if not named else f"{len(named)} columns are"
        raise UnusableInput(f"{count} named {' or '.join(_LABEL_NAMES)}; name it with --label-column", file=source)
    return named[0]


def _parquet(source: str, content: bytes, label_column: str | None) -> Records:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra(f"{source}: .parquet files need pyarrow; {_EXTRA}") from None
    try:
        file = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(content))
        _check_size(8 * file.metadata.num_rows * file.metadata.num_columns, source)
        table = file.read()
        columns = [column.to_numpy() for column in table.columns]
    except UnusableInput:
        raise
    except Exception as error:  # whatever a broken file makes pyarrow raise
        raise UnusableInput(f"not a Parquet table: {error}", file=source) from None
    place = _label_place(table.column_names, label_column, source)
    labels = _labels(columns.pop(place).tolist(), source)
    for column in columns:
        _check_whole(column, source)
    if any(column.dtype.kind not in "fiu" for column in columns):
        raise UnusableInput("every column but the label must hold numbers", file=source)
    return _records(source, content, np.column_stack(columns) if columns else np.empty((0, 0)), labels)


def _toy_set(name: str) -> Records:
    try:
        from sklearn import datasets
    except ImportError:
        raise MissingExtra(f"the toy sets need scikit-learn; {_EXTRA}") from None
    bunch = getattr(datasets, f"load_{name.replace('-', '_')}")()
    content = bunch.data.tobytes() + bunch.target.tobytes()
    return _records(name, content, bunch.data, _labels(bunch.target.tolist(), name))


def _labels(values: list[object], source: str) -> list[str]:
    """One text a record: whole numbers without a point. Raises UnusableInput where a record has none."""
    found = []
    for index, value in enumerate(values):
        if value in (None, "") or (isinstance(value, float) and not math.isfinite(value)):
            raise UnusableInput(f"record {index} has no label", file=source)
        if not isinstance(value, str | int | float) or len(str(value)) > _LONGEST_LABEL:
            raise UnusableInput(f"the label of record {index} is not a short text or a number", file=source)
        found.append(str(int(value)) if isinstance(value, float) and value == int(value) else str(value))
    return found

"""Records read from every format, and what is refused."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from certify.audit.data import read
from certify.errors import MissingExtra, UnusableInput
from tests.audit.files import features, labels


def test_npz(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", features=features(), labels=labels())
    found = read(str(tmp_path / "a.npz"))
    assert (found.features == features()).all()
    assert found.labels[:3] == ("0", "1", "0")
    np.savez(tmp_path / "b.npz", X=features().astype(np.float16), y=labels().astype(float))
    other = read(str(tmp_path / "b.npz"))
    assert other.labels == found.labels
    assert found.sha256 != other.sha256


def test_csv_is_read_exactly(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,label,b\n0.1,cat,1e-1\n-2.5,dog,.5\n", encoding="utf-8")
    found = read(str(path))
    assert found.labels == ("cat", "dog")
    assert found.row(0) == [Fraction(1, 10), Fraction(1, 10)]
    assert found.features.tolist() == [[0.1, 0.1], [-2.5, 0.5]]
    path.write_text("a,b\n1,2\n3,4\n", encoding="utf-8")
    assert read(str(path), "a").labels == ("1", "3")


def test_parquet(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.table({"u": [0.5, 0.25], "v": [1, 2], "label": ["x", "y"]})
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    found = read(str(tmp_path / "a.parquet"))
    assert found.features.tolist() == [[0.5, 1.0], [0.25, 2.0]]
    assert found.labels == ("x", "y")


@pytest.mark.parametrize(("name", "shape"), [("digits", (1797, 64)), ("iris", (150, 4)), ("breast-cancer", (569, 30))])
def test_toy_sets(name: str, shape: tuple[int, int]) -> None:
    assert read(name).features.shape == shape


def _saved(**arrays: Any) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        np.savez(folder / "x.npz", **arrays)
        return folder / "x.npz"

    return write


def _text(name: str, content: bytes) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / name).write_bytes(content)
        return folder / name

    return write


WIDE = np.zeros((2, 3))
REFUSED: dict[str, tuple[Callable[[Path], Path], str]] = {
    "no labels": (_saved(features=WIDE), "no array named labels or label or y; it has features"),
    "no features": (_saved(labels=[0, 1]), "no array named features or X or x"),
    "too few labels": (_saved(features=WIDE, labels=[0]), "2 records have 1 labels"),
    "a list of features": (_saved(features=np.zeros(3), labels=[0, 0, 0]), "n rows by d columns"),
    "no records": (_saved(features=np.zeros((0, 3)), labels=np.zeros(0)), "n rows by d columns"),
    "complex": (_saved(features=WIDE + 1j, labels=[0, 1]), "table of numbers"),
    "texts": (_saved(features=WIDE.astype(str), labels=[0, 1]), "table of numbers"),
    "nan": (_saved(features=WIDE * np.nan, labels=[0, 1]), "record 0, feature 0 is not a finite number"),
    "infinity": (_saved(features=WIDE + np.inf, labels=[0, 1]), "not a finite number"),
    "long integers": (_saved(features=np.full((2, 3), 2**60 + 1), labels=[0, 1]), "beyond 2^53"),
    "labels in a table": (_saved(features=WIDE, labels=WIDE), "labels must be a list"),
    "pickles": (_saved(features=np.array([[{}]]), labels=[0]), "plain arrays"),
    "not an archive": (_text("x.npz", b"PK nonsense"), "plain arrays"),
    "an empty file": (_text("x.npz", b""), "plain arrays"),
    "csv: a header alone": (_text("x.csv", b"a,b\n"), "at least one record"),
    "csv: a short row": (_text("x.csv", b"a,y\n1,2\n3\n"), "x.csv:3: 1 cells under 2 columns"),
    "csv: a word": (_text("x.csv", b"a,y\none,2\n"), "x.csv:2: 'one' is not a plain decimal number"),
    "csv: nan": (_text("x.csv", b"a,y\nnan,2\n"), "'nan' is not a plain decimal number"),
    "csv: too large": (_text("x.csv", b"a,y\n1e999,2\n"), "not a finite number"),
    "csv: a huge exponent": (_text("x.csv", b"a,y\n1e99999,2\n"), "not a plain decimal number"),
    "csv: no label": (_text("x.csv", b"a,label\n1,\n"), "record 0 has no label"),
    "csv: no label column": (_text("x.csv", b"a,b\n1,2\n"), "no column is named labels or label or y"),
    "csv: two label columns": (_text("x.csv", b"a,y,label\n1,2,3\n"), "2 columns are named"),
    "csv: a long label": (_text("x.csv", b"a,y\n1," + b"9" * 5000 + b"\n"), "not a short text or a number"),
    "labels that are no numbers": (_saved(features=WIDE, labels=[0, np.nan]), "record 1 has no label"),
    "long doubles": (_saved(features=WIDE.astype(np.longdouble), labels=[0, 1]), "table of numbers"),
    "csv: bytes": (_text("x.csv", b"\xff\xfe\x00"), "not a CSV file"),
    "csv: one column": (_text("x.csv", b"y\n1\n"), "n rows by d columns"),
    "parquet: bytes": (_text("x.parquet", b"PAR1"), "not a Parquet table"),
    "another ending": (_text("x.pkl", b""), ".npz, .csv, .parquet, or one of breast-cancer, digits, iris, wine"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_a_table_is_refused(name: str, tmp_path: Path) -> None:
    write, message = REFUSED[name]
    with pytest.raises(UnusableInput) as caught:
        read(str(write(tmp_path)))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("ending", ["csv", "npz", "parquet"])
def test_what_unpacks_to_too_much_is_refused(ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """10,000 zeros pack into less than the limit of 20 kB for .npz and .parquet, and unpack to more."""
    import pyarrow
    import pyarrow.parquet

    path, zeros = tmp_path / f"a.{ending}", np.zeros(10_000)
    if ending == "csv":
        path.write_text("a,y\n" + "0,0\n" * 10_000, encoding="utf-8")
    elif ending == "npz":
        np.savez_compressed(path, features=zeros[:, None], labels=zeros)
    else:
        pyarrow.parquet.write_table(pyarrow.table({"a": zeros, "y": zeros}), path)
    assert read(str(path)).features.shape == (10_000, 1)
    assert ending == "csv" or path.stat().st_size < 20_000
    monkeypatch.setattr("certify.audit.data._LARGEST", 20_000)
    with pytest.raises(UnusableInput, match="that an audit holds"):
        read(str(path))


def test_a_missing_file_and_a_missing_column(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="cannot be read"):
        read(str(tmp_path / "none.csv"))
    (tmp_path / "a.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(UnusableInput, match="no one column is named 'c'"):
        read(str(tmp_path / "a.csv"), "c")


@pytest.mark.parametrize(("source", "library"), [("digits", "sklearn"), ("a.parquet", "pyarrow")])
def test_without_the_extra_the_message_says_what_to_install(
    source: str, library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = builtins.__import__

    def without(name: str, *rest: Any, **named: Any) -> Any:
        if name.partition(".")[0] == library:
            raise ImportError(name)
        return found(name, *rest, **named)

    for name in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", without)
    (tmp_path / "a.parquet").write_bytes(b"")
    path = source if source == "digits" else str(tmp_path / source)
    with pytest.raises(MissingExtra, match=r"pip install 'certify-dp\[audit\]'"):
        read(path)

"""The four examples, the three formats, standard input, and what loading may cost."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
import time
import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from certify.claims import (
    DifferentialPrivacy,
    PopulationExcessRisk,
    Reconstruction,
    from_mapping,
    load,
    loads,
)
from certify.errors import MissingExtra, UnusableInput

from .samples import BALL, EXAMPLES


def test_ball_example_is_exact() -> None:
    file = load(EXAMPLES / "ball-logistic.toml")
    assert (file.id, file.release.sigma, file.model.n) == ("imdb-logistic-q50", Fraction(151, 10_000), 25_000)
    assert file.model.gradient_tolerance == Fraction(1, 10**10)
    assert file.model.public == ("feature_bound", "radius", "n")
    assert file.claims == (
        DifferentialPrivacy(1, Fraction(2), Fraction(1, 10**6), radius=Fraction(7, 10)),
        Reconstruction(2, Fraction(21, 100), candidates=10, radius=Fraction(7, 10)),
        DifferentialPrivacy(3, Fraction(3), Fraction(1, 10**6), radius=Fraction(7, 5)),
    )
    assert file.lines["claim[3].radius"] == 36


def test_descent_example_is_exact() -> None:
    file = load(EXAMPLES / "example-4.8.toml")
    privacy, risk = file.claims
    assert privacy == DifferentialPrivacy(1, Fraction(1), Fraction(1, 10**7), theorem="4.1", truncation=Fraction(6))
    assert risk == PopulationExcessRisk(2, Fraction(59, 1000), Fraction(1, 100))
    assert file.model.step_size is None
    assert file.policy.radius is None


def test_every_line_is_the_line_of_the_field(example: Path) -> None:
    text = example.read_text(encoding="utf-8").splitlines()
    lines = load(example).lines
    for path, line in lines.items():
        if not path.endswith("]"):
            assert path.rpartition(".")[2] in text[line - 1]
    assert paths(tomllib.loads("\n".join(text))) == set(lines)


def paths(tree: object, path: str = "") -> set[str]:
    """Every field path of a tree, written independently of the readers."""
    found = {path} if path else set()
    if isinstance(tree, Mapping):
        for name, inner in tree.items():
            found |= paths(inner, f"{path}.{name}" if path else name)
    if isinstance(tree, list):
        for position, inner in enumerate(tree, 1):
            found |= paths(inner, f"{path}[{position}]")
    return found


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_formats_agree(example: Path, form: str) -> None:
    tree = tomllib.loads(example.read_text(encoding="utf-8"))
    text = json.dumps(tree, indent=1) if form == "json" else yaml.safe_dump(tree)
    original, other = load(example), loads(text, "converted", form)
    assert (other.id, other.release, other.model, other.policy, other.claims) == (
        original.id,
        original.release,
        original.model,
        original.policy,
        original.claims,
    )
    assert set(other.lines) == set(original.lines)
    for path, line in other.lines.items():
        name = path.rpartition(".")[2]
        assert path.endswith("]") or name in text.splitlines()[line - 1]


def test_decimals_are_exact_in_every_format() -> None:
    texts = {
        "toml": (EXAMPLES / "ball-logistic.toml").read_text(encoding="utf-8").replace('"0.0151"', "0.1"),
        "json": json.dumps(BALL).replace('"0.0151"', "0.1"),
        "yaml": yaml.safe_dump(BALL).replace("'0.0151'", "1e-1"),
    }
    for form, text in texts.items():
        assert loads(text, format=form).release.sigma == Fraction(1, 10), form


def test_yaml_quotes_make_no_number_of_a_text_and_octal_is_decimal() -> None:
    text = yaml.safe_dump(BALL).replace("n: 25000", "n: 010")
    assert loads(text, format="yaml").model.n == 10


def test_digest_is_of_the_raw_bytes(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf" + (EXAMPLES / "c4-519.toml").read_bytes().replace(b"\n", b"\r\n")
    path = tmp_path / "with-mark.TOML"
    path.write_bytes(data)
    file = load(path)
    assert file.sha256 == hashlib.sha256(data).hexdigest()
    assert file.release.iterations == 519
    assert file.lines["release.iterations"] == 8


@pytest.mark.parametrize("form", ["toml", "json"])
def test_standard_input(monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    data = (EXAMPLES / "c4-519.toml").read_bytes() if form == "toml" else b"\n " + json.dumps(BALL).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert load("-").source == "<stdin>"


@pytest.mark.parametrize(
    ("name", "fragment"),
    [
        ("absent.toml", "No such file"),
        ("claim.txt", "accepted: .toml"),
        ("claim", "accepted: .toml"),
        ("a\0.toml", "null"),
    ],
)
def test_unreadable_paths(tmp_path: Path, name: str, fragment: str) -> None:
    with pytest.raises(UnusableInput, match=fragment):
        load(f"{tmp_path}/{name}")


def test_a_folder_is_no_claim_file(tmp_path: Path) -> None:
    (tmp_path / "a.toml").mkdir()
    with pytest.raises(UnusableInput, match="cannot be read"):
        load(tmp_path / "a.toml")


def test_unknown_format() -> None:
    with pytest.raises(UnusableInput, match="accepted: toml, json, yaml"):
        loads("", format="xml")


def test_surrogates_in_a_text() -> None:
    with pytest.raises(UnusableInput, match="surrogates"):
        loads('id = "\ud800"')


def test_yaml_without_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(MissingExtra, match=r"pip install 'certify-dp\[yaml\]'"):
        loads("a: 1", format="yaml")


def test_importing_is_cheap() -> None:
    heavy = ["numpy", "scipy", "yaml", "jsonschema", "tomllib", "json", "difflib", "hashlib", "mpmath", "sympy"]
    code = f"import sys, certify.claims; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


SIZE = 999_000
SLOW: dict[str, tuple[str, str]] = {
    "one line of a table each": ("toml", "".join(f"[k{index}]\n" for index in range(SIZE // 10))),
    "long dotted names": ("toml", "[" + "a." * (SIZE // 4) + "a]\n" + "b=1\n" * (SIZE // 8)),
    "open text with escapes": ("toml", 'a="""' + "\\n" * (SIZE // 2)),
    "an integer": ("toml", "a=" + "1" * SIZE),
    "open escapes": ("json", '{"a":"' + "\\n" * (SIZE // 2)),
    "digits": ("json", '{"release":' + "1" * SIZE + "}"),
    "yaml words": ("yaml", "a: " + "x " * 249_000),
    "yaml too long": ("yaml", "#" * SIZE),
    "too many bytes": ("toml", "#" * 1_000_001),
}


@pytest.mark.parametrize("case", SLOW)
def test_no_megabyte_takes_long(case: str) -> None:
    form, text = SLOW[case]
    started = time.process_time()
    with pytest.raises(UnusableInput):
        loads(text, format=form)
    assert time.process_time() - started < 20  # 0.01 to 1.3 s of work where measured; a quadratic reader takes minutes


def test_weights_stay_cheap() -> None:
    tree: dict[str, Any] = {**BALL, "claim": [{"kind": "reconstruction", "success": 1, "prior": ["1e-4"] * 10_000}]}
    (claim,) = from_mapping(tree).claims
    assert isinstance(claim, Reconstruction)
    assert claim.kappa == Fraction(1, 10_000)
    tree["claim"][0]["prior"] = [f"1/{10**60 + index}" for index in range(10_000)]
    with pytest.raises(UnusableInput, match="common denominator"):
        from_mapping(tree)
    tree["claim"][0]["prior"] = ["0e-9999"] * 10_000
    with pytest.raises(UnusableInput, match="exponent within"):
        from_mapping(tree)

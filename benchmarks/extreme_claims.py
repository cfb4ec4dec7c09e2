"""Claim files as hard as they may be: extreme numbers, a hundred failing claims, a megabyte of one thing.

Each file is made from fixed text, so that every run makes the same ones. ``statuses`` are the exit statuses that
`certify check` may have: 0 or 1 where the file is a question, 2 where it is to be refused.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

LARGEST = {"toml": 1_000_000, "json": 1_000_000, "yaml": 500_000}
"""The bytes that a file of each format may have."""
ANSWERED = (0, 1)
REFUSED = (2,)
EITHER = (0, 1, 2)

_LONG = "0." + "3" * 3998
_LONG_RATIO = "1" + "7" * 1998 + "/1" + "9" * 1998
_NUMBERS = {
    "tiny": "1e-9999",
    "huge": "1e9999",
    "small": "1e-300",
    "large": "1e300",
    "long": _LONG,
    "long-ratio": _LONG_RATIO,
    "near-one": "0." + "9" * 300,
    "above-one": "1." + "0" * 300 + "1",
}
_COUNTED = ("n", "d", "iterations", "classes", "min_class_count", "candidates")
_COUNTS = {"one": 1, "most": 10**18, "below-most": 10**18 - 1, "power": 2**40}

_HEADS: dict[str, dict[str, Any]] = {
    "ridge-prototype": {"classes": 10, "min_class_count": 174},
    "binary-logistic": {"intercept": "regularized", "gradient_tolerance": "1e-10"},
    "softmax": {"classes": 10, "intercept": "regularized", "gradient_tolerance": "1e-10"},
    "squared-hinge": {"intercept": "none", "gradient_tolerance": "1e-10"},
}
_PRIVACY = {"kind": "differential-privacy", "epsilon": 2, "delta": "1e-6"}
_RECONSTRUCTION = {"kind": "reconstruction", "candidates": 10, "success": "0.21"}
_RISKS: tuple[dict[str, Any], ...] = (
    {"kind": "population-excess-risk", "bound": "0.059", "sample_failure": "0.01"},
    {"kind": "unregularized-excess-risk", "bound": "0.07", "sample_failure": "0.01", "comparator_norm": 1},
    {"kind": "empirical-excess-risk", "bound": "6e-5"},
    {"kind": "single-release-excess-risk", "bound": "0.1", "sample_failure": "0.01", "release_failure": "0.01"},
)


@dataclass(frozen=True)
class ExtremeFile:
    """One claim file: its name with the format's ending, its bytes when asked for, and the statuses that may follow."""

    name: str
    content: Callable[[], bytes]
    statuses: tuple[int, ...] = ANSWERED


def extreme_files() -> Iterator[ExtremeFile]:
    """Every file, in a fixed order."""
    yield from many_claims()
    yield from extreme_numbers()
    yield from weights()
    yield from megabytes()


def output_perturbation(head: str) -> dict[str, Any]:
    """A claim file of every kind of claim on one head, as a mapping."""
    return {
        "release": {"mechanism": "gaussian-output-perturbation", "sigma": "0.0151"},
        "model": {
            "head": head,
            "n": 25_000,
            "regularization": "0.01",
            "feature_bound": 1,
            "public": ["feature_bound", "radius", "n", "class_counts", "regularization"],
            **_HEADS[head],
        },
        "policy": {"adjacency": "replace-one", "metric": "label-preserving-euclidean", "radius": "0.7"},
        "claim": [dict(_PRIVACY), dict(_RECONSTRUCTION)],
    }


def descent() -> dict[str, Any]:
    """A claim file of every kind of claim on gradient descent, as a mapping."""
    theorems: tuple[dict[str, str], ...] = (
        {},
        {"theorem": "4.1", "truncation": "6"},
        {"theorem": "C.13", "variant": "fixed-radii", "truncation": "6"},
        {"theorem": "C.13", "variant": "sharp"},
    )
    return {
        "release": {"mechanism": "objective-perturbation-gd", "sigma": "1e-5", "iterations": 1500},
        "model": {
            "L1": "1",
            "L2": "1/4",
            "L3": "0.0962250448649376",
            "n": 1_000_000,
            "d": 10_000,
            "regularization": "0.01",
            "feature_bound": 1,
            "step_size": "1/L",
            "public": ["n", "d", "feature_bound", "regularization", "L1", "L2", "L3"],
        },
        "policy": {"adjacency": "replace-one"},
        "claim": [{**_PRIVACY, "epsilon": 1, **theorem} for theorem in theorems] + [dict(risk) for risk in _RISKS],
    }


def many_claims() -> Iterator[ExtremeFile]:
    """A hundred claims in one file, all failing, so that repairs are searched for each."""
    for head in _HEADS:
        yield _whole(f"hundred-{head}", _hundred(output_perturbation(head), _failing_output))
    yield _whole("hundred-reconstruction", _hundred(output_perturbation("binary-logistic"), _failing_reconstruction))
    for position, name in enumerate(("best", "theorem-4.1", "fixed-radii", "sharp")):
        yield _whole(f"hundred-{name}", _hundred(descent(), _failing_descent(position)))
    for risk in _RISKS:
        yield _whole(f"hundred-{risk['kind']}", _hundred(descent(), _failing_risk(risk)))
    logistic = descent()
    logistic["model"] = {k: v for k, v in logistic["model"].items() if k not in ("L1", "L2", "L3")} | {
        "loss": "logistic"
    }
    for iterations in (1, 500, 10**9):
        logistic["release"]["iterations"] = iterations
        yield _whole(f"hundred-logistic-{iterations}-iterations", _hundred(logistic, _failing_descent(0)))


def extreme_numbers() -> Iterator[ExtremeFile]:
    """Each number of each mechanism at each extreme, the others as usual, then all of them at once."""
    bases = {head: output_perturbation(head) for head in _HEADS} | {"descent": descent()}
    bases["any-record"] = copy.deepcopy(bases["softmax"])
    bases["any-record"]["policy"] = {"adjacency": "replace-one", "metric": "any-record"}
    for base, mapping in bases.items():
        for path in _numbers_of(mapping):
            is_count = isinstance(_field(mapping, path), int) and path[-1] not in (
                "epsilon",
                "feature_bound",
                "comparator_norm",
            )
            for word, value in (_COUNTS if is_count else _NUMBERS).items():
                changed = copy.deepcopy(mapping)
                _set(changed, path, value)
                yield _whole(f"{base}-{path[-1]}-{word}", changed, EITHER)
        for word, value in _NUMBERS.items():
            changed = copy.deepcopy(mapping)
            for path in _numbers_of(mapping):
                if path[-1] not in (*_COUNTED, "delta"):
                    _set(changed, path, value)
            yield _whole(f"{base}-everything-{word}", changed, EITHER)


def weights() -> Iterator[ExtremeFile]:
    """Priors of ten thousand weights, short and long."""
    equal = ["1/10000"] * 10_000
    uneven = [f"{k}/50005000" for k in range(1, 10_001)]
    long = ["1/" + "9" * 40] * 9_999
    long.append(f"{10**40 - 1 - 9_999}/{10**40 - 1}")
    coprime = [f"1/{10**18 + k}" for k in range(10_000)]
    for name, prior, statuses in (
        ("equal", equal, ANSWERED),
        ("uneven", uneven, ANSWERED),
        ("long", long, ANSWERED),
        ("coprime", coprime, REFUSED),
    ):
        mapping = output_perturbation("binary-logistic")
        mapping["claim"] = [{"kind": "reconstruction", "prior": prior, "success": "0.001"}] * (
            2 if len(prior[0]) < 20 else 1
        )
        for form in ("toml", "json", "yaml"):
            yield ExtremeFile(f"prior-{name}.{form}", _written(mapping, form), statuses)


def megabytes() -> Iterator[ExtremeFile]:
    """As much of one thing as a file of each format may hold, and a little more."""
    usual = {form: _written(output_perturbation("binary-logistic"), form)() for form in ("toml", "json", "yaml")}
    for form in ("toml", "yaml"):
        yield _filled(f"comment-lines.{form}", usual[form], b"#\n", ANSWERED)
        yield _filled(f"one-comment.{form}", usual[form] + b"#", b"x", ANSWERED)
    for form in usual:
        yield _filled(f"blank-lines.{form}", usual[form], b"\n", ANSWERED)
        yield _filled(f"spaces.{form}", usual[form], b" ", ANSWERED)
        yield ExtremeFile(f"too-large.{form}", _repeated(usual[form], b"\n", LARGEST[form] + 1), REFUSED)
        yield _filled(f"zero-bytes.{form}", b"", b"\0", REFUSED)
        yield _filled(f"not-utf-8.{form}", b"", b"\xff", REFUSED)
        for name, unit in _SYNTAX.items():
            yield _filled(f"{name}.{form}", b"", unit, REFUSED)
            yield _filled(f"{name}-after-a-claim.{form}", usual[form], unit, REFUSED)
    for form, opening, closing in (
        ("toml", b'id = "', b'"\n'),
        ("yaml", b'id: "', b'"\n'),
        ("json", b'{"id": "', b'",'),
    ):
        rest = usual[form] if form != "json" else usual[form].lstrip()[1:]
        units = {"long-text": b"x", "long-unicode-text": "\U0001d53c".encode(), "escapes": b"\\u0041"}
        for name, unit in units.items():
            yield ExtremeFile(f"{name}.{form}", _between(form, opening, unit, closing + rest), EITHER)
        for name, unit in (("long-integer", b"7"), ("long-decimal", b"0.7")):
            start, end = opening.rstrip(b'"') + unit, closing.lstrip(b'"') + rest
            yield ExtremeFile(f"{name}.{form}", _between(form, start, b"7", end), REFUSED)
    for name, form, opening, unit, closing in _NESTED:
        yield ExtremeFile(f"{name}.{form}", _between(form, opening, unit, closing), REFUSED)
    yield ExtremeFile("indented.yaml", _indented, REFUSED)
    yield ExtremeFile("many-names.toml", _many_names("toml", b"", b"name%d = 1\n", b""), REFUSED)
    yield ExtremeFile("many-names.json", _many_names("json", b"{", b'"name%d": 1,\n', b'"last": 1}'), REFUSED)
    yield ExtremeFile("many-names.yaml", _many_names("yaml", b"", b"name%d: 1\n", b""), REFUSED)
    yield ExtremeFile("many-tables.toml", _many_names("toml", b"", b"[table%d]\n", b""), REFUSED)
    yield ExtremeFile("many-anchors.yaml", _many_names("yaml", b"", b"- &a%d 1\n", b""), REFUSED)


_SYNTAX = {
    "square-brackets": b"[",
    "curly-brackets": b"{",
    "closed-brackets": b"[]",
    "double-quotes": b'"',
    "single-quotes": b"'",
    "backslashes": b"\\",
    "dots": b".",
    "commas": b",",
    "colons": b": ",
    "equals": b"=",
    "digits": b"7",
    "minus-signs": b"- ",
    "tabs-and-letters": b"\tx",
    "question-marks": b"? ",
    "ampersands": b"&a ",
    "asterisks": b"*a ",
    "exclamation-marks": b"! ",
    "documents": b"---\n",
    "block-texts": b"- |\n",
    "words": b"word ",
    "claim-tables": b"[[claim]]\n",
    "claims": b'[[claim]]\nkind = "differential-privacy"\n',
    "carriage-returns": b"\rx",
    "letters-over-two-bytes": "\U0001d53c".encode(),
}

_NESTED: tuple[tuple[str, str, bytes, bytes, bytes], ...] = (
    ("dotted-name", "toml", b"a", b".a", b" = 1\n"),
    ("dotted-table", "toml", b"[a", b".a", b"]\n"),
    ("nested-lists", "toml", b"a = ", b"[", b""),
    ("nested-tables", "toml", b"a = ", b"{a=", b""),
    ("nested-texts", "toml", b'a = """', b'\\"', b'"""\n'),
    ("list-of-lists", "toml", b"a = [", b"[],", b"]\n"),
    ("list-of-numbers", "toml", b"a = [", b"1,", b"]\n"),
    ("nested-lists", "json", b"", b"[", b""),
    ("nested-tables", "json", b"", b'{"a":', b""),
    ("list-of-numbers", "json", b'{"a": [', b"1,", b"1]}"),
    ("list-of-lists", "json", b'{"a": [', b"[],", b"[]]}"),
    ("nested-lists", "yaml", b"a: ", b"[", b""),
    ("nested-tables", "yaml", b"a: ", b"{a: ", b""),
    ("nested-dashes", "yaml", b"", b"- ", b"1\n"),
    ("list-of-numbers", "yaml", b"a: [", b"1,", b"]\n"),
    ("list-of-lists", "yaml", b"a: [", b"[],", b"]\n"),
    ("folded-lines", "yaml", b"id: ", b"word\n  ", b"\n"),
    ("block-text", "yaml", b"id: |\n", b"  x\n", b""),
    ("merges", "yaml", b"a: &a {b: 1}\nc:\n", b"  <<: *a\n", b""),
)


def _whole(name: str, mapping: Mapping[str, Any], statuses: tuple[int, ...] = ANSWERED) -> ExtremeFile:
    return ExtremeFile(f"{name}.toml", _written(copy.deepcopy(mapping), "toml"), statuses)


def _hundred(mapping: dict[str, Any], claim: Callable[[int], dict[str, Any]]) -> dict[str, Any]:
    return {**mapping, "claim": [claim(k) for k in range(100)]}


def _failing_output(k: int) -> dict[str, Any]:
    return {**_PRIVACY, "epsilon": f"{k + 1}e-4", "radius": f"{1 + k / 100:.2f}"}


def _failing_reconstruction(k: int) -> dict[str, Any]:
    return {"kind": "reconstruction", "candidates": 2 + 7**k % 10**17, "success": f"1e-{18 + k}", "radius": "1.9"}


def _failing_descent(theorem: int) -> Callable[[int], dict[str, Any]]:
    def claim(k: int) -> dict[str, Any]:
        return {**descent()["claim"][theorem], "epsilon": f"0.0{100 + k}", "delta": f"1e-{9 + k}"}

    return claim


def _failing_risk(risk: Mapping[str, Any]) -> Callable[[int], dict[str, Any]]:
    return lambda k: {**risk, "bound": f"{k + 1}e-9"}


def _numbers_of(mapping: Mapping[str, Any]) -> list[tuple[str | int, ...]]:
    """The path of every number, the claims' own included, each name once."""
    found: dict[str | int, tuple[str | int, ...]] = {}
    for table in ("release", "model", "policy"):
        for name, value in mapping[table].items():
            if not isinstance(value, list) and name not in ("mechanism", "head", "intercept", "adjacency", "metric"):
                found.setdefault(name, (table, name))
    for position, claim in enumerate(mapping["claim"]):
        for name in claim:
            if name not in ("kind", "theorem", "variant"):
                found.setdefault(name, ("claim", position, name))
    return list(found.values())


def _field(mapping: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        mapping = mapping[step]
    return mapping


def _set(mapping: dict[str, Any], path: tuple[str | int, ...], value: object) -> None:
    """Set a number; in the claims, wherever its name occurs."""
    if path[0] != "claim":
        _field(mapping, path[:-1])[path[-1]] = value
        return
    for claim in mapping["claim"]:
        if path[-1] in claim:
            claim[path[-1]] = value


def _written(mapping: Mapping[str, Any], form: str) -> Callable[[], bytes]:
    def content() -> bytes:
        if form == "json":
            return json.dumps(mapping).encode()
        write = _toml if form == "toml" else _yaml
        return "".join(write(mapping)).encode()

    return content


def _toml(mapping: Mapping[str, Any]) -> Iterator[str]:
    for name, table in mapping.items():
        for row in table if isinstance(table, list) else [table]:
            yield f"[[{name}]]\n" if isinstance(table, list) else f"[{name}]\n"
            yield from (f"{key} = {json.dumps(value)}\n" for key, value in row.items())


def _yaml(mapping: Mapping[str, Any]) -> Iterator[str]:
    for name, table in mapping.items():
        yield f"{name}:\n"
        for row in table if isinstance(table, list) else [table]:
            opening = "  - " if isinstance(table, list) else "    "
            for key, value in row.items():
                yield f"{opening}{key}: {json.dumps(value)}\n"
                opening = "    "


def _filled(name: str, start: bytes, unit: bytes, statuses: tuple[int, ...]) -> ExtremeFile:
    return ExtremeFile(name, _repeated(start, unit, LARGEST[name.rpartition(".")[2]]), statuses)


def _repeated(start: bytes, unit: bytes, size: int) -> Callable[[], bytes]:
    return lambda: start + unit * ((size - len(start)) // len(unit))


def _between(form: str, opening: bytes, unit: bytes, closing: bytes) -> Callable[[], bytes]:
    size = LARGEST[form] - len(opening) - len(closing)
    return lambda: opening + unit * (size // len(unit)) + closing


def _indented() -> bytes:
    """Nested maps in block style, each one space deeper."""
    return b"".join(b" " * k + b"a:\n" for k in range(990))


def _many_names(form: str, opening: bytes, line: bytes, closing: bytes) -> Callable[[], bytes]:
    def content() -> bytes:
        lines, size, k = [opening], len(opening) + len(closing), 0
        while size + len(line) + 5 < LARGEST[form]:
            lines.append(line % k)
            size, k = size + len(lines[-1]), k + 1
        return b"".join([*lines, closing])

    return content

"""`certify trust`: what a verdict rests on, so that a reader knows what to read and what to doubt."""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
from importlib import metadata

from certify.statements.assumptions import STANDING
from certify.trusted import TRUSTED, trusted_files
from certify.version import VERSION

_ROLES = {
    "errors.py": "refusals of unusable input",
    "trusted.py": "which files are trusted, and their digests",
    "kernel": "exact numbers, intervals, elementary functions, decisions",
    "statements": "the theorems, and the rules that apply them to a claim",
    "verdicts": "which decided conditions make a verdict (searches inside propose, they do not decide)",
    "checker": "re-establishes a certificate; of the rest it uses the statements only",
}
_ENGINES = (
    ("kernel", "mpmath", "every verdict; of mpmath only libmp's directed + - x / sqrt and integer powers"),
    ("checker", None, "`certify verify`, `python -m certify.checker`: the standard library's integers only"),
    ("Arb", "python-flint", "`certify verify --engine arb`, a third opinion"),
)


def run(arguments: argparse.Namespace) -> int:
    """Print the trusted files with lines and SHA-256, the engines and versions, and the standing assumptions."""
    shown = {"text": _text, "json": lambda: json.dumps(document(), indent=2, ensure_ascii=False), "markdown": markdown}
    print(shown[arguments.format]())
    return 0


def document() -> dict[str, object]:
    """Everything that is trusted, as JSON shows it."""
    return {
        "schema": "certify/trust/v1",
        "certify": VERSION,
        "python": platform.python_version(),
        "engines": [
            {"name": name, "library": library, "version": _version(library), "use": use}
            for name, library, use in _ENGINES
        ],
        "libraries": {library: _version(library) for _, library, _ in _ENGINES if library is not None},
        "files": [_described(name, content) for name, content in trusted_files()],
        "assumptions": [{"name": item.name, "text": item.text} for item in STANDING],
    }


def markdown() -> str:
    """The trust section of the README, which holds no digest: it changes with the size of the folders only."""
    rows = [
        f"| `certify/{name}` | {_ROLES[name]} | {len(mine)} | {_lines(mine)} |" for name, mine in _by_folder().items()
    ]
    engines = [f"| {name} | {library or 'none'} | {use} |" for name, library, use in _ENGINES]
    return "\n".join(
        [
            "| Trusted | What it does | Files | Lines |",
            "|---|---|---|---|",
            *rows,
            "",
            "| Engine | Library | Used by |",
            "|---|---|---|",
            *engines,
            "",
            "Assumed in every answer:",
            "",
            *(f"- {item.name}: {item.text}" for item in STANDING),
        ]
    )


def _version(library: str | None) -> str | None:
    """The installed version, None where there is no library or it is not installed."""
    try:
        return None if library is None else metadata.version(library)
    except metadata.PackageNotFoundError:
        return None


def _by_folder() -> dict[str, list[tuple[str, bytes]]]:
    found = list(trusted_files())
    return {name: [item for item in found if item[0].partition("/")[0] == name] for name in TRUSTED}


def _lines(files: list[tuple[str, bytes]]) -> int:
    return sum(content.count(b"\n") for _, content in files)


def _described(name: str, content: bytes) -> dict[str, object]:
    return {"file": name, "lines": content.count(b"\n"), "sha256": hashlib.sha256(content).hexdigest()}


def _text() -> str:
    lines = [f"certify {VERSION}, Python {platform.python_version()}", "", "Engines:"]
    for name, library, use in _ENGINES:
        version = _version(library)
        carried = "" if library is None else f" ({library} {version or 'not installed'})"
        lines.append(f"  {name}{carried}: {use}")
    for folder, mine in _by_folder().items():
        rows = [_described(name, content) for name, content in mine]
        lines += ["", f"{folder}: {_ROLES[folder]} ({_lines(mine)} lines)"]
        lines += [f"  {row['lines']:>5}  {row['sha256']}  {row['file']}" for row in rows]
    lines += ["", "Standing assumptions:", *(f"  - {item.name}: {item.text}" for item in STANDING)]
    return "\n".join(lines)

"""`certify trust`: what a verdict rests on, so that a reader knows what to read and what to doubt."""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
from importlib import metadata
from importlib.resources import files
from importlib.resources.abc import Traversable

from certify.statements.assumptions import STANDING
from certify.version import VERSION

TRUSTED = ("errors.py", "kernel", "statements", "verdicts")
_ROLES = {
    "errors.py": "refusals of unusable input",
    "kernel": "exact numbers, intervals, elementary functions, decisions",
    "statements": "the theorems",
    "verdicts": "which conditions make a verdict (searches inside propose, they do not decide)",
}
_LIBRARIES = ("mpmath",)


def run(arguments: argparse.Namespace) -> int:
    """Print the trusted files with lines and SHA-256, the versions, and the standing assumptions."""
    found = document()
    print(json.dumps(found, indent=2, ensure_ascii=False) if arguments.format == "json" else _text(found))
    return 0


def document() -> dict[str, object]:
    """Everything that is trusted, as JSON shows it."""
    return {
        "schema": "certify/trust/v1",
        "certify": VERSION,
        "python": platform.python_version(),
        "libraries": {name: metadata.version(name) for name in _LIBRARIES},
        "files": [_described(path, found) for path, found in _trusted()],
        "assumptions": [{"name": item.name, "text": item.text} for item in STANDING],
    }


def _trusted() -> list[tuple[str, Traversable]]:
    root = files("certify")
    found: list[tuple[str, Traversable]] = []
    for name in TRUSTED:
        found.extend(_below(name, root.joinpath(name)))
    return found


def _below(path: str, node: Traversable) -> list[tuple[str, Traversable]]:
    if node.is_file():
        return [(path, node)] if path.endswith((".py", ".toml")) else []
    inside = sorted(node.iterdir(), key=lambda child: child.name)
    return [item for child in inside for item in _below(f"{path}/{child.name}", child)]


def _described(path: str, node: Traversable) -> dict[str, object]:
    content = node.read_bytes()
    return {"file": path, "lines": content.count(b"\n"), "sha256": hashlib.sha256(content).hexdigest()}


def _text(found: dict[str, object]) -> str:
    rows = [_described(path, node) for path, node in _trusted()]
    lines = [f"certify {found['certify']}, Python {found['python']}, mpmath {metadata.version('mpmath')}", ""]
    for name in TRUSTED:
        mine = [row for row in rows if str(row["file"]).startswith(name)]
        total = sum(int(str(row["lines"])) for row in mine)
        lines.append(f"{name}: {_ROLES[name]} ({total} lines)")
        lines += [f"  {row['lines']:>5}  {row['sha256']}  {row['file']}" for row in mine]
    lines += [
        "",
        "Of mpmath only libmp's directed + - x / sqrt and integer powers are used.",
        "",
        "Standing assumptions:",
    ]
    lines += [f"  - {item.name}: {item.text}" for item in STANDING]
    return "\n".join(lines)

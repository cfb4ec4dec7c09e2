"""The files that a verdict and its re-check rest on, and their digests: what a certificate says of its maker."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from certify.version import VERSION

TRUSTED = ("errors.py", "trusted.py", "kernel", "statements", "verdicts", "checker")


def trusted_files() -> Iterator[tuple[str, bytes]]:
    """Name and content of every trusted file, in the order of the names."""
    root = Path(__file__).resolve().parent
    for path in sorted(root.rglob("*"), key=lambda path: path.relative_to(root).parts):
        name = path.relative_to(root).as_posix()
        if name.partition("/")[0] in TRUSTED and path.suffix in (".py", ".toml"):
            yield name, path.read_bytes().replace(b"\r\n", b"\n")


@cache
def maker() -> dict[str, object]:
    """certify's version, and of each trusted folder the SHA-256 of what `sha256sum` prints of its files, by name."""
    listed = dict.fromkeys(TRUSTED, "")
    for name, content in trusted_files():
        listed[name.partition("/")[0]] += f"{hashlib.sha256(content).hexdigest()}  {name}\n"
    trusted = {name: hashlib.sha256(lines.encode()).hexdigest() for name, lines in listed.items()}
    return {"certify": VERSION, "trusted": trusted}

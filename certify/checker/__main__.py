"""`python -m certify.checker CERTIFICATE...`: re-establish certificates with the standard library and nothing else.

One line for each file: what it says, or the first wrong place. Exit status 0: all are re-established and certified; 1:
all are genuine, some verdict is not certified; 2: some file is not re-established.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from certify.checker.strict_json import MAX_BYTES, Refused
from certify.checker.verify import Checked, verify


def main(paths: list[str]) -> int:
    """Print a line for each file and return the exit status."""
    if not paths:
        print("usage: python -m certify.checker CERTIFICATE...", file=sys.stderr)
        return 2
    return status([told(path) for path in paths])


def told(path: str) -> Checked | None:
    """Print what one file says, and return it; None where it is refused."""
    try:
        checked = verify(content(path))
    except Refused as refusal:
        print(line(path, f"refused: {refusal}"))
        return None
    print(line(path, saying(checked)))
    return checked


def content(path: str) -> bytes:
    """The bytes of a file, one more than any certificate has at most. Raises Refused where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise Refused("file", getattr(error, "strerror", None) or "there is no such file") from None


def saying(checked: Checked) -> str:
    """The verdict and the claim in words."""
    name = f"{checked.id}, claim {checked.index}" if checked.id else f"claim {checked.index}"
    return f"{checked.verdict}: {name}: {checked.says}"


def line(path: str, message: str) -> str:
    """One line without control characters."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in f"{path}: {message}")


def status(found: Iterable[Checked | None]) -> int:
    """0 all certified, 1 all genuine, 2 some refused."""
    answers = list(found)
    if not answers or any(answer is None for answer in answers):
        return 2
    return 0 if all(answer is not None and answer.verdict == "certified" for answer in answers) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

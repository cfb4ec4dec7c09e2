"""`python -m certify.checker CERTIFICATE...`: re-establish certificates with the standard library and nothing else.

One line for each file: what it says, or the first wrong place. Exit status 0: all are re-established and certified; 1:
all are genuine, some verdict is not certified; 2: some file is not re-established.
"""

from __future__ import annotations

import sys

from certify.checker.strict_json import MAX_BYTES
from certify.checker.verify import Checked, verify
from certify.statements.rules.written import Refused


def main(paths: list[str]) -> int:
    """Print a line for each file and return the exit status."""
    answers: list[Checked | None] = []
    for path in paths:
        try:
            answers.append(verify(content(path)))
            print(line(path, saying(answers[-1])))
        except Refused as refusal:
            answers.append(None)
            print(line(path, f"refused: {refusal}"))
    if not paths:
        print("usage: python -m certify.checker CERTIFICATE...", file=sys.stderr)
    return status(answers)


def content(path: str) -> bytes:
    """The bytes of a file, one more than any certificate has at most. Raises Refused where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise Refused("file", getattr(error, "strerror", None) or "there is no such file") from None


def saying(checked: Checked | None) -> str:
    """The verdict and the claim in words."""
    return "" if checked is None else f"{checked.verdict}: {checked.name}: {checked.says}"


def line(path: str, message: str) -> str:
    """One line without control characters."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in f"{path}: {message}")


def status(answers: list[Checked | None]) -> int:
    """0 all certified, 1 all genuine, 2 some refused, or none given."""
    verdicts = [answer and answer.verdict for answer in answers]
    return 2 if not verdicts or None in verdicts else int(verdicts.count("certified") < len(verdicts))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

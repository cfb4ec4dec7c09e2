"""Runs a command and holds what it prints against the console block in a README.

    python .ci/same_output.py README.md certify eval gaussian.sigma epsilon=2 delta=1e-6 sensitivity=1

Words must be the same, and so must whole numbers and numbers of eight digits or more, which are proved. Shorter numbers
with a fraction may differ by a fiftieth, or by 0.004 where that is more: another processor's rounding can turn a single
guess of an attack. Numbers below 1e-12 are themselves such rounding. Exit statuses above 1 are faults.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

_NUMBER = re.compile(r"\d+\.\d+(?:e[+-]\d+)?|\d+(?:\.\d+)?e[+-]\d+")
_PROVED = re.compile(r"[0.]*[1-9](?:\.?\d){7}")


def kept(readme: Path, command: str) -> str:
    """The output in the README under that command: to the end of the block, or to the next command."""
    _, found, rest = readme.read_text(encoding="utf-8").partition(f"```console\n$ {command}\n")
    if not found:
        raise SystemExit(f"{readme}: no console block that starts with `$ {command}`")
    return rest.partition("```")[0].partition("\n$ ")[0]


def same(line: str, other: str) -> bool:
    """Whether two lines say the same, up to rounding."""
    words, others = (" ".join(_NUMBER.sub("#", text).split()) for text in (line, other))
    return words == others and all(map(_near, _NUMBER.findall(line), _NUMBER.findall(other)))


def _near(number: str, other: str) -> bool:
    if _PROVED.match(number):
        return number == other
    a, b = float(number), float(other)
    return abs(a - b) <= max(0.02 * a, 0.004 * (a > 0.004), 1e-12)


def main(readme: Path, words: list[str]) -> None:
    """Run and compare."""
    command = " ".join(words)
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode > 1 or done.stderr:
        raise SystemExit(f"{command} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    lines, right = done.stdout.splitlines(), kept(readme, command).splitlines()
    wrong = [pair for pair in zip(lines, right, strict=False) if not same(*pair)]
    if len(lines) != len(right) or wrong:
        said = "\n".join(f"  printed: {a}\n  README:  {b}" for a, b in wrong)
        raise SystemExit(f"{command}: {len(lines)} lines, {len(right)} in {readme}\n{said}")
    print(f"{command}: as in {readme}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])

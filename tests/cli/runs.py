"""Running the command line in process."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from certify.cli import main

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "claims"
CORPUS = ROOT / "tests" / "corpus"


@dataclass(frozen=True)
class Ran:
    """What a run left behind."""

    status: int
    out: str
    err: str


def run(*words: str) -> Ran:
    """One run of the command."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(words)
    return Ran(status, out.getvalue(), err.getvalue())


def refused(*words: str) -> str:
    """The one line of a run that ends in status 2 with nothing on standard output."""
    ran = run(*words)
    assert ran.status == 2, ran
    assert ran.out == "", ran
    assert ran.err.startswith("certify: ") and ran.err.count("\n") == 1, ran
    return ran.err.removeprefix("certify: ").rstrip("\n")

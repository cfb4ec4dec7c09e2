"""`certify audit CLAIM --data FILE`: Monte Carlo releases and attacks beside the certified bounds."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from certify.audit.data import read
from certify.audit.document import document, error_document
from certify.audit.run import Settings, audit
from certify.audit.text import render
from certify.claims import load
from certify.commands.limits import limits_of
from certify.errors import CertifyError, UnusableInput

_RANGES = {"setups": 10_000, "supports": 10_000, "releases": 1_000_000, "pairs": 10_000_000, "workers": 256}


def run(arguments: argparse.Namespace) -> int:
    """Print the audit; 1 where the data contradict the claim, a limit exceeds a bound, or the audit is at fault."""
    try:
        settings = _settings(arguments)
        claims = load(arguments.claim)
        records = read(arguments.data, arguments.label_column)
        public = None if arguments.public is None else read(arguments.public, arguments.label_column)
        test = None if arguments.test is None else read(arguments.test, arguments.label_column)
        if arguments.plot is not None:
            from certify.audit.plot import check_drawable

            check_drawable(arguments.plot, claims)
        found = audit(claims, records, settings, limits_of(arguments), public)
    except CertifyError as error:
        if arguments.format == "json":
            print(error_document(error))
        raise
    print(document(found, settings) if arguments.format == "json" else render(found))
    if arguments.plot is not None and not found.checked.faults:
        from certify.audit.plot import draw

        draw(Path(arguments.plot), claims, records, settings, public, test)
    return found.status


def _settings(arguments: argparse.Namespace) -> Settings:
    for name, most in _RANGES.items():
        least = 2 if name == "pairs" else 1
        if not least <= getattr(arguments, name) <= most:
            raise UnusableInput(f"{getattr(arguments, name)} is out of range; {least} to {most}", field=f"--{name}")
    if not 0.5 <= arguments.level <= 1 - 1e-9:
        raise UnusableInput(f"{arguments.level} is out of range; 0.5 to 0.999999999", field="--level")
    if arguments.seed < 0:
        raise UnusableInput("a whole number of at least 0 is needed", field="--seed")
    return Settings(
        arguments.setups,
        arguments.supports,
        arguments.releases,
        arguments.pairs,
        arguments.level,
        arguments.seed,
        min(arguments.workers, os.cpu_count() or 1),
        arguments.preprocess,
        quiet=not sys.stderr.isatty(),
    )

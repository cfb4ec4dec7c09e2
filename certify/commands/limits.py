"""The limits that a command line asks for."""

from __future__ import annotations

import argparse

from certify.errors import UnusableInput
from certify.kernel.loop import FIRST_BITS, Limits


def limits_of(arguments: argparse.Namespace) -> Limits:
    """The limits given on the command line; refuses those under which nothing can be evaluated."""
    if not FIRST_BITS <= arguments.max_bits <= 1 << 20:
        raise UnusableInput(f"{arguments.max_bits} is out of range; {FIRST_BITS} to {1 << 20} bits", field="--max-bits")
    if arguments.max_evaluations < 0:
        raise UnusableInput("a count of at least 0 is needed", field="--max-evaluations")
    if arguments.timeout is not None and arguments.timeout < 0:
        raise UnusableInput("a number of seconds of at least 0 is needed", field="--timeout")
    return Limits(arguments.max_bits, arguments.max_evaluations, arguments.timeout)

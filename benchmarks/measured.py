"""Run one command and report its exit status, processor seconds and peak memory.

Processor seconds are those of the command itself, whatever else the machine does. The command is started from a small
process of its own: Linux counts the memory of the starting process into the peak of the started one, so a benchmark or
a test that has loaded much would measure itself.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Measured:
    """What one run of a command did; ``status`` is negative where a signal ended it, such as that of ``stop_after``."""

    status: int
    seconds: float
    megabytes: float
    output: str
    errors: str


def measured(
    command: Sequence[str], stop_after: int, folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> Measured:
    """Run ``command`` once, with an empty standard input; it is killed after ``stop_after`` processor seconds."""
    run = subprocess.run(
        [sys.executable, "-I", "-S", __file__, str(stop_after), *command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=True,
        cwd=folder,
        env=None if environment is None else {**os.environ, **environment},
    )
    errors, _, report = run.stderr.rstrip("\n").rpartition("\n")
    found = json.loads(report)
    return Measured(found["status"], found["seconds"], found["megabytes"], run.stdout, errors)


def _run(stop_after: int, command: list[str]) -> None:
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (stop_after, stop_after))
        os.execvp(command[0], command)
    _, code, usage = os.wait4(child, 0)
    report = {
        "status": os.waitstatus_to_exitcode(code),
        "seconds": usage.ru_utime + usage.ru_stime,
        "megabytes": usage.ru_maxrss / 1024,
    }
    sys.stderr.write("\n" + json.dumps(report) + "\n")


if __name__ == "__main__":
    _run(int(sys.argv[1]), sys.argv[2:])

"""Run one command and report its exit status, seconds and peak memory.

The command is started from a small process of its own: Linux counts the memory of the starting process into the peak of
the started one, so a benchmark or a test that has loaded much would measure itself.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Measured:
    """What one run of a command did; ``status`` is None where it was stopped after the time allowed."""

    status: int | None
    seconds: float
    megabytes: float
    output: str
    errors: str


def measured(
    command: Sequence[str], stop_after: int, folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> Measured:
    """Run ``command`` once, with an empty standard input, and stop it after ``stop_after`` seconds."""
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
    start = time.perf_counter()
    child = os.fork()
    if child == 0:
        os.execvp(command[0], command)
    status = None
    while time.perf_counter() - start < stop_after:
        done, code, usage = os.wait4(child, os.WNOHANG)
        if done:
            status = os.waitstatus_to_exitcode(code)
            break
        time.sleep(0.001)
    else:
        os.kill(child, 9)
        usage = os.wait4(child, 0)[2]
    seconds = time.perf_counter() - start
    report = {"status": status, "seconds": seconds, "megabytes": usage.ru_maxrss / 1024}
    sys.stderr.write("\n" + json.dumps(report) + "\n")


if __name__ == "__main__":
    _run(int(sys.argv[1]), sys.argv[2:])

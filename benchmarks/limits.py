"""Processor time and peak memory of `certify check` on the hardest claim files: `python benchmarks/limits.py [PART]`.

Each file, or each whose name holds PART, is checked by a new process. Prints the slowest, the largest and every file
over a limit (10 s, 200 MB, an exit status that it may not have); writes limits.json beside this file where all were
checked. Exit status 1 where a file is over a limit.
"""

from __future__ import annotations

import json
import platform
import sys
import tempfile
from pathlib import Path

from extreme_claims import ExtremeFile, extreme_files
from measured import Measured, measured

SECONDS = 10
MEGABYTES = 200
STOP_AFTER = 20
ROOT = Path(__file__).parents[1]


def checked(extreme: ExtremeFile, folder: Path) -> Measured:
    """One cold `certify check` of one file, which is written into ``folder`` and taken away again."""
    path = folder / extreme.name
    path.write_bytes(extreme.content())
    try:
        return measured([sys.executable, "-m", "certify", "check", str(path)], STOP_AFTER, folder=ROOT)
    finally:
        path.unlink()


def faults(extreme: ExtremeFile, run: Measured) -> list[str]:
    """What is over a limit, in words."""
    found = []
    if run.status < 0:
        found.append(f"stopped after {STOP_AFTER} s")
    elif run.status not in extreme.statuses:
        found.append(f"exit status {run.status}: {run.errors[-300:]}")
    if run.seconds > SECONDS:
        found.append(f"{run.seconds:.1f} s")
    if run.megabytes > MEGABYTES:
        found.append(f"{run.megabytes:.0f} MB")
    return found


def main(arguments: list[str]) -> int:
    """Check the files whose name holds the argument, or all of them."""
    part = arguments[0] if arguments else ""
    runs: list[tuple[ExtremeFile, Measured]] = []
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for extreme in extreme_files():
            if part not in extreme.name:
                continue
            run = checked(extreme, Path(folder))
            runs.append((extreme, run))
            wrong = faults(extreme, run)
            bad += bool(wrong)
            if wrong:
                print(f"OVER {extreme.name}: {'; '.join(wrong)}", flush=True)
    if not runs:
        print(f"no file's name holds {part!r}", file=sys.stderr)
        return 2
    slowest = sorted(runs, key=lambda pair: -pair[1].seconds)[:10]
    largest = sorted(runs, key=lambda pair: -pair[1].megabytes)[:10]
    print(f"{len(runs)} files, {bad} over a limit")
    for title, rows in (("slowest", slowest), ("largest", largest)):
        print(f"{title}:")
        for extreme, run in rows:
            print(f"  {extreme.name:<40} status {run.status}  {run.seconds:6.2f} s  {run.megabytes:6.1f} MB")
    if not part:
        _write(runs, bad)
    return 1 if bad else 0


def _write(runs: list[tuple[ExtremeFile, Measured]], bad: int) -> None:
    document = {
        "python": platform.python_version(),
        "files": len(runs),
        "over_a_limit": bad,
        "limits": {"seconds": SECONDS, "megabytes": MEGABYTES},
        "most_seconds": round(max(run.seconds for _, run in runs), 2),
        "most_megabytes": round(max(run.megabytes for _, run in runs), 1),
        "answered": sum(run.status in (0, 1) for _, run in runs),
        "refused": sum(run.status == 2 for _, run in runs),
    }
    (Path(__file__).parent / "limits.json").write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The drawn checks at twice their usual number of problems: `python -m pytest -m slow tests/monte_carlo`.

`python -m tests.monte_carlo.test_longer [TIMES]` runs them at twenty times (or TIMES) and keeps the result in
benchmarks/monte_carlo.json, at the level 1 - 1e-7: with so many problems some would be missed by chance otherwise.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.monte_carlo import sampled
from tests.properties.declared import PROPERTIES, Property, names_in

HERE = Path(__file__).parent
RESULT = HERE.parents[1] / "benchmarks" / "monte_carlo.json"
TIMES, FULL = 2, 20
for path in sorted(HERE.glob("test_*.py")):
    if path.stem not in ("test_longer", "test_mutants"):
        importlib.import_module(f"tests.monte_carlo.{path.stem}")
DRAWN = sorted(name for name in names_in("tests.monte_carlo") if isinstance(PROPERTIES[name], Property))


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWN)
def test_longer(name: str) -> None:
    found = PROPERTIES[name]
    assert isinstance(found, Property)
    found.check(TIMES)


def main(times: int) -> None:
    """Run every drawn check so many times over; write counts, misses, seconds and the commit."""
    sampled.LEVEL = 1 - 1e-7
    start, misses, problems = time.time(), [], 0
    for name in DRAWN:
        found = PROPERTIES[name]
        assert isinstance(found, Property)
        problems += times * found.examples
        if found.is_falsified(times):
            misses.append(name)
        print(f"{name}: {'MISSED' if name in misses else 'held'}", flush=True)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    body = {
        "checks": len(DRAWN),
        "problems": problems,
        "misses": misses,
        "seconds": round(time.time() - start),
        "commit": commit.stdout.strip(),
    }
    RESULT.write_text(json.dumps(body, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(body))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else FULL)

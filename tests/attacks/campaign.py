"""The campaign of random changes: half to the bytes, half to the document with its digests recomputed.

`python -m tests.attacks.campaign` runs the full size and records the result in benchmarks/attacks.json.
"""

from __future__ import annotations

import json
import random
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from certify.checker.verify import verify
from certify.statements.rules.written import Refused
from tests.attacks.mutations import random_bytes, random_document
from tests.attacks.sound import document, genuine, is_true

FULL, SEED, MOST_SECONDS = 20_000, 20261201, 5
RECORD = Path(__file__).parents[2] / "benchmarks" / "attacks.json"


@dataclass
class Outcome:
    """What came of a campaign: how many changes, what was accepted, and the longest time."""

    changes: int = 0
    refused: int = 0
    unchanged: int = 0
    true: int = 0
    untrue: list[bytes] = field(default_factory=list)
    raised: list[str] = field(default_factory=list)
    slowest: float = 0.0


def run(count: int, seed: int = SEED, *, whole: bool = False) -> Outcome:
    """So many random changes, each to one of a few genuine certificates, or of those of the whole corpus."""
    draw, originals, outcome = random.Random(seed), list(genuine(whole=whole).values()), Outcome()
    for position in range(count):
        original = draw.choice(originals)
        sealed = position % 2 == 1
        changed = random_document(original, originals, draw) if sealed else random_bytes(original, draw)
        outcome.changes += 1
        start = time.process_time()
        try:
            verify(changed)
        except Refused:
            outcome.refused += 1
        except Exception as fault:
            outcome.raised.append(f"{type(fault).__name__}: {fault}"[:200])
        else:
            if changed in originals:
                outcome.unchanged += 1
            elif sealed and is_true(changed):
                outcome.true += 1
            else:
                outcome.untrue.append(changed)
        outcome.slowest = max(outcome.slowest, time.process_time() - start)
    return outcome


def main() -> None:
    """The full campaign, and its record."""
    start = time.monotonic()
    outcome = run(FULL, whole=True)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True)
    record = {
        "changes": outcome.changes,
        "refused": outcome.refused,
        "unchanged": outcome.unchanged,
        "accepted as another true certificate": outcome.true,
        "accepted though untrue": len(outcome.untrue),
        "raised": outcome.raised[:20],
        "slowest, seconds of work": round(outcome.slowest, 2),
        "seconds": round(time.monotonic() - start),
        "seed": SEED,
        "commit": commit.stdout.strip(),
    }
    RECORD.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(record, indent=2))
    for data in outcome.untrue[:3]:
        print(json.dumps(document(data)["claim"], indent=1))


if __name__ == "__main__":
    main()

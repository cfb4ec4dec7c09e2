"""How fast the audit releases and attacks ridge prototypes, as a share of numpy's own rate of normal numbers.

    OPENBLAS_NUM_THREADS=1 python -m benchmarks.audit          (writes audit.json beside this file)

With one thread: otherwise threads of a matrix product that wait for a busy core are measured with it. Both rates are
taken in turns in one process; the shares are those of the medians. "setup" is a whole setup of the audit with its
training; "release and attack" the part that is repeated.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from certify.audit.mechanism import OutputPerturbation
from certify.audit.reconstruction import Attack, one_setup
from certify.audit.supports import Ball
from certify.mechanisms.arrays import Data

RESULT = Path(__file__).with_suffix(".json")
ROUNDS = 7
N, DIMENSION, CLASSES, CANDIDATES, RELEASES = 1797, 64, 10, 10, 1000


def seconds(work: Callable[[], object]) -> float:
    """One run."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def draw(generator: np.random.Generator, count: int) -> None:
    """As many normal numbers as ``count`` releases need, in blocks of the size that the audit uses."""
    for _ in range(count // RELEASES):
        generator.standard_normal((RELEASES, CLASSES * DIMENSION))


def main() -> None:
    """Measure, print and keep the shares."""
    generator = np.random.default_rng(0)
    features = generator.standard_normal((N, DIMENSION))
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    data = Data(0.99 * features, np.arange(N) % CLASSES, CLASSES)
    mechanism = OutputPerturbation("ridge-prototype", 0.01, 0.01, 1e-10)
    attack = Attack(data, None, Ball(0.6, 1.0), CANDIDATES, None, 2, RELEASES)
    fitted = [mechanism.fit(data.replaced(0, x)) for x in features[:CANDIDATES] * 0.99]
    # Two supports and the control of each, and the canary with as many releases as the supports.
    draws = {"release and attack": RELEASES * CANDIDATES, "setup": 6 * RELEASES * CANDIDATES}

    def released() -> None:
        for model in fitted:
            mechanism.scores(mechanism.releases(model, RELEASES, generator), list(fitted), None).argmax(axis=1)

    work: dict[str, Callable[[], object]] = {
        "release and attack": released,
        "setup": lambda: one_setup(attack, mechanism, np.random.SeedSequence(0)),
    }
    shares = {}
    for name, count in draws.items():
        pairs = [(seconds(lambda count=count: draw(generator, count)), seconds(work[name])) for _ in range(ROUNDS)]
        numpy_seconds, own_seconds = (statistics.median(times) for times in zip(*pairs, strict=True))
        shares[name] = round(numpy_seconds / own_seconds, 2)
        print(f"{name}: {shares[name]} of numpy's rate")
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    body = {"numpy": np.__version__, "shares of numpy's rate": shares, "commit": commit.stdout.strip()}
    RESULT.write_text(json.dumps(body, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

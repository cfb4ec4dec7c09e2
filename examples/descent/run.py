"""A finite gradient-descent release: what Theorems 4.1 and C.13 certify, and the excess risk beside its bounds.

    python examples/descent/run.py

A synthetic public population in five dimensions, logistic loss. The claim is claim.toml, asked of each theorem at the
first count N of steps that passes. Releases are of the mechanism itself: w_0 = 0, N steps of size 1/L on the objective
perturbed once.
"""

from __future__ import annotations

import tomllib
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

import certify
from certify.mechanisms.gradient_descent import Objective, perturbed_minimiser, release, smoothness
from certify.verdicts.model import ClaimVerdict, Verdict

CLAIM = tomllib.loads((Path(__file__).parent / "claim.toml").read_text(encoding="utf-8"))
MODEL, SIGMA = CLAIM["model"], CLAIM["release"]["sigma"]
THEOREMS: dict[str, dict[str, Any]] = {
    "4.1": {"theorem": "4.1", "truncation": 6},
    "C.13, fixed": {"theorem": "C.13", "variant": "fixed-radii", "truncation": 6},
    "C.13, sharp": {"theorem": "C.13", "variant": "sharp"},
}
RELEASES, FRESH = 100, 500_000


def sample(records: int, generator: np.random.Generator) -> Objective:
    """The regularised risk on records of norm just below 1; the label leans on the first coordinate."""
    x = generator.standard_normal((records, MODEL["d"]))
    x /= np.linalg.norm(x, axis=1, keepdims=True) * (1 + 1e-12)
    y = np.where(generator.random(records) < 1 / (1 + np.exp(-4 * x[:, 0])), 1.0, -1.0)
    return Objective(x, y, float(MODEL["regularization"]))


def checked(theorem: str, iterations: int) -> list[ClaimVerdict]:
    """The verdicts on the claims, the first by that theorem, at that count."""
    privacy = {"kind": "differential-privacy", "epsilon": 1, "delta": "1e-7", **THEOREMS[theorem]}
    run = {**CLAIM["release"], "iterations": iterations}
    return certify.check({**CLAIM, "release": run, "claim": [privacy, *CLAIM["claim"][1:]]}, repairs=False)


def first_count(theorem: str) -> int:
    """The least N: of 4.1 its threshold (7); of C.13 the proved first count; of its sharp form the first certified."""
    sizes = {"n": MODEL["n"], "d": MODEL["d"], "mu": MODEL["regularization"]}
    given = {**sizes, "loss": "logistic", "sigma": SIGMA, "u": 6}
    if theorem == "4.1":
        return int(certify.evaluate("gd.threshold", **given)["iterations"].upper)
    if theorem == "C.13, fixed":
        return int(certify.evaluate("gd.first-count", epsilon=1, delta="1e-7", **given)["iterations"].upper)
    return next(n for n in count(1) if checked(theorem, n)[0].verdict is Verdict.CERTIFIED)


def main() -> None:
    """Print the table, a row for each theorem."""
    generator = np.random.default_rng(0)
    private, population = sample(MODEL["n"], generator), sample(FRESH, generator)
    best, best_of_all = (F.value(perturbed_minimiser(F, np.zeros(MODEL["d"]))) for F in (private, population))
    step = 1 / (private.mu + private.loss.L2)
    assert step <= 1 / smoothness(private)
    print(f"n = {MODEL['n']}, d = {MODEL['d']}, mu = {private.mu}, sigma = {SIGMA} = 5 G; target (1, 1e-7)")
    print("                                 empirical excess risk                   population excess risk")
    print("theorem      first N   delta     mean  at most (U2)  U5 at 0.05  above it     mean  at most (U3)  verdict")
    for theorem in THEOREMS:
        steps = first_count(theorem)
        verdicts = checked(theorem, steps)
        delta, mean, once, everywhere = (v.bound.text(2)[1] if v.bound else "none" for v in verdicts)
        released = release(private, float(SIGMA), steps, step, generator, RELEASES)
        risks = private.value(released) - best
        wider = np.mean([population.value(w) - best_of_all for w in released[:20]])
        print(
            f"{theorem:11}  {steps:7}  {delta:>6}  {risks.mean():.1e}  {mean:>12}  {once:>10}  "
            f"{(risks > float(once)).sum():>8}  {wider:.1e}  {everywhere:>12}  "
            f"{', '.join(sorted({v.verdict.value for v in verdicts}))}"
        )


if __name__ == "__main__":
    main()

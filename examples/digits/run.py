"""Digits in one minute: local radii against the global one, for ridge prototypes on scikit-learn's digits.

    python examples/digits/run.py [FOLDER]      (needs the extra: pip install 'certify-dp[audit]')

A public half of the images gives the radii, the other half is private. For each radius and epsilon a claim file is
written, its verdict asked for, and its release audited. FOLDER (a new temporary one if left out) gets the claim files
and the figure.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np

import certify
from certify.audit.data import Records, read
from certify.audit.plot import draw, same_label_distances
from certify.audit.records import preprocessed
from certify.audit.run import Settings, audit
from certify.claims import load
from certify.kernel.loop import Limits
from certify.mechanisms.arrays import Data
from certify.mechanisms.heads import accuracy
from certify.mechanisms.output_perturbation import release
from certify.mechanisms.training import train

DELTA, LAMBDA, CANDIDATES = "1e-6", "0.01", 10
EPSILONS = (1, 2, 4, 8)
QUANTILES = {"q50": 0.5, "q80": 0.8, "q95": 0.95}
RELEASES = 200

CLAIM = """schema = "certify/claim/v1"
id = "digits-{name}-epsilon-{epsilon}"

[release]
mechanism = "gaussian-output-perturbation"
sigma = "{sigma}"

[model]
head = "ridge-prototype"
n = {n}
classes = 10
min_class_count = {smallest}
regularization = "{strength}"
feature_bound = 1
public = ["feature_bound", "radius", "n", "class_counts"]

[policy]
adjacency = "replace-one"
metric = "label-preserving-euclidean"
radius = "{radius}"

[[claim]]
kind = "differential-privacy"
epsilon = {epsilon}
delta = "{delta}"

[[claim]]
kind = "reconstruction"
candidates = {candidates}
success = "{success}"
"""


def up(value: Fraction, digits: int = 4) -> str:
    """A short decimal at least as large: what a claim may state of a proved upper end."""
    place = 0
    while value * 10**place < 10 ** (digits - 1):
        place += 1
    return f"{-(-value * 10**place // 1)}e-{place}"


def claim_file(folder: Path, name: str, radius: str, epsilon: int, private: Records) -> Path:
    """The claim at the least noise that is proved to suffice, rounded up to four digits."""
    n, smallest = len(private.labels), min(private.labels.count(label) for label in set(private.labels))
    given = {"radius": radius, "lambda": LAMBDA, "n": n, "min_class_count": smallest}
    sensitivity = certify.evaluate("head.ridge-prototype", **given)["sensitivity"].upper
    least = certify.evaluate("gaussian.sigma", epsilon=epsilon, delta=DELTA, sensitivity=sensitivity)["sigma"].upper
    sigma = up(least)
    gamma = certify.evaluate("rero.gaussian", ratio=sensitivity / Fraction(sigma), baseline=Fraction(1, CANDIDATES))
    path = folder / f"{name}-{epsilon}.toml"
    path.write_text(
        CLAIM.format(
            name=name, epsilon=epsilon, sigma=sigma, n=n, smallest=smallest, strength=LAMBDA, radius=radius,
            delta=DELTA, candidates=CANDIDATES, success=up(gamma["success"].upper),
        ),
        encoding="utf-8",
    )  # fmt: skip
    return path


def halves(records: Records) -> tuple[Records, Records, Data]:
    """The public half, the private half, and the public half as test data."""
    even = np.arange(len(records.labels)) % 2 == 0
    parts = [
        Records(f"digits, {name} half", records.sha256, records.features[rows], tuple(np.array(records.labels)[rows]))
        for name, rows in (("public", even), ("private", ~even))
    ]
    test = Data(parts[0].features, np.array(parts[0].labels, dtype=np.int64), 10)
    return parts[0], parts[1], test


def main(folder: Path) -> None:
    """Print the table, and draw the figure."""
    public, private, test = halves(preprocessed(read("digits"), "unit", Fraction(1)))
    data = Data(private.features, np.array(private.labels, dtype=np.int64), 10)
    distances = same_label_distances(test, np.random.default_rng(0))
    radii = {name: f"{np.quantile(distances, share):.3f}" for name, share in QUANTILES.items()}
    parameters = train("ridge-prototype", data, float(LAMBDA)).parameters
    print(f"{data.n} private records, accuracy without noise {accuracy('ridge-prototype', parameters, test):.3f}")
    print("radius        epsilon  sigma     accuracy  certified  attack, with its limits   verdicts")
    for name, radius in {**radii, "2B": "2"}.items():
        for epsilon in EPSILONS:
            path = claim_file(folder, name, radius, epsilon, private)
            verdicts = {found.verdict.value for found in certify.check(path, repairs=False)}
            claims = load(path)
            sigma = claims.release.sigma
            noisy = release(parameters, float(sigma), np.random.default_rng(epsilon), RELEASES)
            mean = accuracy("ridge-prototype", noisy, test).mean()
            found = audit(claims, private, Settings(setups=5, pairs=2000), Limits(), public)
            attack = found.claims[1].measurements[0]
            bound = attack.bound.text(3)[1] if attack.bound else "-"
            print(
                f"{name:4} {radius:>6}  {epsilon:7}  {float(sigma):.6f}  {mean:8.3f}  {bound:>9}  "
                f"{attack.estimate:.3f}: {attack.low:.3f} to {attack.high:.3f}   {', '.join(sorted(verdicts))}"
                + ("   AUDIT FAILED" if found.status else "")
            )
    draw(folder / "digits.png", replace(claims, id="digits"), private, Settings(setups=5), public, public)
    print(f"in the folder: {len(list(folder.glob('*.toml')))} claim files and digits.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp(prefix="certify-digits-")))

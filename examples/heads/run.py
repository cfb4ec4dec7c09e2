"""Heads compared: how much noise the paper's constants and the sharp ones need, and what accuracy it leaves.

    python examples/heads/run.py      (needs the extra: pip install 'certify-dp[audit]')

Breast cancer of scikit-learn: features scaled to unit variance and then to norm at most 1, as a public step; lambda =
0.01, radius 0.5. For each head and set of constants the least noise that is proved to suffice is taken, the claim is
checked, and the accuracy is the mean over releases.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from sklearn.datasets import load_breast_cancer

import certify
from certify.mechanisms.arrays import Data
from certify.mechanisms.heads import accuracy
from certify.mechanisms.neighbours import clipped
from certify.mechanisms.output_perturbation import release
from certify.mechanisms.training import train
from certify.statements.rules.claim import Head

EPSILON, DELTA, LAMBDA, RADIUS = 4, "1e-5", "0.01", "0.5"
TOLERANCE = "1e-9"
"""Of the gradient norm, as claimed. Training goes ten times further: that leaves room for the rounding of gradients."""
HEADS: tuple[Head, ...] = ("binary-logistic", "softmax", "squared-hinge")
RELEASES = 400


def data() -> tuple[Data, Data]:
    """Two thirds to train, one third to test; labels 0 and 1."""
    bunch = load_breast_cancer()
    scaled = (bunch.data - bunch.data.mean(axis=0)) / bunch.data.std(axis=0) / 10
    features = clipped(scaled, 1 - 1e-12)
    test = np.arange(len(features)) % 3 == 0
    return Data(features[~test], bunch.target[~test], 2), Data(features[test], bunch.target[test], 2)


def signed(head: Head, given: Data) -> Data:
    """The labels that a head has: -1 and +1 for the binary ones."""
    return given if head == "softmax" else Data(given.features, 2 * given.labels - 1, 2)


def least_sigma(head: Head, constant: str, n: int) -> Fraction:
    """The proved upper end of the calibration, rounded up to four significant digits."""
    classes = {"classes": 2} if head == "softmax" else {}
    given = {"feature_bound": 1, "lambda": LAMBDA, "constant": constant, "ball_radius": RADIUS, **classes}
    difference = certify.evaluate(f"head.{head}", **given)["difference"].upper
    solved = {"n": n, "lambda": LAMBDA, "gradient_tolerance": TOLERANCE}
    sensitivity = certify.evaluate("ball.sensitivity", difference=difference, **solved)
    asked = {"epsilon": EPSILON, "delta": DELTA, "sensitivity": sensitivity["sensitivity"].upper}
    sigma = certify.evaluate("gaussian.sigma", **asked)["sigma"].upper
    place = Fraction(10) ** 4
    while sigma * place >= 10_000:
        place /= 10
    return -(-sigma * place // 1) / place


def verdict(head: Head, constant: str, n: int, sigma: Fraction) -> str:
    """What `certify check` says of the claim at this noise."""
    classes = {"classes": 2} if head == "softmax" else {}
    (found,) = certify.check(
        {
            "schema": "certify/claim/v1",
            "id": f"{head}-{constant}",
            "release": {"mechanism": "gaussian-output-perturbation", "sigma": sigma},
            "model": {
                "head": head, "n": n, "regularization": LAMBDA, "feature_bound": 1, "constant": constant,
                "gradient_tolerance": TOLERANCE, "public": ["feature_bound", "radius", "n"], **classes,
            },
            "policy": {"adjacency": "replace-one", "metric": "label-preserving-euclidean", "radius": RADIUS},
            "claim": [{"kind": "differential-privacy", "epsilon": EPSILON, "delta": DELTA}],
        },
        repairs=False,
    )  # fmt: skip
    return found.verdict.value


def main() -> None:
    """Print the table."""
    train_data, test_data = data()
    verdicts: set[str] = set()
    print(f"n = {train_data.n}, epsilon = {EPSILON}, delta = {DELTA}, lambda = {LAMBDA}, radius {RADIUS}")
    print("head             no noise   paper: sigma  accuracy   sharp: sigma  accuracy   times less noise")
    for head in HEADS:
        parameters = train(head, signed(head, train_data), float(LAMBDA), tolerance=1e-10).parameters
        held_out = signed(head, test_data)
        cells, sigmas = [f"{head:16} {float(accuracy(head, parameters, held_out)):8.3f}"], []
        for constant in ("paper", "sharp"):
            sigma = least_sigma(head, constant, train_data.n)
            verdicts.add(verdict(head, constant, train_data.n, sigma))
            noisy = release(parameters, float(sigma), np.random.default_rng(1), RELEASES)
            cells.append(f"{float(sigma):12.4g}  {accuracy(head, noisy, held_out).mean():8.3f}")
            sigmas.append(sigma)
        print("   ".join([*cells, f"{float(sigmas[0] / sigmas[1]):8.2f}"]))
    print(f"verdicts of `certify check` at these sigmas: {', '.join(sorted(verdicts))}")


if __name__ == "__main__":
    main()

"""A finite gradient-descent release: what Theorems 4.1 and C.13 certify, and the excess risk beside its bounds.

    python examples/descent/run.py

A synthetic public population of two classes on the sphere in five dimensions, n = 20,000 records, logistic loss, mu =
0.05, zeta = 1, sigma = 5 G. Releases are of the mechanism itself: w_0 = 0, N steps of size 1/L on the objective
perturbed once.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

import certify
from certify.mechanisms.gradient_descent import Objective, perturbed_minimiser, release

N_RECORDS, DIMENSION, MU, RATIO, EPSILON, DELTA = 20_000, 5, "0.05", 5, 1, "1e-7"
COMMON = {"n": N_RECORDS, "d": DIMENSION, "mu": MU, "loss": "logistic", "sigma_over_G": RATIO}
RELEASES, BETA, SAMPLE_FAILURE = 100, "0.05", "0.05"


def sample(generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Records of norm just below 1; the label leans on the first coordinate."""
    x = generator.standard_normal((N_RECORDS, DIMENSION))
    x /= np.linalg.norm(x, axis=1, keepdims=True) * (1 + 1e-12)
    return x, np.where(generator.random(N_RECORDS) < 1 / (1 + np.exp(-4 * x[:, 0])), 1.0, -1.0)


def counts() -> dict[str, int]:
    """The least N of each theorem for the target."""
    target = {**COMMON, "epsilon": EPSILON, "delta": DELTA}
    sharp = next(n for n in range(1, 10_000) if sharp_delta(n) is not None)
    return {
        "Theorem 4.1 (7)": int(certify.evaluate("gd.threshold", u=6, **COMMON)["iterations"].upper),
        "Theorem C.13, fixed radii": int(certify.evaluate("gd.first-count", u=6, **target)["iterations"].upper),
        "Theorem C.13, sharp": sharp,
    }


def sharp_delta(iterations: int) -> Fraction | None:
    """The sharp delta at that count where it meets the target, else None."""
    found = certify.evaluate("gd.theorem-c13", u=6, variant="sharp", iterations=iterations, epsilon=EPSILON, **COMMON)
    met = found.hold and found["delta"].upper <= Fraction(DELTA)
    return found["delta"].upper if met else None


def certified_delta(theorem: str, iterations: int) -> Fraction:
    """What each theorem certifies at its count."""
    name, _, variant = theorem.partition(", ")
    statement = "gd.theorem-4.1" if name.startswith("Theorem 4.1") else "gd.theorem-c13"
    more = {"variant": "sharp"} if variant == "sharp" else {}
    found = certify.evaluate(statement, u=6, iterations=iterations, epsilon=EPSILON, **COMMON, **more)
    assert found.hold
    return found["delta"].upper


def main() -> None:
    """Print the two tables."""
    generator = np.random.default_rng(0)
    x, y = sample(generator)
    objective = Objective(x, y, float(MU))
    constants = certify.evaluate("gd.constants", loss="logistic", n=N_RECORDS, mu=MU)
    sigma, step = RATIO * float(constants["G"].upper), float(constants["step_size"].lower)
    best = objective.value(perturbed_minimiser(objective, np.zeros(DIMENSION)))
    print(f"n = {N_RECORDS}, d = {DIMENSION}, mu = {MU}, sigma = 5 G = {sigma:g}; target ({EPSILON}, {DELTA})")
    print("theorem                     first N   delta there   mean excess risk   at most (U2)   U5 at 0.05   above it")
    for theorem, count in counts().items():
        released = release(objective, sigma, count, step, generator, RELEASES)
        risks = objective.value(released) - best
        mean = certify.evaluate("utility.empirical", iterations=count, **COMMON)["bound"].upper
        once = certify.evaluate("utility.single-release", iterations=count, beta=BETA, **COMMON)["empirical"].upper
        print(
            f"{theorem:26}  {count:7}   {float(certified_delta(theorem, count)):.3e}    {risks.mean():16.1e}   "
            f"{float(mean):12.1e}   {float(once):10.1e}   {(risks > float(once)).sum()} of {RELEASES}"
        )
    bound = certify.evaluate("utility.population", iterations=count, delta_S=SAMPLE_FAILURE, **COMMON)
    print(
        f"population (U3), with probability 0.95 over the sample: at most {float(bound['bound'].upper):.3g}, of which "
        f"{float(bound['sample'].upper):.3g} is the price of the sample and {2 * float(mean):.1e} that of privacy"
    )


if __name__ == "__main__":
    main()

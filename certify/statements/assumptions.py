"""What a verdict takes on trust, in words: standing assumptions, and those that a claim declares.

Standing assumptions are never declared and always listed. A declared one is asserted by the claim file; where a
theorem needs it and the file lacks it, the claim is not certified.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Assumption:
    """One assumption: its name, its text, and whether it stands by itself or is declared by the claim."""

    name: str
    text: str
    kind: Literal["standing", "declared"]


STANDING = (
    Assumption(
        "ideal-gaussian-sampling", "the noise is drawn from the exact normal law, not from a float sampler", "standing"
    ),
    Assumption("real-arithmetic", "training and release are carried out in real arithmetic", "standing"),
    Assumption("one-release", "the private data are used for this one release only", "standing"),
    Assumption(
        "untuned-hyper-parameters",
        "no hyper-parameter (regularization, radius, noise, steps) was tuned on the private data",
        "standing",
    ),
)

REPLACE_ONE = Assumption("replace-one", "adjacent data sets differ by replacing one record; n is the same", "declared")
SAME_LABEL_BALL = Assumption(
    "label-preserving-euclidean",
    "the two records have the same label and feature vectors at distance at most the radius",
    "declared",
)
ANY_RECORD = Assumption("any-record", "the two records may be any two, labels included", "declared")
FEATURE_BOUND = Assumption("feature-bound", "every feature vector has norm at most feature_bound", "declared")
PUBLIC = Assumption("public-metadata", "the fields listed as public do not depend on the private data", "declared")
CLASS_COUNTS = Assumption(
    "class-counts", "the class counts are public and the smallest nonzero one is min_class_count", "declared"
)
EXACT_MINIMISER = Assumption(
    "exact-minimiser",
    "the released parameter is the exact minimiser plus noise (no gradient_tolerance is declared)",
    "declared",
)
GRADIENT_TOLERANCE = Assumption(
    "gradient-tolerance",
    "gradient_tolerance is fixed in advance and public, the solver surely returns a point with gradient norm at most "
    "that, evaluation error included, and the noise is independent of it",
    "declared",
)
REGULARISED_INTERCEPT = Assumption(
    "regularised-intercept", "the intercept, if there is one, is part of the regularised parameter", "declared"
)
NO_INTERCEPT = Assumption("no-intercept", "the head has no intercept", "declared")
LOSS_CONSTANTS = Assumption(
    "loss-constants",
    "the loss has |l'| <= L1, 0 <= l'' <= L2 and an L3-Lipschitz second derivative, as stated",
    "declared",
)
GENERALIZED_LINEAR = Assumption(
    "generalized-linear-model",
    "the loss depends on the parameter through the inner product with the features only",
    "declared",
)
FIXED_START = Assumption("zero-start", "gradient descent starts at 0, with one noise vector drawn once", "declared")
INDEPENDENT_SAMPLE = Assumption(
    "independent-sample", "the records are independent draws from one distribution of bounded features", "declared"
)
KNOWN_REST = Assumption(
    "informed-attacker",
    "the attacker knows all other records and the prior, and where the claim has a radius the hidden record lies "
    "in a ball of it around a public centre, with the centre's label",
    "declared",
)
PRIOR = Assumption(
    "prior",
    "the hidden record is drawn from the stated prior, uniformly where only a number of candidates is stated; with a "
    "stated baseline, no guess made without the release succeeds more often",
    "declared",
)

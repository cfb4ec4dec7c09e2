"""What a claim file says, typed and exact: every number is a Fraction, every count an int.

None means "not declared". A missing *number* that the mechanism needs never gets this far (the file is refused); a
missing *declaration* (adjacency, metric, public, gradient_tolerance, intercept) does, and whoever decides the claim
must say so. Units: sigma is a standard deviation; regularization is the lambda of mean loss + (lambda/2)|theta|^2;
norms are Euclidean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import ClassVar, Literal

Mechanism = Literal["gaussian-output-perturbation", "objective-perturbation-gd"]
Head = Literal["ridge-prototype", "binary-logistic", "softmax", "squared-hinge"]
Metric = Literal["label-preserving-euclidean", "any-record"]
Intercept = Literal["regularized", "none", "unregularized"]

OUTPUT_PERTURBATION: Mechanism = "gaussian-output-perturbation"
DESCENT: Mechanism = "objective-perturbation-gd"


@dataclass(frozen=True, slots=True)
class Release:
    """What is published: the mechanism, its noise level, and for gradient descent how many steps."""

    mechanism: Mechanism
    sigma: Fraction
    iterations: int | None = None


@dataclass(frozen=True, slots=True)
class Model:
    """The trained model. Fields that do not belong to the mechanism or the head are None."""

    n: int
    regularization: Fraction
    feature_bound: Fraction
    head: Head | None = None
    loss: Literal["logistic"] | None = None
    L1: Fraction | None = None
    L2: Fraction | None = None
    L3: Fraction | None = None
    L: Fraction | None = None
    M: Fraction | None = None
    d: int | None = None
    classes: int | None = None
    min_class_count: int | None = None
    step_size: Fraction | None = None
    """None is the step 1/L."""
    constant: Literal["sharp", "paper"] = "sharp"
    gradient_tolerance: Fraction | None = None
    """None: the released parameter is assumed to be the exact minimiser."""
    intercept: Intercept | None = None
    public: tuple[str, ...] = ()
    """The fields declared public, without repetition, in the order of the file."""


@dataclass(frozen=True, slots=True)
class Policy:
    """The relation that the claims protect; None where the file does not name it."""

    adjacency: Literal["replace-one"] | None = None
    metric: Metric | None = None
    radius: Fraction | None = None


@dataclass(frozen=True, slots=True)
class DifferentialPrivacy:
    """(epsilon, delta) under the policy; ``radius`` is the claim's own, else the policy's."""

    kind: ClassVar[str] = "differential-privacy"
    index: int
    epsilon: Fraction
    delta: Fraction
    radius: Fraction | None = None
    theorem: Literal["4.1", "C.13"] | None = None
    variant: Literal["fixed-radii", "sharp"] | None = None
    truncation: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Reconstruction:
    """No attacker names the hidden record with probability above ``success``; one description of the prior is set."""

    kind: ClassVar[str] = "reconstruction"
    index: int
    success: Fraction
    candidates: int | None = None
    baseline: Fraction | None = None
    prior: tuple[Fraction, ...] | None = None
    radius: Fraction | None = None

    @property
    def kappa(self) -> Fraction:
        """The best success without the release: 1/candidates, the stated baseline, or the prior's largest weight."""
        if self.candidates is not None:
            return Fraction(1, self.candidates)
        return self.baseline if self.baseline is not None else max(self.prior or (Fraction(0),))


@dataclass(frozen=True, slots=True)
class EmpiricalExcessRisk:
    """E[F(w_N) - F(w*_S)] <= bound (U2)."""

    kind: ClassVar[str] = "empirical-excess-risk"
    index: int
    bound: Fraction


@dataclass(frozen=True, slots=True)
class PopulationExcessRisk:
    """The regularised population excess risk is <= bound with probability >= 1 - sample_failure (U3)."""

    kind: ClassVar[str] = "population-excess-risk"
    index: int
    bound: Fraction
    sample_failure: Fraction


@dataclass(frozen=True, slots=True)
class UnregularizedExcessRisk:
    """The unregularised population excess risk against a comparator of norm <= comparator_norm is <= bound (U4)."""

    kind: ClassVar[str] = "unregularized-excess-risk"
    index: int
    bound: Fraction
    sample_failure: Fraction
    comparator_norm: Fraction


@dataclass(frozen=True, slots=True)
class SingleReleaseExcessRisk:
    """One release has excess risk <= bound but for release_failure (U5); empirical risk only without sample_failure."""

    kind: ClassVar[str] = "single-release-excess-risk"
    index: int
    bound: Fraction
    release_failure: Fraction
    sample_failure: Fraction | None = None


ExcessRisk = EmpiricalExcessRisk | PopulationExcessRisk | UnregularizedExcessRisk | SingleReleaseExcessRisk
Claim = DifferentialPrivacy | Reconstruction | ExcessRisk

KINDS: Mapping[str, type[Claim]] = MappingProxyType(
    {
        variant.kind: variant
        for variant in (
            DifferentialPrivacy,
            Reconstruction,
            PopulationExcessRisk,
            UnregularizedExcessRisk,
            EmpiricalExcessRisk,
            SingleReleaseExcessRisk,
        )
    }
)


@dataclass(frozen=True, slots=True)
class ClaimFile:
    """One claim file. ``sha256`` is of the raw bytes; ``lines`` maps "model.n" or "claim[2].epsilon" to its line."""

    source: str
    sha256: str
    id: str
    release: Release
    model: Model
    policy: Policy
    claims: tuple[Claim, ...]
    lines: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)

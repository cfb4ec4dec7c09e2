"""The one table of the fields of a claim file: it drives the parser, the messages and the JSON Schema.

``only`` says where a field belongs: it must meet every group, that is, share a tag with it. ``needed`` says where the
field may not be missing. Tags are the mechanism, the head and the kind of the claim, and ALWAYS.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

from certify.statements.rules.claim import DESCENT, KINDS, OUTPUT_PERTURBATION

ALWAYS = "always"
SCHEMA_NAME = "certify/claim/v1"
MAX_COUNT = 10**18
MAX_CLAIMS = 100
MAX_WEIGHTS = 10_000

MECHANISMS: tuple[str, ...] = (OUTPUT_PERTURBATION, DESCENT)
HEADS = ("ridge-prototype", "binary-logistic", "softmax", "squared-hinge")
AXES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"release.mechanism": MECHANISMS, "model.head": HEADS, "kind": tuple(KINDS)}
)

_OUTPUT = ((OUTPUT_PERTURBATION,),)
_DESCENT = ((DESCENT,),)
_DP = ("differential-privacy",)
_RECONSTRUCTION = ("reconstruction",)
_POPULATION = ("population-excess-risk", "unregularized-excess-risk")
_SINGLE = ("single-release-excess-risk",)
_RISK = (*_POPULATION, "empirical-excess-risk", *_SINGLE)


@dataclass(frozen=True, slots=True)
class Field:
    """One field: its shape, its range (``above`` and ``below`` are strict), where it belongs and where it is needed."""

    name: str
    shape: Literal["number", "count", "text", "choice", "names", "weights"]
    note: str
    choices: tuple[str, ...] = ()
    above: int | None = None
    least: int | None = None
    most: int | None = None
    below: int | None = None
    unset: str | None = None
    """The word that stands for "not set" beside the numbers."""
    default: str | tuple[str, ...] | None = None
    only: tuple[tuple[str, ...], ...] = ()
    needed: tuple[str, ...] = ()

    def belongs(self, tags: frozenset[str]) -> bool:
        """Whether the field has a meaning under these tags."""
        return all(tags.intersection(group) for group in self.only)

    def is_needed(self, tags: frozenset[str]) -> bool:
        """Whether the field may not be missing under these tags."""
        return not tags.isdisjoint(self.needed) and self.belongs(tags)

    def in_range(self, value: Fraction) -> bool:
        """Whether a number lies in the range."""
        return (
            (self.above is None or value > self.above)
            and (self.least is None or value >= self.least)
            and (self.most is None or value <= self.most)
            and (self.below is None or value < self.below)
        )

    def accepted(self) -> str:
        """What may be written, in words."""
        if self.shape == "choice":
            return " or ".join(f'"{choice}"' for choice in self.choices)
        if self.shape in ("text", "names", "weights"):
            return {"text": "a text", "names": "a list of field names", "weights": "a list of weights"}[self.shape]
        signs = ((">", self.above), (">=", self.least), ("<=", self.most), ("<", self.below))
        bounds = " and ".join(f"{sign} {bound}" for sign, bound in signs if bound is not None)
        kind = "a whole number" if self.shape == "count" else "a number"
        return f"{kind} {bounds}".rstrip() + (f' or "{self.unset}"' if self.unset else "")


_RELEASE = (
    Field("mechanism", "choice", "what is published", choices=MECHANISMS, needed=(ALWAYS,)),
    Field("sigma", "number", "standard deviation of the noise on each coordinate", above=0, needed=(ALWAYS,)),
    Field("iterations", "count", "gradient steps N", least=1, only=_DESCENT, needed=(DESCENT,)),
)

_MODEL = (
    Field("head", "choice", "the trained head", choices=HEADS, only=_OUTPUT, needed=(OUTPUT_PERTURBATION,)),
    Field("loss", "choice", "the loss, in place of L1, L2, L3", choices=("logistic",), only=_DESCENT),
    Field("L1", "number", "bound on the loss's first derivative", above=0, only=_DESCENT),
    Field("L2", "number", "bound on the loss's second derivative", least=0, only=_DESCENT),
    Field("L3", "number", "bound on the loss's third derivative", least=0, only=_DESCENT),
    Field("L", "number", "smoothness; left out: regularization + L2 feature_bound^2", above=0, only=_DESCENT),
    Field("M", "number", "Hessian Lipschitz constant; left out: L3 feature_bound^3", least=0, only=_DESCENT),
    Field("n", "count", "number of records", least=1, needed=(ALWAYS,)),
    Field("d", "count", "number of parameters", least=1, needed=(DESCENT,)),
    Field(
        "classes",
        "count",
        "number of classes",
        least=1,
        only=(*_OUTPUT, ("ridge-prototype", "softmax")),
        needed=("softmax",),
    ),
    Field(
        "min_class_count",
        "count",
        "size of the smallest class that is not empty",
        least=1,
        only=(*_OUTPUT, ("ridge-prototype",)),
    ),
    Field("regularization", "number", "lambda of mean loss + (lambda/2)|theta|^2", above=0, needed=(ALWAYS,)),
    Field("feature_bound", "number", "bound on the norm of every record's features", above=0, needed=(ALWAYS,)),
    Field("step_size", "number", "gradient step", above=0, unset="1/L", only=_DESCENT),
    Field("constant", "choice", "which constants", choices=("sharp", "paper"), default="sharp", only=_OUTPUT),
    Field("gradient_tolerance", "number", "bound on the gradient norm at the release", least=0, only=_OUTPUT),
    Field("intercept", "choice", "how the intercept is treated", choices=("regularized", "none", "unregularized")),
    Field("public", "names", "the fields whose values are public", default=()),
)

_POLICY = (
    Field("adjacency", "choice", "which data sets are neighbours", choices=("replace-one",)),
    Field(
        "metric",
        "choice",
        "which replacements are protected",
        choices=("label-preserving-euclidean", "any-record"),
    ),
    Field("radius", "number", "largest distance between the two records", least=0, only=_OUTPUT),
)

_CLAIM = (
    Field("kind", "choice", "what is claimed", choices=tuple(KINDS), needed=(ALWAYS,)),
    Field("epsilon", "number", "privacy loss, natural logarithm", least=0, only=(_DP,), needed=_DP),
    Field("delta", "number", "a probability", least=0, most=1, only=(_DP,), needed=_DP),
    Field("radius", "number", "overrides policy.radius", least=0, only=(_DP + _RECONSTRUCTION, *_OUTPUT)),
    Field("theorem", "choice", "left out: the best", choices=("4.1", "C.13"), only=(_DP, *_DESCENT)),
    Field("variant", "choice", "of Theorem C.13", choices=("fixed-radii", "sharp"), only=(_DP, *_DESCENT)),
    Field("truncation", "number", "the u of r_u = sigma (sqrt(d*) + u)", least=0, only=(_DP, *_DESCENT)),
    Field("candidates", "count", "size of a uniform prior", least=1, only=(_RECONSTRUCTION,)),
    Field("baseline", "number", "best success without the release", least=0, most=1, only=(_RECONSTRUCTION,)),
    Field("prior", "weights", "weights >= 0 that sum to exactly 1", only=(_RECONSTRUCTION,)),
    Field("success", "number", "a probability", least=0, most=1, only=(_RECONSTRUCTION,), needed=_RECONSTRUCTION),
    Field("bound", "number", "on the excess risk", least=0, only=(_RISK,), needed=_RISK),
    Field(
        "sample_failure",
        "number",
        "a probability",
        above=0,
        below=1,
        only=(_POPULATION + _SINGLE,),
        needed=_POPULATION,
    ),
    Field(
        "comparator_norm",
        "number",
        "norm of the comparator",
        above=0,
        only=(("unregularized-excess-risk",),),
        needed=("unregularized-excess-risk",),
    ),
    Field("release_failure", "number", "a probability", above=0, below=1, only=(_SINGLE,), needed=_SINGLE),
)

TOP = (
    Field("schema", "choice", "version of this format", choices=(SCHEMA_NAME,)),
    Field("id", "text", "a name for the reports", default=""),
)

TABLES: Mapping[str, tuple[Field, ...]] = MappingProxyType(
    {"release": _RELEASE, "model": _MODEL, "policy": _POLICY, "claim": _CLAIM}
)
NEEDED_TABLES = ("release", "model", "claim")

PUBLIC_NAMES: tuple[str, ...] = (
    *(field.name for field in _RELEASE + _MODEL if field.name != "public"),
    "class_counts",
    "radius",
)

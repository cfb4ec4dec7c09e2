"""What the claim file declares, what the theorem needs declared, and what is taken on trust."""

from __future__ import annotations

from collections.abc import Iterator

from certify.statements import assumptions
from certify.statements.assumptions import Assumption
from certify.statements.rules.claim import ClaimFile
from certify.statements.rules.rule import Missing


def adjacency(claims: ClaimFile) -> Iterator[Missing]:
    """The relation must be named: nothing is assumed about it."""
    if claims.policy.adjacency is None:
        yield Missing(
            "the theorem is about data sets that differ by replacing one record, and the claim names no adjacency",
            'adjacency = "replace-one"   # under [policy]',
        )


def public(claims: ClaimFile, needed: tuple[str, ...], unused: tuple[str, ...] = ()) -> Iterator[Missing]:
    """The parameters that the theorem treats as public must be declared public; the line names the ``unused`` too."""
    lacking = [name for name in needed if name not in claims.model.public]
    if lacking:
        names = ", ".join(f'"{name}"' for name in dict.fromkeys((*claims.model.public, *lacking, *unused)))
        yield Missing(
            f"the theorem treats {' and '.join(lacking)} as public, and the claim does not declare "
            f"{'it' if len(lacking) == 1 else 'them'} public; a number estimated from the private records breaks "
            "the proof",
            f"public = [{names}]   # under [model]",
        )


def intercept(claims: ClaimFile) -> Iterator[Missing]:
    """H2 and H3 regularise the intercept; every other objective here has none."""
    model = claims.model
    if model.head in ("binary-logistic", "softmax"):
        if model.intercept == "unregularized":
            yield Missing(
                "the theorem needs the intercept to be regularised: with an unregularised one, one flipped label can "
                "move it from log 999 to infinity, so no sensitivity bound holds (scikit-learn's LogisticRegression "
                "does not regularise it)",
                'intercept = "regularized"   # under [model], after training that way',
            )
    elif model.head == "ridge-prototype" and model.intercept in ("regularized", "unregularized"):
        yield Missing(
            "ridge prototypes have no intercept, and the claim declares one: it is another model, on which H4 says "
            "nothing",
            'intercept = "none"   # under [model]',
        )
    elif model.intercept in ("regularized", "unregularized"):
        named = "the squared-hinge constants (H1) are" if model.head else "the theorems on gradient descent are"
        yield Missing(
            f"{named} for a model without intercept; append a constant 1 to the features, so that it is regularised "
            "like every other weight, raise feature_bound to sqrt(B^2 + 1), and declare no intercept",
            'intercept = "none"   # under [model], after that change',
        )


def model_assumptions(claims: ClaimFile) -> Iterator[Assumption]:
    """What the model section asserts."""
    model = claims.model
    yield assumptions.REPLACE_ONE
    yield assumptions.FEATURE_BOUND
    if model.public:
        yield assumptions.PUBLIC
    if model.head is None:
        yield assumptions.GENERALIZED_LINEAR
        yield assumptions.FIXED_START
        if model.loss is None:
            yield assumptions.LOSS_CONSTANTS
        return
    yield assumptions.EXACT_MINIMISER if model.gradient_tolerance is None else assumptions.GRADIENT_TOLERANCE
    if model.head in ("binary-logistic", "softmax"):
        yield assumptions.NO_INTERCEPT if model.intercept == "none" else assumptions.REGULARISED_INTERCEPT
    if model.head == "squared-hinge":
        yield assumptions.NO_INTERCEPT
    if model.head == "ridge-prototype" and counts_are_public(claims):
        yield assumptions.CLASS_COUNTS


def counts_are_public(claims: ClaimFile) -> bool:
    """Whether min_class_count is stated and covered by public class counts."""
    return claims.model.min_class_count is not None and "class_counts" in claims.model.public

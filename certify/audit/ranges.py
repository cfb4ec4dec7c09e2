"""What an audit can run in double precision and in memory; everything else is refused before anything is trained."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from certify.errors import UnusableInput
from certify.mechanisms.arrays import Array
from certify.statements.rules.claim import ClaimFile, DifferentialPrivacy

_LEAST, _MOST = Fraction(1, 10**60), Fraction(10**60)
"""Squares and products of a few such numbers stay within double precision."""
_PARAMETERS = 10_000_000
_CLASSES = 10_000
_WORK = 20_000_000_000_000
_ROUNDING = 1e-12
MOST_CANDIDATES = 1000


def check_ranges(claims: ClaimFile, n: int, dimension: int, releases: int) -> None:
    """Raises UnusableInput for a number of the claim file that the releases cannot be computed with.

    ``releases`` are those of either data set that gradient descent has to run.
    """
    model = claims.model
    numbers: dict[str, Fraction | None] = {
        "release.sigma": claims.release.sigma,
        "model.regularization": model.regularization,
        "model.feature_bound": model.feature_bound,
        "model.step_size": model.step_size,
        "model.L": model.L,
        "policy.radius": claims.policy.radius or None,
    }
    for field, value in numbers.items():
        if value is not None and not _LEAST <= value <= _MOST:
            raise UnusableInput("an audit computes in doubles: 1e-60 to 1e60", field=field, file=claims.source)
    for claim in claims.claims:
        if isinstance(claim, DifferentialPrivacy) and claim.epsilon > _MOST:
            field = f"claim[{claim.index}].epsilon"
            raise UnusableInput("an audit computes in doubles: at most 1e60", field=field, file=claims.source)
    if (claims.release.iterations or 0) * n * dimension * releases > _WORK:
        many = f"{claims.release.iterations} steps on {n} records for {releases} releases take too long: fewer --pairs"
        raise UnusableInput(many, field="release.iterations", file=claims.source)
    if (model.classes or 1) > _CLASSES:
        raise UnusableInput(f"more than the {_CLASSES} that are trained", field="model.classes", file=claims.source)
    if (model.classes or 1) * (dimension + 1) > _PARAMETERS:
        many = f"{model.classes} classes of {dimension} features are more than {_PARAMETERS} parameters"
        raise UnusableInput(many, field="model.classes", file=claims.source)


def check_noise(sigma: float, parameters: Array, source: str) -> None:
    """Raises UnusableInput where the noise is lost in the rounding of the parameters."""
    size = float(np.linalg.norm(parameters))
    if sigma < _ROUNDING * size:
        message = f"noise of {sigma:g} is lost in the rounding of parameters of norm {size:g}"
        raise UnusableInput(message, field="release.sigma", file=source)


@contextlib.contextmanager
def double_precision() -> Iterator[None]:
    """Inside, numpy's overflows and invalid operations are UnusableInput, not a warning and a wrong number."""
    try:
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            yield
    except (FloatingPointError, OverflowError, np.linalg.LinAlgError) as error:
        raise UnusableInput(f"the releases of this claim leave the range of double precision ({error})") from None

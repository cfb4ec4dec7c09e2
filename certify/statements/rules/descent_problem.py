"""The gradient-descent problem that a claim file states, in any arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from certify.statements.descent.constants import Descent, logistic_constants, objective, released
from certify.statements.descent.sharp_trajectory import Loss, any_loss, logistic_loss
from certify.statements.language import Reals, X
from certify.statements.rules.claim import ClaimFile
from certify.statements.rules.rule import Memory


def problem_of(R: Reals[X], claims: ClaimFile, u: Fraction | None = None) -> Descent[X]:
    """The constants and the release that a claim file states, with truncation parameter u."""
    model = claims.model

    def chosen(value: Fraction | None) -> X | None:
        return None if value is None else R(value)

    if model.loss == "logistic":
        losses = logistic_constants(R)
    else:
        losses = (R(model.L1 or 0), R(model.L2 or 0), R(model.L3 or 0))
    constants = objective(
        R,
        model.n,
        R(model.regularization),
        R(model.feature_bound),
        losses,
        L=chosen(model.L),
        M=chosen(model.M),
        eta=chosen(model.step_size),
    )
    return released(constants, model.d or 1, R(claims.release.sigma), chosen(u))


def loss_of(R: Reals[X], claims: ClaimFile, p: Descent[X], memory: Memory) -> Loss[X]:
    """What the sharp variant may use of the loss: nothing beyond L1, L2, L3 where it is not named."""
    return memory(("logistic loss",), R, logistic_loss) if claims.model.loss == "logistic" else any_loss(p)


def steps(claims: ClaimFile) -> int:
    """The released count of steps."""
    return claims.release.iterations or 1


def constants(p: Descent[X]) -> Iterator[tuple[str, X]]:
    """The named constants of the problem."""
    yield "smoothness L", p.L
    yield "Hessian Lipschitz constant M", p.M
    yield "gradient gap G", p.G
    yield "Hessian scale Delta_H", p.delta_H
    yield "contraction factor rho", p.rho
    yield "ratio G/sigma", p.G / p.sigma

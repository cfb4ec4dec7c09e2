"""Remark C.16 (D5): what is left of the budget as N grows.

Statement: as N tends to infinity, s_N and epsilon0 tend to epsilon_inf = G^2/(2 sigma^2) + log(1 + Delta_H/(2 n mu)),
and for every epsilon > epsilon_inf the certificate tends to that of the exact minimizer, as u may grow with N.
Hypotheses: those of ``constants.hypotheses``, sigma > 0.
Source: GD paper, Remark C.16.
"""

from __future__ import annotations

from certify.statements.descent.constants import Objective
from certify.statements.descent.theorem_41 import determinant_floor
from certify.statements.language import Reals, X


def epsilon_limit(R: Reals[X], p: Objective[X], sigma: X) -> X:
    """epsilon_inf = G^2/(2 sigma^2) + log(1 + Delta_H/(2 n mu))."""
    return (p.G / sigma) ** 2 / 2 + determinant_floor(R, p)

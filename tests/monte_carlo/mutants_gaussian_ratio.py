"""Wrong bounds on preimages and on the ratio of their densities, and the check of M4 that catches each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tests.properties.mutant import Changed, Mutant, times

_DESCENT = "certify.statements.descent."
_CONSTANTS, _C13, _DOMAIN = f"{_DESCENT}constants", f"{_DESCENT}theorem_c13", f"{_DESCENT}domain_radius"
_NOTHING, _NEARLY = times(Fraction(0)), times(Fraction(99, 100))
_PREIMAGES, _RATIOS = "preimages_at_the_bound", "ratios_at_the_bound"


def _less(right: Callable[..., Any]) -> Callable[..., Any]:
    """s_N without G^2/(2 sigma^2)."""
    return lambda R, p, *given: right(R, p, *given) - (p.G / p.sigma) ** 2 / 2


def _sharp(**shares: Fraction) -> Changed:
    """The sharp certificate with some of its numbers times a share."""

    def changed(right: Callable[..., Any]) -> Callable[..., Any]:
        def wrong(*given: Any) -> Any:
            found = right(*given)
            return replace(found, **{name: getattr(found, name) * share for name, share in shares.items()})

        return wrong

    return changed


MUTANTS = (
    Mutant("0.99 of G, between preimages", _CONSTANTS, "Objective.G", _NEARLY, _PREIMAGES, is_property=True),
    Mutant("0.99 of what (47) asks", _C13, "radius_need", _NEARLY, _PREIMAGES),
    Mutant("0.99 of the least r' - r", _DOMAIN, "displacement", _NEARLY, _PREIMAGES),
    Mutant("gamma_N half as much again in (47)", f"{_DESCENT}diffeomorphism", "gamma",
           lambda right: lambda R, p, N: right(R, p, N) * Fraction(3, 2), _PREIMAGES),
    Mutant("a twentieth of what (47) asks", _C13, "radius_need", times(Fraction(1, 20)),
           "shared_outputs_have_a_preimage_in_the_outer_ball"),
    Mutant("a twentieth of what (47) asks, in D8", f"{_DESCENT}sharp", "certificate",
           _sharp(radius_need=Fraction(1, 20)), "shared_outputs_have_a_preimage_in_the_outer_ball"),
    Mutant("no residual between preimages", _C13, "residual", _NOTHING,
           "preimages_differ_by_the_gradients_and_a_residual"),
    Mutant("a quarter of G, between preimages", _CONSTANTS, "Objective.G", times(Fraction(1, 4)),
           "preimages_differ_by_the_gradients_and_a_residual", is_property=True),
    Mutant("half of G in (34)", _CONSTANTS, "Objective.G", times(Fraction(1, 2)), _RATIOS, is_property=True),
    Mutant("(34) without G^2/(2 sigma^2)", _C13, "spent", _less, _RATIOS),
    Mutant("0.99 of D8's s", f"{_DESCENT}sharp", "certificate", _sharp(s=Fraction(99, 100)), _RATIOS),
    Mutant("a quarter of G in (34)", _CONSTANTS, "Objective.G", times(Fraction(1, 4)),
           "the_gaussian_ratio_is_bounded_pointwise", is_property=True),
    Mutant("a quarter of G in (34), one-signed", _CONSTANTS, "Objective.G", times(Fraction(1, 4)),
           "one_signed_losses_use_half_of_the_projections", is_property=True),
    Mutant("s_N without G^2/(2 sigma^2) and tau", _C13, "spent", _NOTHING, "the_privacy_loss_is_bounded_pointwise"),
    Mutant("D8's s dropped", f"{_DESCENT}sharp", "certificate", _sharp(s=Fraction(0)),
           "the_privacy_loss_is_bounded_pointwise"),
    Mutant("a quarter of G, on built pairs", _CONSTANTS, "Objective.G", times(Fraction(1, 4)),
           "ratios_of_adversarial_problems", is_property=True),
    Mutant("0.98 of the divergence of a one-signed loss", f"{_DESCENT}sharp_divergence", "integrated_tail",
           times(Fraction(98, 100)), "the_divergence_of_one_signed_losses_is_attained"),
    Mutant("half of the divergence of any loss", f"{_DESCENT}sharp_divergence", "folded_tail",
           times(Fraction(1, 2)), "the_divergence_of_one_signed_losses_is_attained"),
)  # fmt: skip

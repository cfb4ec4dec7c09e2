"""certify: proofs, not estimates, for differential-privacy claims.

    >>> import certify
    >>> sigma = certify.evaluate("gaussian.sigma", epsilon="2", delta="1e-6", sensitivity="1")["sigma"]
    >>> sigma.text(6)
    ('2.230476', '2.230477')

``check`` gives a proved verdict on every claim of a file or mapping, ``evaluate`` the enclosure of one statement.
Numbers are exact: text, int, Fraction or Decimal; a float is refused unless it goes through ``exact_double``, which
keeps the double itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from certify.version import VERSION as __version__

__all__ = [
    "CertifyError",
    "ClaimVerdict",
    "Decision",
    "Enclosure",
    "Evaluation",
    "Limits",
    "MissingExtra",
    "UnusableInput",
    "Verdict",
    "__version__",
    "check",
    "evaluate",
    "exact_double",
]

_HOMES = {
    "CertifyError": "errors",
    "ClaimVerdict": "verdicts.model",
    "Decision": "kernel.decision",
    "Enclosure": "kernel.enclosure",
    "Evaluation": "api",
    "Limits": "kernel.loop",
    "MissingExtra": "errors",
    "UnusableInput": "errors",
    "Verdict": "verdicts.model",
    "check": "api",
    "evaluate": "api",
    "exact_double": "kernel.exact",
}


if TYPE_CHECKING:
    from certify.api import Evaluation, check, evaluate
    from certify.errors import CertifyError, MissingExtra, UnusableInput
    from certify.kernel.decision import Decision
    from certify.kernel.enclosure import Enclosure
    from certify.kernel.exact import exact_double
    from certify.kernel.loop import Limits
    from certify.verdicts.model import ClaimVerdict, Verdict


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `certify --version` imports nothing else."""
    if name not in _HOMES:
        raise AttributeError(f"module 'certify' has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(f"certify.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)

"""Two panels in the manner of Ball-DP Figures 3 and 5: accuracy against the certified success, and success measured.

Each curve is one radius: the quantiles q50, q80 and q95 of same-label distances, and the global radius 2B. Each point
is one epsilon, its noise the proved upper end of the calibration at that radius.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import numpy as np

import certify
from certify.audit.data import Records
from certify.audit.mechanism import OutputPerturbation, mechanism_of
from certify.audit.ranges import double_precision
from certify.audit.reconstruction import Attack, attack_trials, fitted_supports
from certify.audit.records import labelled, preprocessed
from certify.audit.risk import Mean, mean_interval
from certify.audit.run import Settings
from certify.audit.supports import Ball
from certify.errors import MissingExtra, UnusableInput
from certify.kernel.enclosure import Enclosure
from certify.kernel.interval import Intervals
from certify.mechanisms.arrays import Array, Data
from certify.mechanisms.output_perturbation import calibrated_sigma
from certify.statements.rules.claim import OUTPUT_PERTURBATION, ClaimFile, DifferentialPrivacy, Reconstruction
from certify.statements.rules.sensitivity import sensitivity_of

EPSILONS = (1, 2, 4, 8, 16)
QUANTILES = {"q50": 0.5, "q80": 0.8, "q95": 0.95}
_FORMATS = ("pdf", "png", "svg")
_PAIRS = 20_000
_BITS = 128


@dataclass(frozen=True)
class Point:
    """One radius at one epsilon: noise, certified success, and what was measured there."""

    radius_name: str
    radius: float
    epsilon: int
    sigma: float
    certified: float
    accuracy: Mean
    success: Mean


def check_drawable(path: str, claims: ClaimFile) -> None:
    """Raises what ``draw`` would raise, before an audit is run for it."""
    figure_format(path)
    if not Path(path).resolve().parent.is_dir():
        raise UnusableInput("cannot be written: its folder does not exist", file=path)
    if claims.release.mechanism != OUTPUT_PERTURBATION or claims.policy.metric == "any-record":
        raise UnusableInput("drawn for output perturbation inside a ball only", field="--plot", file=claims.source)


def figure_format(path: str) -> str:
    """The format that a file's ending names; raises UnusableInput for others, MissingExtra without matplotlib."""
    ending = Path(path).suffix.removeprefix(".")
    if ending not in _FORMATS:
        raise UnusableInput(f"{path!r} must end in .{', .'.join(_FORMATS)}", field="--plot")
    try:
        import matplotlib  # noqa: F401 (asked whether it is there)
    except ImportError:
        raise MissingExtra("--plot needs matplotlib; install it with: pip install 'certify-dp[audit]'") from None
    return ending


def same_label_distances(data: Data, generator: np.random.Generator) -> Array:
    """Distances of random pairs of different records of one label: at most 20,000 of them."""
    found: list[Array] = []
    for label in np.unique(data.labels):
        rows = data.features[data.labels == label]
        if len(rows) > 1:
            count = max(1, _PAIRS * len(rows) // data.n)
            first = generator.integers(len(rows), size=count)
            second = (first + generator.integers(1, len(rows), size=count)) % len(rows)
            found.append(np.linalg.norm(rows[first] - rows[second], axis=1))
    if not found:
        raise UnusableInput("no class has two records, so there are no same-label distances", field="--plot")
    return np.concatenate(found)


def points(
    claims: ClaimFile, data: Data, settings: Settings, public: Data | None, test: Data | None
) -> Iterator[Point]:
    """Every point of both panels, seed-first: values are averaged within a setup seed, intervals are across seeds."""
    delta, candidates = _targets(claims)
    mechanism = mechanism_of(claims)
    assert isinstance(mechanism, OutputPerturbation)
    distances = same_label_distances(public or data, np.random.default_rng(settings.seed))
    bound = claims.model.feature_bound
    radii = {name: Fraction(float(np.quantile(distances, share))) for name, share in QUANTILES.items()}
    for name, radius in {**radii, "2B": 2 * bound}.items():
        if radius == 0:
            raise UnusableInput(f"the quantile {name} of same-label distances is 0", field="--plot")
        ball = min(radius, 2 * bound)
        sensitivity = _sensitivity(claims, ball)
        sigmas = [calibrated_sigma(epsilon, delta, sensitivity) for epsilon in EPSILONS]
        attack = Attack(
            data, public, Ball(float(ball), float(bound)), candidates, None, settings.supports, settings.releases
        )
        measured = _measured(mechanism, sigmas, attack, test or data, settings)
        for epsilon, sigma, (accuracy, success) in zip(EPSILONS, sigmas, measured, strict=True):
            ratio = sensitivity / Fraction(sigma)
            gamma = certify.evaluate("rero.gaussian", ratio=ratio, baseline=Fraction(1, candidates))["success"]
            yield Point(name, float(ball), epsilon, sigma, float(gamma.upper), accuracy, success)


def _sensitivity(claims: ClaimFile, radius: Fraction) -> Fraction:
    found = sensitivity_of(claims, radius)
    if found is None:
        raise UnusableInput("no theorem bounds this head's sensitivity", field="--plot", file=claims.source)
    return Enclosure.of(found(Intervals(_BITS))).upper


def _targets(claims: ClaimFile) -> tuple[Fraction, int]:
    """The delta of the file's first privacy claim (1e-6 without one), and the candidates of its first attack (10)."""
    deltas = [claim.delta for claim in claims.claims if isinstance(claim, DifferentialPrivacy)]
    counts = [claim.candidates for claim in claims.claims if isinstance(claim, Reconstruction) and claim.candidates]
    return (deltas or [Fraction(1, 10**6)])[0], (counts or [10])[0]


def _measured(
    mechanism: OutputPerturbation, sigmas: list[float], attack: Attack, test: Data, settings: Settings
) -> list[tuple[Mean, Mean]]:
    """Accuracy and success at each noise level; what is trained for a seed serves all of them."""
    blank = mechanism.fit(attack.data)
    trials = attack.supports * attack.candidates * attack.releases
    rows = []
    for seed in np.random.SeedSequence(settings.seed).spawn(max(2, settings.setups)):
        generator = np.random.default_rng(seed)
        supports = fitted_supports(attack, mechanism, blank, generator)
        for run in (replace(mechanism, sigma=sigma) for sigma in sigmas):
            labels = run.predictions(run.releases(blank, attack.supports, generator), test.features, test.classes)
            right = sum(attack_trials(attack, run, fitted, generator) for fitted in supports)
            rows.append((float((labels == test.labels).mean()), right / trials))
    cells = np.array(rows).reshape(-1, len(sigmas), 2)
    level = settings.level
    return [(mean_interval(cells[:, at, 0], level), mean_interval(cells[:, at, 1], level)) for at in range(len(sigmas))]


def draw(
    path: Path, claims: ClaimFile, records: Records, settings: Settings, public: Records | None, test: Records | None
) -> None:
    """Write the figure. Radii are quantiles of ``public`` where it is given, else of the private records."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    bound = claims.model.feature_bound
    records = preprocessed(records, settings.preprocessing, bound)
    pool, held_out = (
        None if part is None else labelled(preprocessed(part, settings.preprocessing, bound), claims, records)
        for part in (public, test)
    )
    with double_precision():
        found = list(points(claims, labelled(records, claims), settings, pool, held_out))
    figure = Figure(figsize=(11, 4.5), layout="constrained")
    left, right = figure.subplots(1, 2)
    names = list(dict.fromkeys(point.radius_name for point in found))
    for at, name in enumerate(names):
        curve = [point for point in found if point.radius_name == name]
        certified = [point.certified for point in curve]
        shown = f"{name}, r = {curve[0].radius:.3g}"
        for panel, values in ((left, [p.accuracy for p in curve]), (right, [p.success for p in curve])):
            middle = [value.value for value in values]
            ends = [[v.value - v.low for v in values], [v.high - v.value for v in values]]
            panel.errorbar(certified, middle, yerr=ends, marker="os^D"[at % 4], capsize=2, label=shown)
    limits = [min(p.certified for p in found), max(p.certified for p in found)]
    right.plot(limits, limits, "k--", linewidth=1, label="certified bound")
    right.axhline(1 / _targets(claims)[1], color="grey", linestyle=":", linewidth=1, label="baseline")
    left.set(xlabel="certified success of an attacker (at most)", ylabel="accuracy", title="Accuracy")
    right.set(
        xlabel="certified success of an attacker (at most)", ylabel="success of the MAP attack", title="Reconstruction"
    )
    source = "public records" if public is not None else "the private records: this figure is not private"
    figure.suptitle(f"{claims.id}: radii from {source}; epsilon = {', '.join(map(str, EPSILONS))} along each curve")
    left.legend()
    right.legend()
    try:
        with rc_context({"svg.hashsalt": "certify"}):
            figure.savefig(path, format=figure_format(str(path)), metadata=_undated(path))
    except OSError as error:
        raise UnusableInput(f"cannot be written: {error.strerror}", file=str(path)) from None


def _undated(path: Path) -> dict[str, None]:
    """No date in the file: equal audits give equal figures."""
    return {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(path.suffix.removeprefix("."), {})

"""One audit from beginning to end: records checked, models trained and released, attacks tallied beside the bounds."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from certify.audit.data import Records
from certify.audit.measured import Audit, AuditedClaim, Control, Measurement, upper_end
from certify.audit.mechanism import Descent, OutputPerturbation, Parameters, mechanism_of
from certify.audit.membership import membership
from certify.audit.ranges import MOST_CANDIDATES, check_noise, check_ranges, double_precision
from certify.audit.reconstruction import Attack, Tally, canary_of, one_setup
from certify.audit.records import Preprocessing, checked, label_names, labelled, preprocessed
from certify.audit.risk import excess_risks, mean_interval
from certify.audit.supports import Ball, TooFewCandidates
from certify.errors import UnusableInput
from certify.kernel.enclosure import Enclosure
from certify.kernel.loop import Limits
from certify.mechanisms.arrays import Data
from certify.mechanisms.confidence import clopper_pearson
from certify.mechanisms.training import NotReached
from certify.statements.rules.claim import (
    Claim,
    ClaimFile,
    DifferentialPrivacy,
    EmpiricalExcessRisk,
    Reconstruction,
    SingleReleaseExcessRisk,
)
from certify.verdicts import check_file
from certify.verdicts.model import ClaimVerdict


@dataclass(frozen=True)
class Settings:
    """How much is done: ``setups`` seeds with ``supports`` each, ``releases`` for each candidate, ``pairs`` releases of
    either data set in the likelihood-ratio test and for risks; ``level`` is the confidence of all limits together."""

    setups: int = 10
    supports: int = 4
    releases: int = 10
    pairs: int = 20_000
    level: float = 0.999
    seed: int = 0
    workers: int = 1
    preprocessing: Preprocessing = "none"
    quiet: bool = True


def audit(
    claims: ClaimFile, records: Records, settings: Settings, limits: Limits, public: Records | None = None
) -> Audit:
    """The audit of every claim of a file on the records; no release is made where the records contradict the file.

    ``public`` are records that candidates may be taken from. The answer is the same for any number of workers. Raises
    UnusableInput for data or claims that no audit can be run on.
    """
    bound = claims.model.feature_bound
    n, dimension = records.features.shape
    check_ranges(claims, n, dimension, settings.pairs)
    records = preprocessed(records, settings.preprocessing, bound)
    found = checked(records, claims)
    answer = Audit(
        claims.source,
        claims.sha256,
        records.source,
        records.sha256,
        settings.preprocessing,
        tuple(label_names(records)),
        settings.seed,
        settings.level,
        found,
        None,
        (),
    )
    if found.faults:
        return answer
    data = labelled(records, claims)
    pool = None if public is None else labelled(preprocessed(public, settings.preprocessing, bound), claims, records)
    verdicts = check_file(claims, limits, repairs=False)
    with double_precision(), _trained(claims):
        mechanism = mechanism_of(claims)
        fitted = mechanism.fit(data)
        norm = fitted.gradient_norm if isinstance(fitted, Parameters) else None
        check_noise(mechanism.sigma, fitted.centre, claims.source)
        work = _Work(claims, data, pool, mechanism, settings)
        pairs = zip(claims.claims, verdicts, strict=True)
        audited = tuple(_audited(work, claim, verdict) for claim, verdict in pairs)
    return replace(answer, gradient_norm=norm, claims=audited)


@contextlib.contextmanager
def _trained(claims: ClaimFile) -> Iterator[None]:
    """Inside, a gradient norm that is not reached is UnusableInput, with the field that says which is asked for."""
    try:
        yield
    except NotReached as error:
        advice = f"{error}; state the one that the solver reaches"
        raise UnusableInput(advice, field="model.gradient_tolerance", file=claims.source) from None


@dataclass(frozen=True)
class _Work:
    claims: ClaimFile
    data: Data
    public: Data | None
    mechanism: OutputPerturbation | Descent
    settings: Settings

    @property
    def level(self) -> float:
        """The confidence of each statement, so that all on the file hold together: at most two are made of a claim."""
        return 1 - (1 - self.settings.level) / (2 * len(self.claims.claims))

    @property
    def strict_level(self) -> float:
        """The level at which the audit doubts itself: a sound one accuses itself ten times less often than a claim."""
        return 1 - (1 - self.level) / 10

    def seed(self, claim: Claim) -> np.random.SeedSequence:
        """A stream of its own for each claim."""
        return np.random.SeedSequence([self.settings.seed, claim.index])

    def ball(self, radius: Fraction | None) -> Ball:
        """The protected replacements; the radius rounded down, so that drawn candidates lie inside."""
        bound = self.claims.model.feature_bound
        if self.claims.policy.metric == "any-record" or radius is None:
            return Ball(None, _below(bound))
        return Ball(_below(min(radius, 2 * bound)), _below(bound))


def _below(value: Fraction) -> float:
    found = float(value)
    return found if Fraction(found) <= value else math.nextafter(found, -math.inf)


def _at_least(value: Fraction) -> float:
    """The value rounded up; infinite beyond the range of doubles."""
    try:
        return math.nextafter(float(value), math.inf)
    except OverflowError:
        return math.inf


def _audited(work: _Work, claim: Claim, verdict: ClaimVerdict) -> AuditedClaim:
    if isinstance(claim, Reconstruction):
        return _reconstruction(work, claim, verdict)
    if isinstance(claim, DifferentialPrivacy):
        return _privacy(work, claim, verdict)
    if isinstance(work.mechanism, Descent):
        return _risk(work, work.mechanism, claim, verdict)
    return AuditedClaim(verdict, (), (), "excess risk is measured for gradient descent only")


def _reconstruction(work: _Work, claim: Reconstruction, verdict: ClaimVerdict) -> AuditedClaim:
    settings = work.settings
    prior = None if claim.prior is None else tuple(float(p) for p in claim.prior if p > 0)
    if claim.kappa == 0:
        return AuditedClaim(verdict, (), (), "no finite list of candidates has a baseline of 0")
    count = len(prior) if prior else claim.candidates or math.ceil(1 / claim.kappa)
    attack = Attack(work.data, work.public, work.ball(claim.radius), count, prior, settings.supports, settings.releases)
    if count > MOST_CANDIDATES:
        return AuditedClaim(verdict, (), (), f"{count} candidates are more than the {MOST_CANDIDATES} that are tried")
    try:
        tallies = list(_setups(work, attack, work.seed(claim).spawn(settings.setups)))
    except TooFewCandidates as error:
        return AuditedClaim(verdict, (), (), str(error))
    right, trials = _total(tally.attack for tally in tallies)
    limits = clopper_pearson(right, trials, work.level)
    success = Measurement(
        "success of the MAP attack",
        limits.low,
        limits.high,
        trials,
        work.level,
        claim.success,
        verdict.bound,
        claim.kappa,
        estimate=right / trials,
        remark=_by_seed(tallies, settings.level),
    )
    null, null_trials = _total(tally.control for tally in tallies)
    strict = work.strict_level
    low = clopper_pearson(null, null_trials, strict).low
    control = Control("success on releases that know nothing of the record", low, claim.kappa, null_trials, strict)
    canary = canary_of(attack, work.mechanism)
    measured = [success]
    if canary is not None:
        hits, tries = _total(tally.canary for tally in tallies)
        ends = clopper_pearson(hits, tries, strict)
        measured.append(
            Measurement(
                f"success on a simplex of radius {canary.radius:g}",
                ends.low,
                ends.high,
                tries,
                strict,
                claim.success,
                verdict.bound,
                expected=canary.success,
                estimate=hits / tries,
            )
        )
    return AuditedClaim(verdict, tuple(measured), (control,))


def _by_seed(tallies: list[Tally], level: float) -> str:
    """The averages over setup seeds, as Ball-DP Section 5.6 reports them."""
    if len(tallies) < 3:
        return ""
    mean = mean_interval(np.array([right / trials for right, trials in (tally.attack for tally in tallies)]), level)
    low, high = max(mean.low, 0.0), min(mean.high, 1.0)
    interval = f"{100 * level:.10g} % t interval [{low:.4f}, {high:.4f}]"
    return f"mean over {len(tallies)} setup seeds {mean.value:.4f}, {interval}"


def _total(pairs: Iterator[tuple[int, int]]) -> tuple[int, int]:
    right, trials = zip(*pairs, strict=True)
    return sum(right), sum(trials)


def _setups(work: _Work, attack: Attack, seeds: list[np.random.SeedSequence]) -> Iterator[Tally]:
    from tqdm import tqdm

    workers = min(work.settings.workers, len(seeds))
    bar = tqdm(total=len(seeds), desc="audit setups", disable=work.settings.quiet, leave=False)
    with bar:
        if workers == 1:
            for seed in seeds:
                yield one_setup(attack, work.mechanism, seed)
                bar.update()
            return
        pool: Executor = ProcessPoolExecutor(workers)
        with pool:
            futures: list[Future[Tally]] = [pool.submit(one_setup, attack, work.mechanism, seed) for seed in seeds]
            for future in futures:
                yield future.result()
                bar.update()


def _privacy(work: _Work, claim: DifferentialPrivacy, verdict: ClaimVerdict) -> AuditedClaim:
    settings = work.settings
    found = membership(
        work.data,
        work.ball(claim.radius),
        work.mechanism,
        float(claim.epsilon),
        float(claim.delta),
        settings.pairs,
        (work.level, work.strict_level),
        work.seed(claim),
    )
    ceiling = Enclosure(claim.epsilon, claim.epsilon) if _meets(verdict.bound, claim.delta) else None
    least, strict = Fraction(0), work.strict_level
    remark = "" if ceiling else "the claimed epsilon is not certified at this delta"
    measured = (
        Measurement(
            "epsilon at the claimed delta",
            found.found.epsilon,
            None,
            found.found.trials,
            work.level,
            claim.epsilon,
            ceiling,
            least,
            remark=remark,
        ),
        Measurement(
            "delta at the claimed epsilon",
            found.found.delta,
            None,
            found.found.trials,
            work.level,
            claim.delta,
            verdict.bound,
            least,
        ),
    )
    trials = found.control.trials
    controls = (
        Control("epsilon between two batches of the same data", found.control.epsilon, least, trials, strict),
        Control("delta between two batches of the same data", found.control.delta, least, trials, strict),
    )
    return AuditedClaim(verdict, measured, controls)


def _meets(bound: Enclosure | None, delta: Fraction) -> bool:
    """Whether the certified delta is at most the claimed one, so that the claimed epsilon is certified at it."""
    return bound is not None and bound.is_bounded and upper_end(bound) <= delta


def _risk(work: _Work, mechanism: Descent, claim: Claim, verdict: ClaimVerdict) -> AuditedClaim:
    if not isinstance(claim, EmpiricalExcessRisk | SingleReleaseExcessRisk):
        return AuditedClaim(verdict, (), (), "a population's risk cannot be measured on the records")
    values = excess_risks(work.data, mechanism, work.settings.pairs, work.seed(claim))
    if isinstance(claim, EmpiricalExcessRisk):
        mean = mean_interval(values, work.level)
        found = Measurement(
            "mean excess empirical risk",
            mean.low,
            mean.high,
            len(values),
            work.level,
            claim.bound,
            verdict.bound,
            estimate=mean.value,
        )
        return AuditedClaim(verdict, (found,), ())
    if claim.sample_failure is not None or verdict.bound is None:
        return AuditedClaim(verdict, (), (), "a population's risk cannot be measured on the records")
    over = int((values > _at_least(upper_end(verdict.bound))).sum())
    limits = clopper_pearson(over, len(values), work.level)
    allowed = Enclosure(claim.release_failure, claim.release_failure)
    found = Measurement(
        "share of releases above the certified excess risk",
        limits.low,
        limits.high,
        len(values),
        work.level,
        claim.release_failure,
        allowed,
        estimate=over / len(values),
    )
    return AuditedClaim(verdict, (found,), ())

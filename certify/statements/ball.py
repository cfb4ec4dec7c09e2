"""Ball-DP: radius-restricted adjacency, sensitivity of regularised minimisers, output perturbation, transfer (B1-B7).

Records z = (x, y) with ||x|| <= B; d(z, z') = ||x - x'|| for equal labels, infinite else [Ball-DP (3)]. Two data sets
of the same size n are r-adjacent if they differ in one record and those two records are at distance <= r. Release M is
(r, epsilon, delta)-Ball-DP if Pr[M(D) in S] <= e^epsilon Pr[M(D') in S] + delta for all r-adjacent D, D' and
measurable S [Definition 1]. Minimisers are of F_D(theta) = (1/n) sum of l(theta; z_i) + (lambda/2) ||theta||^2, l
convex in theta: lambda belongs to the mean of the losses. D(r) is a nondecreasing bound on ||grad l(theta; z) - grad
l(theta; z')|| over records at distance <= r and theta the minimiser of either data set (certify.statements.heads).
sigma is a standard deviation; radii and B share the unit of the features; sensitivities and sigma share the unit of
theta.
"""

from __future__ import annotations

from certify.statements.gaussian import profile
from certify.statements.language import Condition, Conditions, Reals, X, at_most, below


def effective_radius(R: Reals[X], radius: X, feature_bound: X) -> X:
    """B1. The radius at which bounds are taken: min(r, 2B).

    Statement: records in the ball ||x|| <= B are at most 2B apart, so r-adjacency is min(r, 2B)-adjacency; a guarantee
    at r holds at every smaller radius.
    Hypotheses: r >= 0, ||x|| <= B for every admissible record, B public.
    Source: Ball-DP Definition 1 and Section 3.1.
    """
    return R.minimum(radius, 2 * feature_bound)


def covers_same_label(radius: X, feature_bound: X) -> Condition[X]:
    """B2. r >= 2B: Ball-DP at radius r is replace-one DP for same-label replacement. Labels are not protected.

    Hypotheses: ||x|| <= B for every admissible record.
    Source: Ball-DP Proposition 1.
    """
    return at_most("2B <= radius (then every same-label replacement is protected)", 2 * feature_bound, radius)


def record_lipschitz(difference: X, lipschitz: X, distance: X) -> Condition[X]:
    """B3. The regularity assumption: ||grad l(theta; z) - grad l(theta; z')|| <= L_z d(z, z').

    Hypotheses: needed at every theta that can be a regularised minimiser; the heads' files prove it with their L_z.
    Source: Ball-DP Assumption 1.
    """
    return at_most("gradient difference <= L_z distance", difference, lipschitz * distance)


def sensitivity(difference: X, regularization: X, n: X, gradient_tolerance: X) -> X:
    """B4, B4'. The l2 sensitivity of the released parameter: D(r)/(lambda n) + 2 gamma/lambda.

    Statement: exact minimisers (gamma = 0) of r-adjacent data sets are at most D(r)/(lambda n) apart; D(r) = L_z r
    gives the paper's L_z r/(lambda n). If every released parameter has ||grad F_D|| <= gamma, add 2 gamma/lambda.
    Proof: with t, t' the minimisers of F_D, F_D', grad F_D'(t) = (grad l(t; z') - grad l(t; z))/n, of norm <= D(r)/n,
    and F_D' is lambda-strongly convex with gradient 0 at t', so lambda ||t - t'|| <= D(r)/n. By the same strong
    convexity a point of gradient norm <= gamma is within gamma/lambda of its minimiser, once for each data set.
    Hypotheses: l convex in theta, lambda > 0, n >= 1; gamma fixed in advance and public, and it bounds the exact real
    gradient surely, evaluation error included; the solver may be any randomised function of the data; the noise is
    independent of it.
    Source: Ball-DP Theorem 2; the second term is new.
    """
    return difference / (regularization * n) + 2 * gradient_tolerance / regularization


def output_perturbation(R: Reals[X], epsilon: X, delta: X, sensitivity: X, sigma: X, failure: X) -> Conditions[X]:
    """B5. Releasing theta + N(0, sigma^2 I) is (r, epsilon, delta)-Ball-DP.

    Statement: it is if delta(epsilon; Delta_r/sigma) <= delta, that is sigma >= AGM(epsilon, delta, Delta_r). If the
    gradient bound gamma of B4' holds only with probability >= 1 - beta, delta(epsilon; Delta_r/sigma) + beta <= delta
    is needed; ``failure`` is beta, 0 for a sure bound.
    Hypotheses: epsilon >= 0, sigma > 0, Delta_r a bound on the sensitivity over r-adjacent data sets, ideal Gaussian
    noise.
    Source: Ball-DP Theorem 3; Balle and Wang 2018, Theorem 8.
    """
    yield at_most("0 <= epsilon", R(0), epsilon)
    yield below("0 < sigma", R(0), sigma)
    spent = profile(R, epsilon, sensitivity / sigma) + failure
    yield at_most("delta(epsilon; sensitivity/sigma) <= delta", spent, delta, "conclusion")


def linear_transfer(sensitivity: X, radius: X, target: X) -> X:
    """B6. A linear certificate at another radius: Delta_t = (t/r) Delta_r.

    Statement: L_z r/(lambda n) and the ridge prototypes' sensitivity are linear in r, so the factor t/r is exact for
    every t >= 0. With gamma > 0 the constant part makes it valid only for t >= r, which ``linear_transfer_range``
    states.
    Hypotheses: r > 0, gamma = 0 or t >= r; r and t already cut to 2B (B1).
    Source: Ball-DP Proposition 4.
    """
    return target / radius * sensitivity


def linear_transfer_range(radius: X, target: X) -> Condition[X]:
    """B6. Where the factor t/r is valid with an inexact solver: r <= t. [Ball-DP Proposition 4; new for gamma > 0]"""
    return at_most("radius <= target radius (an inexact solver does not scale down)", radius, target)


def chained_transfer(sensitivity: X, steps: X) -> X:
    """B6. From a bare sensitivity at r: Delta_t <= k Delta_r for whole k >= t/r; the least such k is ceil(t/r).

    Proof: the segment from x to x' stays in the ball ||x|| <= B, and k equal steps along it are each of length <= r.
    Hypotheses: ``chain_covers``; same label.
    Source: Ball-DP Proposition 4, as group privacy of the radius.
    """
    return steps * sensitivity


def chain_covers(radius: X, target: X, steps: X) -> Condition[X]:
    """B6. k steps of length r reach the target radius: t <= k r. [Ball-DP Proposition 4]"""
    return at_most("target radius <= steps radius", target, steps * radius)


def transferred_delta(R: Reals[X], epsilon: X, factor: X, ratio: X) -> X:
    """B6. The exact profile at radius t = factor r of a release of ratio mu_r: delta(epsilon_t; factor mu_r).

    Statement: with a linear certificate mu_t = (t/r) mu_r, and the release is (t, epsilon_t, delta(epsilon_t;
    mu_t))-Ball-DP for every epsilon_t >= 0. t = 2B gives same-label replace-one DP (B2), not DP.
    Hypotheses: those of ``linear_transfer``; ratio = Delta_r/sigma.
    Source: Ball-DP Proposition 4, restored.
    """
    return profile(R, epsilon, factor * ratio)


def short_form(R: Reals[X], epsilon: X, delta: X, factor: X, ratio: X) -> Condition[X]:
    """B6. The text's short form "epsilon becomes epsilon t/r, with the same delta", as what it is: a condition.

    It is not a theorem: at (2, 1e-6), sigma = AGM and t = 2r, the profile at 2 epsilon is 5.07e-6. It is accepted only
    where the exact profile proves it.
    Source: Ball-DP Section 3.2, after Proposition 4.
    """
    at_target = transferred_delta(R, factor * epsilon, factor, ratio)
    return at_most("delta(epsilon t/r; mu_t) <= delta", at_target, delta, "conclusion")


def any_record_sensitivity(gradient_bound: X, regularization: X, n: X, gradient_tolerance: X) -> X:
    """B7. Replace-one sensitivity with labels protected: 2g/(lambda n) + 2 gamma/lambda.

    Statement: for any two records, labels included, the gradients at a minimiser differ by at most 2g, with
    g = sup ||grad l|| over records and minimisers (``gradient_bound`` of the hinge, logistic and softmax files). This
    is replace-one DP; it has no radius. Not stated for ridge prototypes, whose sensitivity is within a label.
    Hypotheses: those of ``sensitivity``.
    Source: new; Ball-DP Theorem 2 with any two records.
    """
    return sensitivity(2 * gradient_bound, regularization, n, gradient_tolerance)

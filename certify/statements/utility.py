"""Excess risk of gradient descent on a perturbed objective (U1-U5).

F is the empirical objective with minimiser w*_S; R_mu = R_0 + (mu/2)|w|^2 the regularised population risk with
minimiser w*; w_N the release. d is the dimension of the perturbation, sigma its standard deviation, L_l = L1 zeta.
Hypotheses throughout: ``release_hypotheses``, N >= 1; for the population, n independent draws; delta_S, beta in (0, 1).
A ``loss`` that is given sharpens the bound on the gradient at the start (D8, a); else it is L1 zeta.
Source: GD paper, Section 4.3 and Appendix D. Each takes N as a value of the arithmetic.
"""

from __future__ import annotations

from certify.statements.descent import radii, sharp_trajectory
from certify.statements.descent.constants import Descent, release_hypotheses
from certify.statements.descent.sharp_trajectory import Loss
from certify.statements.language import Conditions, Reals, X, at_most, below


def scale(R: Reals[X], p: Descent[X], radius: X, loss: Loss[X] | None = None) -> X:
    """(radius + L1 zeta)/mu, at least |w_0 - w*(z)| for |z| <= radius. [Lemma A.6]"""
    if loss is None:
        return radii.trajectory_scale(p, radius)
    return sharp_trajectory.trajectory_scale(R, p, radius, loss)


def mean_square_root(R: Reals[X], p: Descent[X]) -> X:
    """sigma sqrt d, the square root of E|Z|^2 and at least E|Z|."""
    return p.sigma * R.sqrt(R(p.d))


def perturbation(p: Descent[X]) -> X:
    """d sigma^2/(2 mu), what the perturbation costs. [Theorem 4.10]"""
    return p.d * p.sigma**2 / (2 * p.mu)


def optimization(R: Reals[X], p: Descent[X], N: X, loss: Loss[X] | None = None) -> X:
    """U1. E_opt(N), what stopping after N steps costs. [(12)]

    Statement: (L/2) rho^{2N} (b^2 d sigma^2 + 2 a b sigma sqrt d + a^2) + rho^N (b d sigma^2 + a sigma sqrt d) with
    b = 1/mu and a a bound on |grad F(w_0)|/mu: L1 zeta/mu, or zeta sup|l'(0, y)|/mu for a loss that is given.
    """
    q = mean_square_root(R, p)
    reach = scale(R, p, q, loss)  # a + b sigma sqrt d
    return stopping(R, p, N, q, reach)


def stopping(R: Reals[X], p: Descent[X], N: X, norm: X, reach: X) -> X:
    """(L/2) rho^{2N} R^2 + rho^N |z| R for |z| <= norm and |w_0 - w*(z)| <= R = reach. [(56)]"""
    decay = R.power(p.rho, N)
    return p.L / 2 * (decay * reach) ** 2 + decay * norm * reach


def sample(R: Reals[X], p: Descent[X], sample_failure: X) -> X:
    """16 L_l^2 (32 + log(1/delta_S))/(mu n), the price of a sample. [Theorem E.10 at a = 1]"""
    return 16 * p.gradient_bound**2 * (32 - R.log(sample_failure)) / (p.mu * p.n)


def empirical(R: Reals[X], p: Descent[X], N: X, loss: Loss[X] | None = None) -> X:
    """U2. E[F(w_N) - F(w*_S)] <= d sigma^2/(2 mu) + E_opt(N), the mean over the perturbation. [Theorem 4.10]"""
    return perturbation(p) + optimization(R, p, N, loss)


def population(R: Reals[X], p: Descent[X], N: X, sample_failure: X, loss: Loss[X] | None = None) -> X:
    """U3. With probability >= 1 - delta_S over the sample, E[R_mu(w_N)] - R_mu(w*) <= twice U2 + ``sample``. [4.9]"""
    return 2 * empirical(R, p, N, loss) + sample(R, p, sample_failure)


def unregularized(
    R: Reals[X], p: Descent[X], N: X, sample_failure: X, comparator_norm: X, loss: Loss[X] | None = None
) -> X:
    """U4. On the event of U3, E[R_0(w_N)] - R_0(v) <= U3 + (mu/2)|v|^2 for every v, |v| <= comparator_norm. [4.7]"""
    return population(R, p, N, sample_failure, loss) + p.mu / 2 * comparator_norm**2


def single_release(R: Reals[X], p: Descent[X], N: X, release_failure: X, loss: Loss[X] | None = None) -> X:
    """U5. U_N: F(w_N) - F(w*_S) <= U_N with probability >= 1 - beta over the perturbation. [Corollary 4.11]

    Statement: U_N = r^2/(2 mu) + (L/2) rho^{2N} R^2 + rho^N r R with r = sigma (sqrt d + sqrt(2 log(1/beta))) and
    R = (L_l + r)/mu.
    """
    norm = p.sigma * (R.sqrt(R(p.d)) + R.sqrt(-2 * R.log(release_failure)))
    return norm**2 / (2 * p.mu) + stopping(R, p, N, norm, scale(R, p, norm, loss))


def single_release_population(
    R: Reals[X], p: Descent[X], N: X, release_failure: X, sample_failure: X, loss: Loss[X] | None = None
) -> X:
    """U5. R_mu(w_N) - R_mu(w*) <= 2 U_N + ``sample`` with probability >= 1 - delta_S - beta. [Corollary 4.11]"""
    return 2 * single_release(R, p, N, release_failure, loss) + sample(R, p, sample_failure)


def hypotheses(
    R: Reals[X], p: Descent[X], N: X, *, sample_failure: X | None = None, release_failure: X | None = None
) -> Conditions[X]:
    """The hypotheses of the module, with those on delta_S and beta where they are given."""
    yield from release_hypotheses(R, p)
    yield at_most("1 <= N", R(1), N)
    for name, value in (("delta_S", sample_failure), ("beta", release_failure)):
        if value is not None:
            yield below(f"0 < {name}", R(0), value)
            yield below(f"{name} < 1", value, R(1))


def empirical_conditions(R: Reals[X], p: Descent[X], N: X, claimed: X, loss: Loss[X] | None = None) -> Conditions[X]:
    """U2 shows that the mean empirical excess risk is at most the one claimed."""
    yield from hypotheses(R, p, N)
    yield at_most("mean empirical excess risk (U2) <= bound", empirical(R, p, N, loss), claimed, "conclusion")


def population_conditions(
    R: Reals[X], p: Descent[X], N: X, sample_failure: X, claimed: X, loss: Loss[X] | None = None
) -> Conditions[X]:
    """U3 shows that the regularised population excess risk is at most the one claimed."""
    yield from hypotheses(R, p, N, sample_failure=sample_failure)
    bound = population(R, p, N, sample_failure, loss)
    yield at_most("regularised population excess risk (U3) <= bound", bound, claimed, "conclusion")


def unregularized_conditions(
    R: Reals[X],
    p: Descent[X],
    N: X,
    sample_failure: X,
    comparator_norm: X,
    claimed: X,
    loss: Loss[X] | None = None,
) -> Conditions[X]:
    """U4 shows that the excess risk against every comparator of that norm is at most the one claimed."""
    yield from hypotheses(R, p, N, sample_failure=sample_failure)
    yield at_most("0 <= comparator norm", R(0), comparator_norm)
    bound = unregularized(R, p, N, sample_failure, comparator_norm, loss)
    yield at_most("unregularised population excess risk (U4) <= bound", bound, claimed, "conclusion")


def single_release_conditions(
    R: Reals[X],
    p: Descent[X],
    N: X,
    release_failure: X,
    sample_failure: X | None,
    claimed: X,
    loss: Loss[X] | None = None,
) -> Conditions[X]:
    """U5 shows it of one release: of the population where delta_S is given, of the empirical risk where it is not."""
    yield from hypotheses(R, p, N, sample_failure=sample_failure, release_failure=release_failure)
    if sample_failure is None:
        bound = single_release(R, p, N, release_failure, loss)
        yield at_most("empirical excess risk of one release (U5) <= bound", bound, claimed, "conclusion")
    else:
        bound = single_release_population(R, p, N, release_failure, sample_failure, loss)
        yield at_most("population excess risk of one release (U5) <= bound", bound, claimed, "conclusion")

"""Ridge prototypes: exact minimiser, exact sensitivity, when it is attained, noiseless inversion (H4).

F(mu) = (1/n) sum of ||x_i - mu_{y_i}||^2 + (lambda/2) sum over classes of ||mu_c||^2, minimised by
mu_c = 2 S_c/(2 n_c + lambda n), where S_c is the sum and n_c the number of the class's features [Ball-DP (4), Theorem
9]. Everything is within a label: B7 (labels protected) is not stated for this head.
"""

from __future__ import annotations

from certify.statements.language import Conditions, Reals, X, at_most


def sensitivity(radius: X, regularization: X, n: X, min_class_count: X) -> X:
    """H4. The exact sensitivity at radius r: 2r/(2 n_min + lambda n); n_min = 1 where class counts are not public.

    Proof: replacing x by x' in class c keeps every count (equal labels), moves S_c by x' - x and mu_c by
    2 (x' - x)/(2 n_c + lambda n); n_c >= n_min.
    Hypotheses: lambda > 0, n >= 1, 1 <= n_min <= every nonzero class count, and n_min public if it is not 1; r cut to
    2B where features are bounded (B1). With an inexact solver add 2 gamma/lambda (B4').
    Source: Ball-DP Theorem 9, Corollary 2 (n_min = 1), Proposition 10.
    """
    return 2 * radius / (2 * min_class_count + regularization * n)


def possible_counts(R: Reals[X], n: X, classes: X, min_class_count: X) -> Conditions[X]:
    """H4. Metadata that some data set has: ``classes`` classes of at least n_min records each need classes n_min <=
    n."""
    yield at_most("1 <= n_min", R(1), min_class_count)
    yield at_most("classes n_min <= n (else no data set has these counts)", classes * min_class_count, n)


def attained(R: Reals[X], n: X, classes: X, min_class_count: X) -> Conditions[X]:
    """H4. When the sensitivity at r <= 2B is attained, so that the exact profile refutes: some class has just n_min
    records.

    Statement: with K >= 2 classes that needs n_min <= n - (K - 1) n_min, the other records filling the other classes;
    with one class it needs n_min = n. ``witness_pair`` then names the pair; the released pair of parameters is at
    distance 2r/(2 n_min + lambda n), and an exact solver meets every gradient tolerance gamma >= 0.
    Hypotheses: 0 < r <= 2B (r cut to 2B, or no bound on the features), K >= 1 whole. Where the number of classes is
    left open, any data set with the class count may be named: take K = 1 if n_min = n, else K = 2.
    Source: Ball-DP Proposition 10 and the remark after it.
    """
    yield from possible_counts(R, n, classes, min_class_count)
    least = R.choose(classes, "<=", R(1), lambda: n, lambda: R(1))
    yield at_most("a class of exactly n_min records exists", least, min_class_count)


def witness_pair(radius: str, min_class_count: str) -> str:
    """The pair of data sets that attains the sensitivity, in words."""
    records = "one record" if min_class_count == "1" else f"{min_class_count} records"
    return (
        f"two data sets that differ in one record of a class of {records}: x = (r/2) u in one and x' = -(r/2) u in the "
        f"other, u a unit vector, r = {radius}, equal labels"
    )


def inverted_record(prototype: X, class_count: X, regularization: X, n: X, remainder_sum: X) -> X:
    """H4. Noiseless inversion, one coordinate: x = ((2 n_y + lambda n) mu_y - 2 S_y^-)/2.

    Statement: mu_y released without noise, and the sum S_y^- of the other n_y - 1 records of the class, give the
    missing record. Its class is the one whose prototype moved, unless the record equals the prototype 2 S^-/(2 (n_y -
    1) + lambda n) of the remainder, when none moves. From the noisy release the same expression is W_y (R5).
    Hypotheses: n_y counts the missing record.
    Source: Ball-DP Theorem 11, Corollary 3.
    """
    return ((2 * class_count + regularization * n) * prototype - 2 * remainder_sum) / 2

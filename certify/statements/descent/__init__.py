"""Gradient descent on a perturbed objective: the privacy theorems of arXiv 2610.02716 (D1-D7)."""

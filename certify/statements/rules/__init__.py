"""From a claim to the theorem that decides it: what a claim says, what it must declare, and which inequalities show it.

Generic in the arithmetic, like the theorems: the verdicts, the checker and whoever exports a proof read the same rules.
"""

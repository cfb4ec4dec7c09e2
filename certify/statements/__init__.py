"""Trusted: the theorems and nothing else. Each is one function of an arithmetic; ``table`` lists them all."""

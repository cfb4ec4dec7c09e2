"""Untrusted: guesses that become witnesses. Nothing here decides; the statements prove what is found, or do not."""

"""Claims to verdicts: routes, refutations, assumptions, repairs. ``check`` answers every claim of a file."""

"""Real releases held against the proved bounds (M1-M7); every check is shown able to fail by a mutated bound."""

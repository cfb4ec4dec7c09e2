"""Making, naming, writing and signing certificates."""

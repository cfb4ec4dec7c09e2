"""The checker: its reading, its arithmetic, and what it demands of a certificate."""

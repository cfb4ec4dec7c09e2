"""`certify audit`."""

"""certify: proofs, not estimates, for differential-privacy claims."""

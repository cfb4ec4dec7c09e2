"""Tests of verdicts: corpus, properties of the judgement, repairs, declarations, attacks."""

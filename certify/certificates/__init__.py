"""Certificates: made from verdicts, named, written, signed. `certify.checker` re-establishes them without all this."""

"""The checker behind `certify verify`: the standard library and the statements, no code that makes a certificate."""

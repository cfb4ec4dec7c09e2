"""Certificates in hostile hands: what is changed, cut, doubled or relabelled is refused."""

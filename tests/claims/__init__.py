"""Tests of certify.claims."""

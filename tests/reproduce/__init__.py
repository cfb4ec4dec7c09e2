"""Tests of certify.reproduce."""

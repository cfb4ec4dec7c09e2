"""Tests of the report formats."""

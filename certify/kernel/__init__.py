"""Trusted arithmetic: exact numbers, outward-rounded intervals, proved elementary functions, decisions."""

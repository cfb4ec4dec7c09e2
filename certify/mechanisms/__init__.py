"""Releases computed with numpy in double precision, and attacks on them: what the proved bounds are held against.

Nothing here is trusted by a verdict. A file for each mechanism or attack; every random draw comes from an explicit
``numpy.random.Generator``.
"""

"""What every test shares: property tests without deadlines, since a busy machine is not a fault."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("certify", deadline=None, print_blob=True)
settings.load_profile("certify")

"""What every test shares: property tests without deadlines, since a busy machine is not a fault; one thread of matrix
products, since workers that share the cores slow one another down a hundredfold with more.
"""

from __future__ import annotations

import os

from hypothesis import settings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("certify", deadline=None, print_blob=True)
settings.load_profile("certify")

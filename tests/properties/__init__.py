"""Properties of the public face, ``certify.evaluate`` and ``certify.check``, drawn by hypothesis with fixed seeds."""

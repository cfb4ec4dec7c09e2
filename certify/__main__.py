"""`python -m certify` is the `certify` command."""

from __future__ import annotations

import sys

from certify.cli import main

if __name__ == "__main__":
    sys.exit(main())

"""Files that are whole or absent: written beside their place, brought to the disk, then moved there."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from certify.errors import UnusableInput


def write_atomically(path: Path, data: bytes, *, mode: int = 0o644, replace: bool = True) -> None:
    """Write a file in one step that a crash or a second process cannot split; UnusableInput where it cannot be written.

    With ``replace`` false an existing file is kept and refused.
    """
    temporary: str | None = None
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=".certify-", dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(file.fileno(), mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            os.replace(temporary, path)
        else:
            os.link(temporary, path)
        _sync_folder(path.parent)
    except FileExistsError:
        raise UnusableInput("it exists already, and is not replaced", file=str(path)) from None
    except OSError as error:
        raise UnusableInput(f"cannot be written: {error.strerror}", file=str(path)) from None
    finally:
        if temporary is not None:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)


def _sync_folder(folder: Path) -> None:
    """Bring the folder's entry to the disk, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

"""`certify check CLAIM...`: a proved verdict on every claim of every file."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from certify.claims import ClaimFile, load
from certify.commands.limits import limits_of
from certify.errors import CertifyError, UnusableInput
from certify.kernel.loop import Limits
from certify.report import FORMATS, CheckedFile, render, render_error, status
from certify.report.printable import visible
from certify.report.text import wants_bold
from certify.verdicts import check_file
from certify.verdicts.model import Verdict

DISPUTED = 3
"""The exit status where a verdict of the kernel is not re-established by the checker: a fault, never a pass."""


def run(arguments: argparse.Namespace) -> int:
    """Print the verdicts and write the files and certificates asked for; 0 only where every claim is certified."""
    # Standard output comes last: nothing is printed where a file cannot be written.
    outputs = [*(_output(text) for text in arguments.output), (arguments.format, None)]
    for form, _ in outputs:
        if form not in FORMATS:
            raise UnusableInput(f"unknown format {visible(form)}; accepted: {', '.join(FORMATS)}", field="--format")
    limits = limits_of(arguments)
    if not 1 <= arguments.digits <= 1000:
        raise UnusableInput(f"{arguments.digits} is out of range; 1 to 1000", field="--digits")
    try:
        parsed = [load(path) for path in arguments.claims]
    except CertifyError as error:
        unusable = error if isinstance(error, UnusableInput) else UnusableInput(str(error))
        for form, path in outputs:
            if form != "text" or path is not None:
                _write(render_error(form, unusable), path)
        raise
    files = [
        CheckedFile(claims.source, claims.sha256, check_file(claims, limits, repairs=not arguments.no_repairs))
        for claims in parsed
    ]
    disputed = bool(arguments.certificates) and _certify(parsed, files, Path(arguments.certificates), limits)
    for form, path in outputs:
        bold = path is None and wants_bold(sys.stdout, os.environ)
        _write(render(form, files, arguments.digits, arguments.verbose, bold=bold), path)
    return DISPUTED if disputed else status(files)


def _certify(parsed: list[ClaimFile], files: list[CheckedFile], folder: Path, limits: Limits) -> bool:
    """Write the certificates; True where the checker disputes a verdict that a gate could pass on."""
    from certify.certificates.files import write_atomically
    from certify.certificates.produce import Produced, certificates

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnusableInput(f"cannot be made: {error.strerror}", file=str(folder)) from None
    disputed, written = False, 0
    for claims, checked in zip(parsed, files, strict=True):
        for found in certificates(claims, checked.verdicts, limits):
            if isinstance(found, Produced):
                write_atomically(folder / found.name, found.data)
                written += 1
                continue
            verdict, reason = found
            disputed = disputed or verdict.verdict is not Verdict.NOT_CERTIFIED
            place = f"{visible(checked.file)}, claim {verdict.index} ({verdict.verdict.value})"
            print(f"certify: {place}: no certificate is written: {visible(reason)}", file=sys.stderr)
    print(f"certify: {written} certificate{'' if written == 1 else 's'} in {visible(str(folder))}", file=sys.stderr)
    return disputed


def _output(text: str) -> tuple[str, Path | None]:
    form, equals, path = text.partition("=")
    if not equals or not path:
        raise UnusableInput(f"{text!r} is not FORMAT=FILE, such as sarif=certify.sarif", field="--output")
    return form, Path(path)


def _write(text: str, path: Path | None) -> None:
    if path is None:
        print(text)
        return
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise UnusableInput(f"cannot be written: {error.strerror}", file=str(path)) from None

"""The exceptions of certify: one tree, each message says what was given, what is accepted and what to do."""

from __future__ import annotations


class CertifyError(Exception):
    """Root of every error that certify raises on purpose."""


class UnusableInput(CertifyError):
    """Input that is not a question: malformed, out of domain, or contradictory (exit status 2).

    A false claim is never an error: it is a verdict.
    """

    def __init__(
        self, message: str, *, field: str | None = None, file: str | None = None, line: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.file = file
        self.line = line

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        named = f"{self.field}: {self.message}" if self.field else self.message
        return f"{place}: {named}" if place else named


class MissingExtra(CertifyError):
    """An optional library is needed and not installed; the message says what to install (exit status 2)."""

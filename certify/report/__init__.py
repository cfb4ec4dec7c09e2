"""The answer to `certify check` in the form that a reader wants: text, json, sarif, junit, markdown or github."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from certify.errors import UnusableInput
from certify.report.checked import CheckedFile
from certify.report.status import status

_MODULES = {
    "text": "text",
    "json": "json_report",
    "sarif": "sarif",
    "junit": "junit",
    "markdown": "markdown",
    "github": "github",
}
FORMATS = tuple(_MODULES)

__all__ = ["FORMATS", "CheckedFile", "render", "render_error", "status"]


def render(
    format: str,  # noqa: A002 - the name of the option
    files: Sequence[CheckedFile],
    digits: int = 12,
    verbose: int = 0,
    *,
    bold: bool = False,
) -> str:
    """The whole answer as text without a last newline. ``bold`` concerns the text format on a terminal only."""
    renderer: Callable[..., str] = import_module(f"certify.report.{_module(format)}").render
    options = {"bold": True} if bold and format == "text" else {}
    return renderer(files, digits, verbose, **options)


def render_error(format: str, error: UnusableInput) -> str:  # noqa: A002 - the name of the option
    """The answer where the input is not a question (exit status 2), in the same format."""
    renderer: Callable[[UnusableInput], str] = import_module(f"certify.report.{_module(format)}").render_error
    return renderer(error)


def _module(name: str) -> str:
    if name not in _MODULES:
        raise UnusableInput(f"unknown format {name[:40]!a}; accepted: {', '.join(FORMATS)}", field="--format")
    return _MODULES[name]

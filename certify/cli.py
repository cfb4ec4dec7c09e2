"""The `certify` command:

Argument parsing and exit statuses only. Each command's module is imported when it is needed.

Exit statuses: 0 every claim certified (or the command's own success), 1 not so, 2 unusable input or usage, 3 an
internal fault, 130 interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import sys
from collections.abc import Sequence

from certify.errors import CertifyError, UnusableInput

_LATER = ("calibrate", "prove", "report", "sweep", "init")
_LATER_TOO = ("from-sklearn", "baseline", "diff", "registry")
_EPILOG = """Exit status: 0 all certified, 1 not so, 2 unusable input, 3 internal fault.
`certify COMMAND --help` shows an example."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        _prepare_output()
        return _dispatched(given)
    except KeyboardInterrupt:
        return _said("interrupted", 130)
    except BrokenPipeError:
        _abandon_output()
        return 1
    except OSError as error:
        _abandon_output()
        return _said(f"input or output failed: {error}", 3)
    except CertifyError as error:
        return _said(str(error), 2)
    except (Exception, RecursionError) as fault:
        return _internal_fault(fault)


def _dispatched(given: list[str]) -> int:
    if given and given[0] in _LATER + _LATER_TOO:
        raise UnusableInput(f"`certify {given[0]}` is not part of this version; it has {', '.join(_COMMANDS)}")
    status = 0
    try:
        parsed, rest = _parser().parse_known_args(given)
        _place(parsed, rest)
    except SystemExit:  # --help and --version; usage errors are UnusableInput
        pass
    else:
        module = importlib.import_module(f"certify.commands.{parsed.module}")
        status = module.run(parsed)
    sys.stdout.flush()
    return status


def _place(parsed: argparse.Namespace, rest: list[str]) -> None:
    """Inputs of `eval` may stand behind an option; anything else left over is a usage error."""
    if parsed.module == "eval" and not any(word.startswith("-") for word in rest):
        parsed.inputs += rest
    elif rest:
        raise UnusableInput(f"unrecognized arguments: {' '.join(rest)}; see `certify {parsed.module} --help`")


def _prepare_output() -> None:
    """Streams that were closed take nothing; characters that a stream's encoding lacks are escaped."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (open until the process ends)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _abandon_output() -> None:
    """Let the interpreter flush what is left of the answer into nothing when it ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _said(message: str, status: int) -> int:
    with contextlib.suppress(OSError):
        print(f"certify: {_printable(message)}", file=sys.stderr)
    return status


def _printable(message: str) -> str:
    """One line without control characters, so that a hostile file name cannot drive the terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in message)


def _internal_fault(fault: BaseException) -> int:
    if os.environ.get("CERTIFY_DEBUG"):
        raise fault
    kind = type(fault).__name__
    return _said(f"internal fault ({kind}: {fault}); set CERTIFY_DEBUG=1 for the traceback and please report it", 3)


class _Parser(argparse.ArgumentParser):
    """argparse with its usage errors as UnusableInput, so that every error leaves by one door."""

    def error(self, message: str) -> None:  # type: ignore[override]
        raise UnusableInput(f"{message}; see `{self.prog} --help`")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="certify", description="Proved verdicts on differential-privacy claims.", epilog=_EPILOG)
    parser.add_argument("--version", action="version", version=f"certify {_version()}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=_Parser)
    for name, (add, help_text, example) in _COMMANDS.items():
        command = commands.add_parser(
            name,
            help=help_text,
            description=help_text,
            epilog=f"Example:\n  {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.set_defaults(module=name)
        add(command)
    return parser


def _version() -> str:
    from certify.version import VERSION

    return VERSION


def _limits(command: argparse.ArgumentParser) -> None:
    command.add_argument("--max-bits", type=int, default=4096, metavar="N", help="cap on precision (default 4096)")
    command.add_argument(
        "--max-evaluations", type=int, default=200_000, metavar="N", help="cap on function evaluations (default 200000)"
    )
    command.add_argument(
        "--timeout", type=int, metavar="SECONDS", help="also stop after SECONDS; what that cuts off is undecided"
    )


def _digits(command: argparse.ArgumentParser) -> None:
    command.add_argument("--digits", type=int, default=12, metavar="N", help="digits of relative accuracy (default 12)")


def _check(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "claims", nargs="+", metavar="CLAIM", help="claim file (TOML, JSON or YAML), or - for standard input"
    )
    command.add_argument(
        "--format", default="text", metavar="FORMAT", help="text, json, sarif, junit, markdown or github"
    )
    command.add_argument(
        "--output", action="append", default=[], metavar="FORMAT=FILE", help="also write FILE in FORMAT; repeatable"
    )
    command.add_argument("--certificates", metavar="DIR", help="also write a certificate of each claim into DIR")
    command.add_argument("-v", "--verbose", action="count", default=0, help="show every condition; -vv with enclosures")
    command.add_argument("--no-repairs", action="store_true", help="do not search for repairs")
    _digits(command)
    _limits(command)


def _eval(command: argparse.ArgumentParser) -> None:
    command.add_argument("statement", help="statement name, such as gaussian.sigma")
    command.add_argument("inputs", nargs="*", metavar="name=value", help="exact numbers: 2, 0.1, 1e-6, 1/3")
    command.add_argument("--format", choices=("text", "json"), default="text")
    _digits(command)
    _limits(command)


def _reproduce(command: argparse.ArgumentParser) -> None:
    command.add_argument("part", nargs="?", default="all", metavar="PART", help="example-4.8, c.4, c.5, ball-dp or all")
    command.add_argument("--format", choices=("text", "json"), default="text")


def _audit(command: argparse.ArgumentParser) -> None:
    command.add_argument("claim", metavar="CLAIM", help="claim file (TOML, JSON or YAML), or - for standard input")
    command.add_argument(
        "--data", required=True, metavar="FILE", help=".npz, .csv or .parquet; or digits, breast-cancer, iris, wine"
    )
    command.add_argument("--label-column", metavar="NAME", help="where the labels are (default: label, labels or y)")
    command.add_argument("--public", metavar="FILE", help="public records to take candidates (and radii) from")
    command.add_argument("--test", metavar="FILE", help="records on which --plot measures accuracy (default: the data)")
    command.add_argument(
        "--preprocess", choices=("none", "clip", "unit"), default="none", help="of every record, public (default none)"
    )
    command.add_argument("--setups", type=int, default=10, metavar="N", help="setup seeds (default 10)")
    command.add_argument("--supports", type=int, default=4, metavar="N", help="supports for each (default 4)")
    command.add_argument("--releases", type=int, default=10, metavar="N", help="releases a candidate (default 10)")
    command.add_argument(
        "--pairs", type=int, default=20_000, metavar="N", help="releases of each data set to compare (default 20000)"
    )
    command.add_argument("--level", type=float, default=0.999, help="confidence of all limits together (default 0.999)")
    command.add_argument("--seed", type=int, default=0, metavar="N", help="seed of every draw (default 0)")
    command.add_argument("--workers", type=int, default=1, metavar="N", help="processes (default 1)")
    command.add_argument("--plot", metavar="FILE", help="draw accuracy and success over radii (.png, .svg or .pdf)")
    command.add_argument("--format", choices=("text", "json"), default="text")
    _limits(command)


def _explain(command: argparse.ArgumentParser) -> None:
    command.add_argument("statement", nargs="*", help='eval name, spec number (D1) or paper item ("Theorem 4.1")')
    command.add_argument("--markdown", action="store_true", help="print the map of all statements as a Markdown table")


def _schema(command: argparse.ArgumentParser) -> None:
    del command


def _trust(command: argparse.ArgumentParser) -> None:
    command.add_argument("--format", choices=("text", "json", "markdown"), default="text")


def _keygen(command: argparse.ArgumentParser) -> None:
    command.add_argument("-o", "--output", required=True, metavar="NAME", help="write NAME.key and NAME.pub")
    command.add_argument("--passphrase-file", metavar="FILE", help="encrypt the private key; first line of FILE")


def _sign(command: argparse.ArgumentParser) -> None:
    command.add_argument("certificates", nargs="+", metavar="CERTIFICATE", help="certificate to sign")
    command.add_argument("--key", required=True, metavar="FILE", help="private key (.key)")
    command.add_argument("--passphrase-file", metavar="FILE", help="passphrase of the key; first line of FILE")
    command.add_argument(
        "--weights", metavar="FILE", help="the released weights that the signature is about, or sha256:HEX of them"
    )
    command.add_argument("-o", "--output", metavar="FILE", help="the envelope (default: beside it, .dsse.json)")


def _verify(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "certificates", nargs="+", metavar="CERTIFICATE", help="certificate (or folder of them), or signed envelope"
    )
    command.add_argument(
        "--engine", choices=("integers", "arb", "both"), default="integers", help="arithmetic (default integers)"
    )
    command.add_argument(
        "--key",
        action="append",
        default=[],
        metavar="FILE",
        help="public key: require its signature, or that of one of several; repeatable",
    )
    command.add_argument("--weights", metavar="FILE", help="require a signature about these weights (or sha256:HEX)")
    command.add_argument("--format", choices=("text", "json"), default="text")


_COMMANDS = {
    "check": (_check, "prove or refute the claims of a file", "certify check examples/claims/ridge-prototype.toml"),
    "eval": (_eval, "enclose one statement's values", "certify eval gaussian.sigma epsilon=2 delta=1e-6 sensitivity=1"),
    "verify": (
        _verify,
        "re-establish certificates without the code that made them",
        "certify check examples/claims/c4-519.toml --certificates out\n  certify verify out",
    ),
    "keygen": (_keygen, "a pair of Ed25519 keys for signing", "certify keygen -o auditor"),
    "sign": (
        _sign,
        "sign certificates, after they are re-established",
        "certify check examples/claims/c4-519.toml --certificates out\n  certify keygen -o auditor\n"
        "  certify sign out/appendix-c4-519-1-e33b4f0e586c.json --key auditor.key",
    ),
    "audit": (
        _audit,
        "real releases and attacks on your data beside the certified bounds",
        "certify audit examples/claims/digits.toml --data digits --preprocess unit",
    ),
    "reproduce": (_reproduce, "the papers' printed figures beside their enclosures", "certify reproduce c.4"),
    "explain": (_explain, "a statement, its hypotheses, source and backing", "certify explain D1"),
    "schema": (_schema, "JSON Schema of a claim file", "certify schema > claim.schema.json"),
    "trust": (_trust, "trusted files with lines and SHA-256, versions, assumptions", "certify trust"),
}

"""The other commands, help, later commands, and how every error leaves."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from certify import cli
from certify.version import VERSION

from .runs import EXAMPLES, ROOT, refused, run

COMMANDS = ("audit", "check", "eval", "explain", "keygen", "reproduce", "schema", "sign", "trust", "verify")
LATER = (
    *("calibrate", "prove", "report", "sweep", "init"),
    *("from-sklearn", "baseline", "diff", "registry"),
)
EXAMPLE = str(EXAMPLES / "c4-519.toml")


def test_version_and_help() -> None:
    """On standard output, status 0."""
    assert run("--version").out == f"certify {VERSION}\n"
    assert run("--help").status == 0
    for command in COMMANDS:
        assert command in run("--help").out


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example_that_runs(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`certify COMMAND --help` ends with one, of one or more commands; its last is the command itself."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    shown = run(command, "--help")
    assert shown.status == 0 and shown.err == ""
    lines = [shlex.split(line) for line in shown.out.partition("Example:")[2].strip().splitlines()]
    assert lines[-1][:2] == ["certify", command]
    for words in lines:
        assert run(*(words[1 : words.index(">")] if ">" in words else words[1:])).status in (0, 1)


@pytest.mark.parametrize("command", LATER)
def test_later_commands_say_so(command: str) -> None:
    """Whatever follows them."""
    for words in ((command,), (command, "x.toml", "--anything")):
        assert "is not part of this version; it has check, eval" in refused(*words)


@pytest.mark.parametrize("words", [(), ("chek",), ("--nonsense",), ("",), ("check", "--format")])
def test_usage_errors(words: tuple[str, ...]) -> None:
    """Status 2, one line, and where to read on."""
    assert "--help" in refused(*words)


def test_schema_is_a_json_schema() -> None:
    """Draft, title and the four tables."""
    document = json.loads(run("schema").out)
    assert document["$schema"].startswith("https://json-schema.org/")
    assert {"release", "model", "claim"} <= set(document["properties"])


def test_trust() -> None:
    """Files with lines and SHA-256, versions, standing assumptions; the text says the same."""
    document = json.loads(run("trust", "--format", "json").out)
    assert document["files"] and all(len(row["sha256"]) == 64 and row["lines"] for row in document["files"])
    assert {row["name"] for row in document["assumptions"]} >= {"ideal-gaussian-sampling", "one-release"}
    text = run("trust").out
    for row in document["files"]:
        assert row["sha256"] in text and row["file"] in text
    assert "--format" in refused("trust", "--format", "xml")


def test_explain() -> None:
    """By number, eval name, paper item; the list; unknown names."""
    for words in (("D1",), ("gd.theorem-4.1",), ("Theorem", "4.1"), ("Theorem 4.1",)):
        assert "privacy of gradient descent" in run("explain", *words).out
    listing = run("explain").out
    for number in ("T1", "G3", "B7", "H4", "R5", "D8", "U6"):
        assert f"{number} " in listing
        assert run("explain", number).status == 0
    assert run("explain", "--markdown").out.startswith("| |")
    assert "did you mean" in refused("explain", "Theorem 4.11111")
    assert refused("explain", "\x1b[31m").isprintable()


def test_reproduce_part() -> None:
    """One part, in both formats; an unknown part."""
    assert run("reproduce", "c.5").status == 0
    assert json.loads(run("reproduce", "c.5", "--format", "json").out)
    assert "accepted: " in refused("reproduce", "c.6")


def test_an_internal_fault_is_status_3(monkeypatch: pytest.MonkeyPatch) -> None:
    """Caught, one line, no traceback, no verdict."""
    for fault in (ZeroDivisionError("x\ny"), RecursionError(), MemoryError(), AssertionError("no"), KeyError("k")):

        def broken(*_: object, fault: BaseException = fault, **__: object) -> None:
            raise fault

        monkeypatch.setattr("certify.commands.check.check_file", broken)
        monkeypatch.delenv("CERTIFY_DEBUG", raising=False)
        ran = run("check", EXAMPLE)
        assert ran.status == 3
        assert ran.out == ""
        assert ran.err.startswith("certify: internal fault (") and ran.err.count("\n") == 1
        monkeypatch.setenv("CERTIFY_DEBUG", "1")
        with pytest.raises(type(fault)):
            run("check", EXAMPLE)


@pytest.mark.parametrize(
    ("fault", "status"), [(KeyboardInterrupt(), 130), (BrokenPipeError(), 1), (OSError(28, "No space left"), 3)]
)
def test_interruptions(fault: BaseException, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C, a closed pipe, a full disk."""

    def broken(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr("certify.commands.check.check_file", broken)
    monkeypatch.setattr(cli, "_abandon_output", lambda: None)
    ran = run("check", EXAMPLE)
    assert ran.status == status
    assert "Traceback" not in ran.err and ran.out == ""
    assert (ran.err == "") == isinstance(fault, BrokenPipeError)


def test_success_is_reached_from_certified_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """No verdicts at all is not a success."""
    monkeypatch.setattr("certify.commands.check.check_file", lambda *_, **__: ())
    assert run("check", EXAMPLE).status == 1

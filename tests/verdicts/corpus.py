"""The corpus of claim files: the folder is the verdict of every claim in each file; and edits of their text."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from certify.claims import load
from certify.verdicts import check_file
from certify.verdicts.model import ClaimVerdict, Verdict

CORPUS = Path(__file__).parents[1] / "corpus"
EXAMPLES = Path(__file__).parents[2] / "examples" / "claims"
_PLACE = re.compile(r"# (?:under \[(?P<table>\w+)\]|in claim (?P<claim>\d+))")


def files(verdict: Verdict) -> list[Path]:
    """The files whose claims all have this verdict."""
    return sorted((CORPUS / verdict.value).iterdir())


def name(path: Path) -> str:
    """The folder and the name, for the ids of tests."""
    return f"{path.parent.name}/{path.stem}"


def verdicts(path: Path, **options: Any) -> tuple[ClaimVerdict, ...]:
    """The verdicts on a file, without repairs unless asked."""
    return check_file(load(path), **{"repairs": False, **options})


@cache
def repaired(path: Path) -> tuple[ClaimVerdict, ...]:
    """The verdicts on a file with their repairs."""
    return check_file(load(path))


def as_mapping(path: Path) -> dict[str, Any]:
    """The fields of a corpus file; its decimals are all in quotes, so no reader rounds them."""
    if path.suffix == ".json":
        return dict(json.loads(path.read_text()))
    if path.suffix == ".toml":
        import tomllib

        return tomllib.loads(path.read_text())
    import yaml

    return dict(yaml.safe_load(path.read_text()))


def as_toml(path: Path) -> str:
    """A corpus file as TOML text."""
    return path.read_text() if path.suffix == ".toml" else toml(as_mapping(path))


def toml(document: dict[str, Any]) -> str:
    """The fields of a claim file as TOML text."""
    lines = [_assigned("schema", document["schema"])] if "schema" in document else []
    for table in ("release", "model", "policy"):
        lines += [f"[{table}]", *(_assigned(*item) for item in document.get(table, {}).items())]
    for claim in document["claim"]:
        lines += ["[[claim]]", *(_assigned(*item) for item in claim.items())]
    return "\n".join(lines) + "\n"


def with_line(text: str, line: str) -> str:
    """The TOML text after one line "field = value   # under [table]" (or "# in claim 2") is added or replaced."""
    place = _PLACE.search(line)
    if place is None:
        raise AssertionError(f"{line!r} does not say where it belongs")
    field, _, value = line.split("   #")[0].partition(" = ")
    header = "[[claim]]" if place["claim"] else f"[{place['table']}]"
    lines = text.splitlines()
    if header not in lines:
        first_claim = lines.index("[[claim]]")
        lines[first_claim:first_claim] = [header]
    start = [row for row, content in enumerate(lines) if content == header][int(place["claim"] or 1) - 1]
    end = next((row for row in range(start + 1, len(lines)) if lines[row].startswith("[")), len(lines))
    kept = [content for content in lines[start + 1 : end] if content.partition(" = ")[0] != field]
    return "\n".join([*lines[: start + 1], f"{field} = {value}", *kept, *lines[end:]]) + "\n"


def _assigned(field: str, value: object) -> str:
    return f"{field} = {json.dumps(value)}"

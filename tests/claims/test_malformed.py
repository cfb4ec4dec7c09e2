"""Every file of the malformed corpus is refused on the line and with the words that messages.tsv lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from certify.claims import load
from certify.errors import UnusableInput

CORPUS = Path(__file__).parents[1] / "corpus" / "malformed"
ROWS = [row.split("\t") for row in (CORPUS / "messages.tsv").read_text(encoding="utf-8").splitlines()[1:]]


@pytest.mark.parametrize(("name", "line", "fragment"), ROWS, ids=[row[0] for row in ROWS])
def test_refused_on_its_line(name: str, line: str, fragment: str) -> None:
    with pytest.raises(UnusableInput) as refused:
        load(CORPUS / name)
    message = str(refused.value)
    assert fragment in message
    assert refused.value.line == int(line)
    assert refused.value.file == str(CORPUS / name)
    assert message.isprintable()
    assert len(refused.value.message) < 600


def test_every_file_is_listed() -> None:
    listed = {row[0] for row in ROWS}
    assert listed == {path.name for path in CORPUS.iterdir()} - {"messages.tsv"}

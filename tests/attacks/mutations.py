"""Changes to a certificate, one at a time: to its text, or to a place of its document."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

from tests.attacks.sound import Document, document, sealed

Path = tuple[str | int, ...]


def places(value: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """Every place of a document with what stands there, the whole of it first."""
    yield path, value
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        yield from places(item, (*path, key))


def holder(value: Any, path: Path) -> Any:
    """What holds the place."""
    for key in path[:-1]:
        value = value[key]
    return value


def put(original: Document, path: Path, value: object) -> Document:
    """The document with another value at one place."""
    changed = copy.deepcopy(original)
    holder(changed, path)[path[-1]] = value
    return changed


def digits_changed(text: str) -> Iterator[str]:
    """Each digit of a text one higher, 9 becoming 0."""
    for at, c in enumerate(text):
        if c.isdigit():
            yield f"{text[:at]}{(int(c) + 1) % 10}{text[at + 1 :]}"


def every_change(data: bytes) -> Iterator[tuple[str, Document]]:
    """Every digit, key, text, flag and order of a certificate changed, one at a time."""
    original = document(data)
    for path, value in places(original):
        if not path or path == ("sha256",):
            continue
        where = ".".join(map(str, path))
        if isinstance(value, str):
            yield from ((f"digit {where}", put(original, path, text)) for text in digits_changed(value))
            yield f"text {where}", put(original, path, value + "x")
            yield f"empty {where}", put(original, path, "")
            yield f"number {where}", put(original, path, 1)
        elif isinstance(value, bool) or value is None:
            yield f"flag {where}", put(original, path, not value)
        elif isinstance(value, int):
            yield f"count {where}", put(original, path, value + 1)
            yield f"double {where}", put(original, path, 2 * value)
        elif isinstance(value, list):
            yield f"shorter {where}", put(original, path, value[:-1])
            yield f"longer {where}", put(original, path, [*value, *(value[-1:] or ["x"])])
            if len(value) > 1:
                yield f"order {where}", put(original, path, value[::-1])
        elif isinstance(value, dict):
            yield f"more {where}", put(original, path, {**value, "zzz": "0"})
        changed = copy.deepcopy(original)
        inside = holder(changed, path)
        if isinstance(inside, dict):
            kept = inside.pop(path[-1])
            yield f"gone {where}", copy.deepcopy(changed)
            inside[f"{path[-1]}_"] = kept
            yield f"renamed {where}", changed


def random_bytes(data: bytes, draw: random.Random) -> bytes:
    """The text of a certificate with a byte changed, cut out or put in, a line moved or doubled, or its end cut off."""
    at, other = draw.randrange(len(data)), draw.randrange(len(data))
    lines = data.splitlines(keepends=True)
    first, second = draw.randrange(len(lines)), draw.randrange(len(lines))
    ways: tuple[Callable[[], bytes], ...] = (
        lambda: data[:at] + bytes([draw.randrange(256)]) + data[at + 1 :],
        lambda: data[:at] + bytes([data[at] ^ (1 << draw.randrange(8))]) + data[at + 1 :],
        lambda: data[:at] + data[at + 1 :],
        lambda: data[:at] + data[other : other + draw.randrange(1, 40)] + data[at:],
        lambda: b"".join(line for number, line in enumerate(lines) if number != first),
        lambda: b"".join([*lines[:first], lines[second], *lines[first:]]),
        lambda: data[:at],
        lambda: data + data[:at],
    )
    return draw.choice(ways)()


NUMBERS = (
    *("0", "1", "-1", "2", "0.5", "1e-9999", "1e9999", "-1e-9999", "1e-300", "5e-324", "1/3", "1e-400000", "1e999999"),
    *("NaN", "inf", "-inf", "", "1e", "0x1", "1_0", "١", "1.0", "00", "1/0", "7" * 3000, "1/" + "3" * 3000),
)


def random_document(data: bytes, others: list[bytes], draw: random.Random) -> bytes:
    """A certificate with one place of its document changed and both digests recomputed."""
    original = document(data)
    found = [(path, value) for path, value in places(original) if path and path[0] != "sha256"]
    path, value = draw.choice(found)
    foreign = document(draw.choice(others))
    ways: list[Callable[[], object]] = [
        lambda: draw.choice(NUMBERS),
        lambda: draw.choice(found)[1],
        lambda: draw.choice(list(places(foreign)))[1],
        lambda: draw.choice([None, True, False, 0, -1, 64, 10**8, [], {}, "certified", "refuted", "not-certified"]),
    ]
    if isinstance(value, str):
        ways += [lambda: draw.choice(list(digits_changed(value)) or ["0"])] * 4
    if isinstance(value, list) and value:
        ways.append(lambda: draw.sample(value, len(value)))
    changed = put(original, path, draw.choice(ways)())
    if path[0] in foreign and draw.random() < 1 / 8:
        changed = put(original, path[:1], foreign[path[0]])
    return sealed(changed)

"""YAML text to a Document (needs PyYAML, the optional extra ``yaml``).

PyYAML rather than ruamel.yaml: it is smaller, typed by types-PyYAML, and its event level is all that is needed. Only
events are read, so no tag is ever resolved: every scalar stays text, quoted or plain, and ``exact`` alone says what a
number is (1e-5 is one, 010 is ten, 1:30, no and 1_0 are refused). Events carry their lines, and none is expanded:
anchors, aliases, tags, directives and second documents are refused where they stand, so there is no alias bomb.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from certify.claims.document import MAX_DEPTH, MAX_VALUES, Document, one_line, refuse, too_deep, too_many
from certify.errors import MissingExtra

if TYPE_CHECKING:
    from yaml.events import Event

MAX_YAML_BYTES = 500_000
_DIRECTIVE = re.compile(r"^%", re.MULTILINE)


def read_yaml(text: str, source: str) -> Document:
    """Return the tree of a YAML text, or raise UnusableInput; MissingExtra when PyYAML is not installed."""
    try:
        import yaml
    except ImportError:
        raise MissingExtra(
            "reading a YAML claim file needs PyYAML: pip install 'certify-dp[yaml]' (or write it as TOML or JSON)"
        ) from None
    if len(text) > MAX_YAML_BYTES:
        refuse(f"a YAML file of over {MAX_YAML_BYTES} characters is not read; write it as TOML or JSON", source)
    directive = _DIRECTIVE.search(text)
    if directive is not None:
        refuse("YAML directives (%) are not read", source, text.count("\n", 0, directive.start()) + 1)
    builder = _Builder(source)
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            builder.take(event)
    except yaml.reader.ReaderError as fault:
        line = text.count("\n", 0, fault.position) + 1
        refuse("not YAML: a character that YAML does not allow", source, line)
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        refuse(
            f"not YAML: {one_line(fault.problem or fault.context or 'unreadable')}",
            source,
            mark.line + 1 if mark else None,
        )
    return Document(source, builder.root(), builder.lines)


class _Builder:
    """Builds tables and lists from events with a stack of its own."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.lines: dict[str, int] = {}
        self.values = 0
        self.documents = 0
        self.top: object = None
        self.stack: list[tuple[str, dict[str, object] | list[object]]] = []
        self.names: list[str | None] = []
        """The pending field name of each open table; None when the next scalar is a name, and for lists."""

    def root(self) -> dict[str, object]:
        """The root table."""
        if not isinstance(self.top, dict):
            refuse("a claim file is a table of fields, such as release: ...", self.source, 1)
        return self.top

    def take(self, event: Event) -> None:
        """Add one event, or refuse it."""
        import yaml

        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                refuse("more than one YAML document; a claim file is one", self.source, line)
        elif isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            self.refuse("YAML anchors and aliases (& and *) are not read; write the value out", line)
        elif getattr(event, "tag", None) is not None:
            self.refuse("YAML tags (!) are not read; write the plain value", line)
        elif isinstance(event, yaml.ScalarEvent):
            self.scalar(event.value, line)
        elif isinstance(event, yaml.MappingStartEvent):
            self.open({}, line)
        elif isinstance(event, yaml.SequenceStartEvent):
            self.open([], line)
        elif isinstance(event, yaml.CollectionEndEvent):
            self.stack.pop()
            self.names.pop()

    def scalar(self, text: str, line: int) -> None:
        if not self.stack or isinstance(self.stack[-1][1], list) or self.names[-1] is not None:
            self.place(text, line)
            return
        path, table = self.stack[-1]
        if text in table:
            refuse("is written twice", self.source, line, _join(path, text))
        self.lines[_join(path, text)] = line
        self.names[-1] = text

    def open(self, value: dict[str, object] | list[object], line: int) -> None:
        if len(self.stack) >= MAX_DEPTH:
            too_deep(self.source, line)
        path = self.place(value, line)
        self.stack.append((path, value))
        self.names.append(None)

    def place(self, value: object, line: int) -> str:
        """Put a value into the innermost open table or list, and return its path."""
        self.values += 1
        if self.values > MAX_VALUES:
            too_many(self.source, line)
        if not self.stack:
            self.top = value
            return ""
        path, holder = self.stack[-1]
        if isinstance(holder, list):
            holder.append(value)
            inner = f"{path}[{len(holder)}]"
            self.lines[inner] = line
            return inner
        name = self.names[-1]
        if name is None:
            self.refuse("a field name is a text, not a list or a table", line)
        holder[name] = value
        self.names[-1] = None
        return _join(path, name)

    def refuse(self, message: str, line: int) -> NoReturn:
        """Refuse what stands here, naming the field that waits for its value."""
        path = self.stack[-1][0] if self.stack else ""
        name = self.names[-1] if self.names else None
        refuse(message, self.source, line, path if name is None else _join(path, name))


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name

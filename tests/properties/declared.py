"""How a property is declared: what is drawn, how often, and a register for the longer runs and the mutants.

Seeds are fixed (derandomized) and nothing is stored, so a run is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

PROFILE = "certify-properties"
settings.register_profile(
    PROFILE,
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=False,
    report_multiple_bugs=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@dataclass(frozen=True)
class Property:
    """A statement about every draw: ``body`` asserts it on one."""

    name: str
    body: Callable[..., None]
    drawn: Mapping[str, SearchStrategy[object]]
    examples: int

    def check(self, times: int = 1) -> None:
        """Assert the property on ``times`` times its usual number of draws; a counterexample is made small."""
        self._run(self.examples * times, (Phase.generate, Phase.shrink))

    def is_falsified(self, times: int = 1) -> bool:
        """Whether some draw is a counterexample; the first one found is enough."""
        try:
            self._run(self.examples * times, (Phase.generate,))
        except AssertionError:
            return True
        return False

    def _run(self, examples: int, phases: tuple[Phase, ...]) -> None:
        body = self.body

        def drawn(**values: object) -> None:
            body(**values)

        run = given(**self.drawn)(drawn)
        settings(settings.get_profile(PROFILE), max_examples=examples, phases=phases)(run)()


@dataclass(frozen=True)
class FixedCase:
    """A statement about one built case: ``body`` asserts it."""

    name: str
    body: Callable[[], None]

    def check(self) -> None:
        """Assert it."""
        self.body()

    def is_falsified(self, times: int = 1) -> bool:
        """Whether the assertion fails; ``times`` changes nothing, since nothing is drawn."""
        del times
        try:
            self.body()
        except AssertionError:
            return True
        return False


Checked = Property | FixedCase
PROPERTIES: dict[str, Checked] = {}


def names_in(package: str) -> set[str]:
    """The properties whose bodies stand in a package of the tests."""
    return {name for name, found in PROPERTIES.items() if found.body.__module__.startswith(f"{package}.")}


def registered(found: Checked) -> Checked:
    """The property, known by its name."""
    if found.name in PROPERTIES:
        raise ValueError(f"two properties are named {found.name!r}")
    PROPERTIES[found.name] = found
    return found


def prop(examples: int, **drawn: SearchStrategy[object]) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Make a test of a function that asserts a property of the values drawn for its parameters."""

    def declare(body: Callable[..., None]) -> Callable[[], None]:
        found = registered(Property(body.__name__.removeprefix("test_"), body, drawn, examples))

        def test() -> None:
            found.check()

        test.__name__, test.__doc__, test.__module__ = body.__name__, body.__doc__, body.__module__
        return test

    return declare


def fixed(body: Callable[[], None]) -> Callable[[], None]:
    """Make a registered property of a test without draws: a built, adversarial case."""
    registered(FixedCase(body.__name__.removeprefix("test_"), body))
    return body

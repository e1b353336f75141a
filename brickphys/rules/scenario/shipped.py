"""Shipped scenarios: those that come with a game, each read when it is first asked for; and others in files."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib.resources import files
from pathlib import Path

from brickphys.errors import ScenarioFileError, raised_as, unknown
from brickphys.files import is_shipped, is_there
from brickphys.reading import MOST_SETUP_BYTES, read_text, shipped_text
from brickphys.rules.record import Setup
from brickphys.rules.scenario.scenario import Scenario

_SUFFIX = ".toml"


class ShippedScenarios(Mapping[str, Setup]):
    """The setups of the scenarios that ship with a game, by name.

    Parameters
    ----------
    package
        The package of the game; the files are in its folder ``scenarios``.
    parse
        Reads the text of a file, given its name too.
    """

    def __init__(self, package: str, parse: Callable[[str, str], Scenario]) -> None:
        self._folder = files(package) / "scenarios"
        self._parse = parse
        self._read = dict[str, Scenario]()

    @cached_property
    def _names(self) -> tuple[str, ...]:
        found = (entry.name for entry in self._folder.iterdir() if entry.name.endswith(_SUFFIX))
        return tuple(sorted(name.removesuffix(_SUFFIX) for name in found))

    def scenario(self, name: str) -> Scenario:
        """Return a scenario.

        Raises
        ------
        InvalidValueError
            If there is none of that name.
        """
        if name not in self._names:
            raise unknown("scenario", name, self._names)
        if name not in self._read:
            text = shipped_text(self._folder / f"{name}{_SUFFIX}")
            self._read[name] = self._parse(text, f"{name}{_SUFFIX}")
        return self._read[name]

    def titles(self) -> dict[str, str]:
        """Return the titles of all, by name."""
        return {name: self.scenario(name).title for name in self}

    def read(self, path: Path | str) -> Scenario:
        """Return the scenario in a file of the game; ScenarioFileError tells every fault of form."""
        with raised_as(ScenarioFileError):
            return self.parse(read_text(path, MOST_SETUP_BYTES), str(path))

    def parse(self, text: str, name: str) -> Scenario:
        """Return the scenario in the text of a file of the game; `name` begins the message of an error."""
        return self._parse(text, name)

    def find(self, source: str) -> Scenario:
        """Return a scenario that ships, by name, or one in a file; see `read`."""
        is_file = source.endswith(_SUFFIX) or (is_there(source) and Path(source).is_file())
        return (
            self.read(source) if is_file and not is_shipped(source, self) else self.scenario(source)
        )

    def __getitem__(self, name: str) -> Setup:
        if name not in self._names:
            raise KeyError(name)
        return self.scenario(name).setup

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

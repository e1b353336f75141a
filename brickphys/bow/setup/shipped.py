"""Setups: the scenarios that ship by name, each read when it is first asked for; and duels of any two units."""

from collections.abc import Iterator, Mapping
from typing import Any

from brickphys.bow.setup.scenario_file import scenario, scenario_names

Setup = dict[str, Any]


class _Shipped(Mapping[str, Setup]):
    """The setups of the scenarios that ship."""

    def __getitem__(self, name: str) -> Setup:
        if name not in scenario_names():
            raise KeyError(name)
        return scenario(name).setup

    def __iter__(self) -> Iterator[str]:
        return iter(scenario_names())

    def __len__(self) -> int:
        return len(scenario_names())


SETUPS: Mapping[str, Setup] = _Shipped()


def duel(first: str = "trooper", second: str = "trooper", rounds: int = 40) -> Setup:
    """Return a duel between two units on an empty field, four studs apart.

    Parameters
    ----------
    first, second
        Sheets of the catalogue.
    rounds
        After so many rounds it ends.
    """
    return {
        "players": [{"name": "red"}, {"name": "blue"}],
        "field": {"width": 12, "length": 9},
        "units": [
            {"id": f"red_{first}", "sheet": first, "player": "red", "x": 3, "y": 4, "facing": "e"},
            {
                "id": f"blue_{second}",
                "sheet": second,
                "player": "blue",
                "x": 8,
                "y": 4,
                "facing": "w",
            },
        ],
        "aims": [{"kind": "rounds", "rounds": rounds}],
    }

"""Game facts: what tables of a study say of a game without loading it: who plays, and whether victories have grades.

A study keeps the facts of a class in a module beside the files that it names. So whoever looks at the rows of somebody
else's study runs no code of theirs.
"""

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from json import dumps, loads
from typing import Any, NamedTuple

from pydantic import Field, ValidationError

from brickphys.batch.kinds.study_type import Attached
from brickphys.errors import InvalidValueError, unknown
from brickphys.rules.game import AnyGame
from brickphys.rules.registry import filed_game, games, is_own_class, is_trusting
from brickphys.schema import Strict
from brickphys.seeds import generator
from brickphys.text import cleaned_line, shown

SETUPS = 2**32 - 1
"""Address of the setups that are drawn, beyond any cell."""
TRUST = "add --trust (from Python trust=True)"
"""What lets a study load classes in modules."""


class GameFacts(Strict):
    """What is known of a game: its players and their colours, none if it cannot begin; and if victories have grades."""

    players: list[str]
    graded: bool
    colours: list[str] = Field(default_factory=list)
    teams: list[int] = Field(default_factory=list)
    """The team of each player; none if each plays for itself."""

    def mates(self, player: int) -> list[int]:
        """Return the players who win with a player, itself among them."""
        if not self.teams:
            return [player]
        return [one for one, team in enumerate(self.teams) if team == self.teams[player]]


class Beginning(NamedTuple):
    """Where games begin: a scenario, with what was read from its file, or the options of a draw."""

    game: str
    scenario: str | None
    read: Any
    draw: Mapping[str, Any] | None


def study_game(name: str) -> AnyGame:
    """Return the game that a study names; the search among all installed packages takes longer than many games.

    InvalidValueError as `filed_game`.
    """
    if is_own_class(name):
        return filed_game(name, TRUST)
    return _installed(name)


@lru_cache
def _installed(name: str) -> AnyGame:
    if name not in (known := games()):
        raise unknown("game", name, known)  # `filed_game` would load all games for a suggestion
    return filed_game(name)


def known_game(name: str) -> None:
    """Check the name of a game, without loading a class in a module that is not trusted: its rows can be read."""
    if is_trusting() or not is_own_class(name):
        study_game(name)


def kept_facts(key: str, attached: Attached) -> GameFacts:
    """Return the facts that a study keeps under a key; InvalidValueError if there are none."""
    try:
        return GameFacts.model_validate(attached[key])
    except (KeyError, ValidationError):
        raise InvalidValueError(
            f"{shown(key)}: the study does not say who plays: an earlier version ran it, or it was edited; run it "
            "again in another folder"
        ) from None


def loaded_facts(begun: Beginning) -> GameFacts:
    """Return the facts of a game, by the game itself."""
    return _loaded_facts(begun.game, begun.scenario, dumps(begun.read), dumps(begun.draw))


@lru_cache(maxsize=1024)
def _loaded_facts(name: str, scenario: str | None, read: str, draw: str) -> GameFacts:
    game, setup, options, players = study_game(name), loads(read), loads(draw), list[str]()
    colours, teams = list[str](), list[int]()
    with suppress(InvalidValueError):
        if options is not None:
            _, setup = game.draw_setup(options, generator(0, SETUPS, 0))
        elif setup is None:
            setup = game.setups.get(scenario or "")
        if setup is not None:
            first = game.initial(setup)
            players = [cleaned_line(game.player_name(first, n)) for n in range(game.players(first))]
            colours = list(game.player_colours(first))
            teams = list(getattr(getattr(first, "setting", None), "teams", ()))
    return GameFacts(players=players, graded=game.has_grades, colours=colours, teams=teams)

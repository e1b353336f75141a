"""Setting: the constants of a game, and the digest of its setup."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from json import dumps
from typing import Any, Self

from brickphys.chain import digest
from brickphys.errors import InvalidValueError
from brickphys.rules.colours import player_colours
from brickphys.rules.record import Setup
from brickphys.text import shown


def setup_digest(setup: Setup) -> str:
    """Return the digest of a setup; the order of its keys does not matter.

    Raises
    ------
    InvalidValueError
        If it does not consist of JSON values under string keys.
    """
    try:
        return digest(dumps(setup, sort_keys=True, default=repr))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidValueError(f"setup: not JSON: {error}") from None


@dataclass(frozen=True)
class DigestedSetup:
    """A setup, known by its digest: the argument of cached functions that read equal setups once."""

    digest: str
    setup: Setup = field(compare=False)

    @classmethod
    def of(cls, setup: Setup) -> Self:
        """Return a setup with its digest; InvalidValueError for a name, or anything else that is no table."""
        if not isinstance(setup, Mapping):
            raise InvalidValueError(f"setup: {shown(setup)} is not a table: game.setups has them")
        return cls(setup_digest(setup), setup)


def with_options(setup: Setup, options: Mapping[str, Any]) -> Setup:
    """Return a setup with some of its options changed; the game checks them.

    Raises
    ------
    InvalidValueError
        If the setup of the game has options of another form.
    """
    if not options:
        return setup
    given = setup.get("options", {})
    if not isinstance(given, Mapping):
        raise InvalidValueError(f"options: {given!r} is not a table")
    return {**setup, "options": {**given, **options}}


@dataclass(frozen=True, eq=False)
class GameSetting:
    """The constants of a game; two settings are equal if they were made from equal setups.

    Attributes
    ----------
    digest
        Digest of the setup: the notation of a state names its setting by it.
    players
        The name of each player.
    chosen_colours
        The colour that the setup gives to each player; None for none, and empty if to nobody.
    """

    digest: str
    players: tuple[str, ...]
    chosen_colours: tuple[str | None, ...] = field(default=(), kw_only=True)

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """The colour of each player; see `player_colours`."""
        return player_colours(self.players, self.chosen_colours)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameSetting) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # a frozen value

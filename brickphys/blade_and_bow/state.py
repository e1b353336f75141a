"""State: a battle at one moment; in what a player sees, -1 stands for the enemy's cards, and for ranks that are hidden.

Units, leaders, squares, cards and players have numbers: indices of the tuples of the state and of its setting. Of unit
`n`:

- Turn: the player is ``state.mover``, in ``state.phase``; ``state.actions`` are left in the impulse,
  ``state.activation`` and ``state.combat`` say what goes on.
- Name: ``state.setting.units[n].name``; its number by name is ``state.setting.unit_numbers[name]``.
- Side: ``state.player_of(n)``; ``state.on_map(player)`` yields the units of a player on the map.
- Health: ``state.units[n].ranks`` besides itself, and ``disrupted``. ``state.losses`` counts what each army has lost.
- Place: ``state.units[n].square``; ``state.setting.grid.xy(square)`` is its column and row, and
  ``state.setting.squares[square]`` its name. ``state.at`` finds the unit in a square.
- Values: ``state.side(n)`` has its movement, dice and range, as disrupted as it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Annotated, Any, ClassVar

from brickphys.blade_and_bow import pieces
from brickphys.blade_and_bow.setting import CardNumber, Setting, SquareNumber
from brickphys.blade_and_bow.sheets import CounterSide, charts
from brickphys.grid.grid import Square, Squares, squares_of
from brickphys.rules.turn_state import Count, PlayerNumber, TurnState
from brickphys.text import spoken


class Phase(Enum):
    """The part of a turn (BB 5.0)."""

    SETUP = "setup"
    CARDS = "cards"
    """Players draw (BB 5.1)."""
    INITIATIVE = "initiative"
    """Dice for the initiative, then those of special rules (BB 5.3)."""
    IMPULSES = "impulses"
    """Players spend impulses in turn (BB 5.4)."""
    ROUT = "rout"
    """Rout management, then victory and the end of the turn (BB 5.5 to 5.7)."""


@dataclass(frozen=True, kw_only=True)
class State(TurnState):
    """A battle at one moment."""

    kept: ClassVar = {
        "at": frozenset({"units"}),
        "occupied": frozenset({"units"}),
        "leaders_at": frozenset({"leaders"}),
        "commanders": frozenset({"leaders"}),
        "zones": frozenset({"units"}),
        "targets": frozenset({"units", "activation", "played", "camps", "sacked"}),
        "able": frozenset({"units", "mover", "played", "camps", "sacked"}),
        "pieces_hash": frozenset({"units", "leaders"}),
    }

    setting: Setting
    """What never changes."""
    units: Annotated[tuple[pieces.UnitState, ...], "units"]
    """All units, in the order of the setting."""
    leaders: Annotated[tuple[pieces.LeaderState, ...], "leaders"]
    """All leaders, in the order of the setting."""
    camps: Annotated[tuple[SquareNumber | None, ...], "players"]
    """The square of each player's camp; None for none, or before it is placed."""
    sacked: Annotated[tuple[bool, ...], "players"]
    """Whether the camp of each player is lost."""
    deck: tuple[CardNumber, ...]
    """The cards that are left, in increasing order. Every card is in the deck, in a hand or discarded."""
    hands: Annotated[tuple[tuple[CardNumber, ...], ...], "players"]
    """The cards in each player's hand, in increasing order; -1 for one that the viewer may not know."""
    discards: tuple[CardNumber, ...] = ()
    """The cards that are discarded, in increasing order."""
    hand_sizes: Annotated[tuple[Count, ...], "players"] = (0, 0)
    """How many cards each player may hold in this turn, under a commander; 0 before the first turn."""
    played: tuple[pieces.Played, ...] = ()
    """Cards in force; they are in the discards too."""
    losses: Annotated[tuple[Count, ...], "players"]
    """How many units and ranks of each player are eliminated."""
    turn: Count = 0
    """The number of the turn; 0 before the first."""
    phase: Phase = Phase.SETUP
    """The part of the turn."""
    holder: PlayerNumber = 0
    """The player who holds the initiative."""
    mover: PlayerNumber = 0
    """The player whose impulse it is."""
    impulses: Annotated[tuple[Count, ...], "players"]
    """The impulses that each player has left in this turn."""
    actions: Count = 0
    """The actions that are left in this impulse."""
    activation: pieces.Activation | None = None
    """The unit or formation that is activated; None between activations."""
    combat: pieces.Combat | None = None
    """The melee or volley that goes on; None between combats."""
    discovered: bool = False
    """Thermopylae: whether the path is known."""
    entry: Count = 0
    """Mycale: the die for the place of the reinforcements; 0 before it is rolled."""
    delay: Count = 0
    """Mycale: how many turns the reinforcements have waited."""
    result: pieces.BattleResult | None = None
    """How the battle has ended; None while it goes on."""

    def __hash__(self) -> int:
        """Return the hash of what mostly differs, worked out once."""
        return self._hash

    @property
    def player(self) -> int:
        """The player whose impulse it is."""
        return self.mover

    @cached_property
    def _hash(self) -> int:
        return hash((self.public_hash, self.hands))

    @cached_property
    def public_hash(self) -> int:
        """The hash of what mostly differs besides hands."""
        own = (self.turn, self.mover, self.actions, self.activation, self.combat, self.pending)
        return hash((self.pieces_hash, *own))

    @cached_property
    def pieces_hash(self) -> int:
        """The hash of units and leaders."""
        return hash((self.setting, self.units, self.leaders))

    @classmethod
    def printed(cls, setting: Setting) -> "State":
        """Return the state before the first turn: all as printed, and all cards in the deck."""
        boxes = {False: pieces.Box.MAP, True: pieces.Box.WAITING}
        units = (
            pieces.UnitState(boxes[one.square is None], one.square, one.facing, one.ranks)
            for one in setting.units
        )
        leaders = (
            pieces.LeaderState(boxes[one.square is None], one.square) for one in setting.leaders
        )
        players = len(setting.players)
        return cls(
            setting=setting,
            units=tuple(units),
            leaders=tuple(leaders),
            camps=tuple(places[0] if places else None for places in setting.camp_places),
            sacked=(False,) * players,
            deck=tuple(setting.cards),
            hands=((),) * players,
            losses=(0,) * players,
            impulses=setting.impulses,
            holder=setting.tie_breaker,
            mover=setting.tie_breaker,
        )

    @cached_property
    def at(self) -> dict[Square, int]:
        """The number of the unit in each square that has one."""
        return {unit.square: n for n, unit in enumerate(self.units) if unit.square is not None}

    @cached_property
    def occupied(self) -> tuple[Squares, ...]:
        """The squares of the units of each player."""
        specs = self.setting.units
        found = [0] * len(self.setting.players)
        for square, number in self.at.items():
            found[specs[number].player] |= 1 << square
        return tuple(found)

    @cached_property
    def leaders_at(self) -> dict[Square, tuple[int, ...]]:
        """The numbers of the leaders in each square that has some, the ranking one first."""
        found: dict[Square, list[int]] = {}
        specs = self.setting.leaders
        for number in sorted(range(len(specs)), key=lambda n: specs[n].rank):
            if (square := self.leaders[number].square) is not None:
                found.setdefault(square, []).append(number)
        return {square: tuple(numbers) for square, numbers in found.items()}

    @cached_property
    def commanders(self) -> tuple[int | None, ...]:
        """The overall commander of each player: the leader on the map with the highest rank (BB 6.1.1)."""
        specs = self.setting.leaders
        found: list[int | None] = [None] * len(self.setting.players)
        for number in sorted(range(len(specs)), key=lambda n: -specs[n].rank):
            if self.leaders[number].box is pieces.Box.MAP:
                found[specs[number].player] = number
        return tuple(found)

    @property
    def fight(self) -> pieces.Combat:
        """The combat, where there is one."""
        assert self.combat is not None
        return self.combat

    @property
    def lead(self) -> int:
        """The lead attacker of the combat, where there is one."""
        assert self.fight.lead is not None
        return self.fight.lead

    @property
    def target(self) -> int:
        """The unit that is attacked, where there is one."""
        assert self.fight.target is not None
        return self.fight.target

    @property
    def activated(self) -> pieces.Activation:
        """The activation, where there is one."""
        assert self.activation is not None
        return self.activation

    def square_of(self, unit: int) -> Square:
        """Return the square of a unit that is on the map."""
        square = self.units[unit].square
        assert square is not None
        return square

    def unit_name(self, unit: int) -> str:
        """Return the name of a unit as it is read."""
        return spoken(self.setting.units[unit].name)

    def leader_name(self, leader: int) -> str:
        """Return the name of a leader as it is read."""
        return spoken(self.setting.leaders[leader].name)

    def player_name(self, player: int) -> str:
        """Return the name of a player as it is read."""
        return spoken(self.setting.players[player])

    def player_of(self, unit: int) -> int:
        """Return the player of a unit."""
        return self.setting.units[unit].player

    def side(self, unit: int) -> CounterSide:
        """Return the values of the side of a unit that is up (BB 2.3.2.7)."""
        counter = self.setting.units[unit].counter
        return counter.disrupted if self.units[unit].disrupted else counter.good

    def on_map(self, player: int) -> Iterator[int]:
        """Yield the numbers of the units of a player that are on the map."""
        specs = self.setting.units
        return (number for number in self.at.values() if specs[number].player == player)

    def leaders_with(self, unit: int) -> tuple[int, ...]:
        """Return the leaders who are stacked with a unit, the ranking one first."""
        square = self.units[unit].square
        return self.leaders_at.get(square, ()) if square is not None else ()

    def leader_of(self, unit: int) -> int | None:
        """Return the ranking leader who is stacked with a unit; None if there is none."""
        here = self.leaders_with(unit)
        return here[0] if here else None

    def leader_squares(self, player: int) -> Squares:
        """Return the squares of the leaders of a player."""
        specs = self.setting.leaders
        here = self.leaders_at.items()
        return squares_of(square for square, who in here if specs[who[0]].player == player)

    def morale(self, player: int) -> int:
        """Return the command value of a player's commander (BB 3.4); `no_leader` without one (ours)."""
        commander = self.commanders[player]
        if commander is None:
            return charts().morale["no_leader"]
        return self.setting.leaders[commander].value

    def colour(self, player: int) -> str:
        """Return the colour of the command numbers that count for a player (BB 2.3.1.3)."""
        commander = self.commanders[player]
        if commander is None:
            return charts().no_leader_colour
        return self.setting.leaders[commander].colour

    def hand_size(self, player: int) -> int:
        """Return how many cards a player may hold, by who commanded when the turn began (BB 4.0)."""
        if self.commanders[player] is None:
            return charts().morale["no_leader_hand"]
        return self.hand_sizes[player]

    @property
    def next_hand_sizes(self) -> tuple[int, ...]:
        """The size of each player's hand in a turn that begins now (BB 4.0)."""
        least = charts().morale["no_leader_hand"]
        commanders = enumerate(self.commanders)
        return tuple(least if who is None else self.morale(n) + 1 for n, who in commanders)

    def change_unit(self, number: int, **changes: Any) -> "State":
        """Return the state with some attributes of a unit changed."""
        return self.with_entry("units", number, self.units[number].replaced(changes))

    def change_leader(self, number: int, **changes: Any) -> "State":
        """Return the state with some attributes of a leader changed."""
        return self.with_entry("leaders", number, self.leaders[number].replaced(changes))

    def placed(
        self, number: int, square: Square, facing: int, pushed: tuple[int, Square] | None = None
    ) -> "State":
        """Return the state with a unit in another square; leaders who are stacked with it go along (BB 6).

        The unit that stood there is pushed to a square with its own leaders.
        """
        moves = [(number, square)] if pushed is None else [(number, square), pushed]
        state = self.change_unit(number, facing=facing)
        for unit, to in moves:
            state = state.change_unit(unit, square=to)
            for leader in self.leaders_with(unit):
                state = state.change_leader(leader, square=to)
        return state

    def change_activation(self, **changes: Any) -> "State":
        """Return the state with some attributes of the activation changed."""
        return self.replaced({"activation": self.activated.replaced(changes)})

    def change_combat(self, **changes: Any) -> "State":
        """Return the state with some attributes of the combat changed."""
        return self.replaced({"combat": self.fight.replaced(changes)})

    def rout_level(self, player: int) -> int:
        """Return the losses at which an army routs: one less once its camp is lost (BB 12)."""
        return self.setting.rout_levels[player] - self.sacked[player]

    def camp_set(self, player: int) -> Squares:
        """Return the square of a player's camp as a set; it is empty without a camp, or when that is lost."""
        camp = self.camps[player]
        return 0 if camp is None or self.sacked[player] else 1 << camp

    def leaders_killed(self, player: int) -> int:
        """Return how many leaders of a player are killed."""
        pairs = zip(self.setting.leaders, self.leaders, strict=True)
        return sum(
            spec.player == player and now.box is pieces.Box.ELIMINATED for spec, now in pairs
        )

    def with_losses(self, player: int, count: int) -> "State":
        """Return the state with more losses of a player (BB 2.3.3.3)."""
        return self.with_entry("losses", player, self.losses[player] + count)

    def out_of_play(self, number: int, box: pieces.Box) -> "State":
        """Return the state with a unit off the map, in a box; an eliminated one is a loss."""
        gone = {"box": box, "square": None, "wall": False, "marker": False}
        state = self.change_unit(number, **gone)
        if box is not pieces.Box.ELIMINATED:
            return state
        return state.with_losses(self.player_of(number), 1)


@dataclass(slots=True, eq=False)
class StatePart:
    """A part of a state, equal to that of another state with the same key; an argument of functions that remember."""

    state: State
    """The state; what is worked out of it depends on the key only."""
    key: tuple[Any, ...]
    """Its values that count."""
    number: int
    """The hash of some of them."""

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StatePart) and self.key == other.key


def part_of_pieces(state: State) -> StatePart:
    """Return the part on which depends what units can do: all besides hands and the course of a turn."""
    places = state.setting, state.units, state.leaders, state.camps, state.sacked
    return StatePart(state, (*places, state.played, state.discovered), state.pieces_hash)

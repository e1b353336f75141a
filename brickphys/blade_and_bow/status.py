"""Status: a battle at one moment, as a player may see it: the map, and tables of armies, units and leaders.

Here are also the names in play, and where on the map the acting unit is and an action leads.
"""

from collections.abc import Iterator, Sequence

from brickphys.blade_and_bow.command.actions import SQUARE, UnitQuestion
from brickphys.blade_and_bow.command.cards import ARMY
from brickphys.blade_and_bow.command.movement import mover
from brickphys.blade_and_bow.deck import deck, effect_text
from brickphys.blade_and_bow.deployment import unchosen
from brickphys.blade_and_bow.pieces import HIDDEN, Box
from brickphys.blade_and_bow.scene import battle_map, ranks_text, unit_letters
from brickphys.blade_and_bow.setting import Setting
from brickphys.blade_and_bow.state import Phase, State
from brickphys.geometry.polygon import Point
from brickphys.grid.grid import FACING_NAMES
from brickphys.rules.names import Names, Naming, names_text, player_names
from brickphys.rules.report.story import status_text
from brickphys.rules.words import Action, last_place
from brickphys.text import counted, spoken


def battle_status(view: State) -> str:
    """Return the turn, the map, and tables of the armies, the units, the leaders, and cards that are known."""
    tables = [
        [_ARMY_COLUMNS, *_army_rows(view)],
        [_UNIT_COLUMNS, *_unit_rows(view)],
        [_LEADER_COLUMNS, *_leader_rows(view)],
        [_CARD_COLUMNS, *_card_rows(view)],
    ]
    shown = [table for table in tables if len(table) > 1]
    return status_text(headline(view), battle_map(view), shown, _notes(view))


def headline(state: State) -> str:
    """Return the turn, its phase, and whose impulse it is."""
    if state.phase is Phase.SETUP:
        return "Before the first turn"
    text = f"Turn {state.turn}, {_PHASES[state.phase]}"
    if state.phase is not Phase.IMPULSES:
        return text
    who = state.player_name(state.mover)
    return f"{text} of {who}, {counted(state.actions, 'action')} left"


def card_names(cards: Sequence[int]) -> str:
    """Return the names of cards; of hidden ones how many there are."""
    known = [deck()[card].name for card in cards if card != HIDDEN]
    hidden = len(cards) - len(known)
    return ", ".join([*known, *([f"{hidden} hidden"] if hidden else [])]) or "none"


def square_name(setting: Setting, square: int | None) -> str:
    """Return the name of a square; empty for none."""
    return "" if square is None else setting.squares[square]


_PHASES = {
    Phase.CARDS: "cards are drawn",
    Phase.INITIATIVE: "the dice for the initiative",
    Phase.IMPULSES: "an impulse",
    Phase.ROUT: "rout management",
}
_ARMY_COLUMNS = ("army", "losses", "impulses", "morale", "cards", "ranks", "")


def _army_rows(state: State) -> Iterator[Sequence[str]]:
    setting = state.setting
    for player, name in enumerate(setting.players):
        is_known = state.phase in (Phase.IMPULSES, Phase.ROUT)
        notes = ["holds the initiative"] if is_known and player == state.holder else []
        notes += ["its camp is sacked"] if state.sacked[player] else []
        yield (
            name,
            f"{state.losses[player]} of {state.rout_level(player)}",
            f"{state.impulses[player]} of {setting.impulses[player]}",
            f"{state.morale(player)} {state.colour(player)}",
            str(len(state.hands[player])),
            str(setting.ranks[player]),
            ", ".join(notes),
        )


_UNIT_COLUMNS = ("", "unit", "army", "kind", "at", "looks", "ranks", "")


def _unit_rows(state: State) -> Iterator[Sequence[str]]:
    setting, known, waiting = state.setting, unit_letters(state.setting), unchosen(state)
    for number, (spec, unit) in enumerate(zip(setting.units, state.units, strict=True)):
        if unit.square is None:
            continue
        yield (
            known[number],
            spec.name,
            setting.players[spec.player],
            spoken(spec.counter.name),
            square_name(setting, unit.square),
            FACING_NAMES[unit.facing],
            "?" if number in waiting else ranks_text(state, number),
            ", ".join(_remarks(state, number)),
        )


def _remarks(state: State, number: int) -> list[str]:
    unit, activation = state.units[number], state.activation
    moves = activation is not None and activation.active == number
    signs = {"disrupted": unit.disrupted, "shield wall": unit.wall, "in melee": unit.marker}
    return [sign for sign, holds in (signs | {"moves": moves}).items() if holds]


_LEADER_COLUMNS = ("leader", "army", "rank", "range", "command", "at")


def _leader_rows(state: State) -> Iterator[Sequence[str]]:
    setting = state.setting
    for spec, leader in zip(setting.leaders, state.leaders, strict=True):
        place = square_name(setting, leader.square) or _BOXES[leader.box]
        if leader.box is Box.CAPTURED:
            place += f" until turn {leader.returns}"
        yield (
            spec.name,
            setting.players[spec.player],
            str(spec.rank),
            str(spec.range_points),
            f"{spec.value} {spec.colour}",
            place,
        )


_CARD_COLUMNS = ("card", "in hand of", "commitment", "effect")


def _card_rows(state: State) -> Iterator[Sequence[str]]:
    for name, hand in zip(state.setting.players, state.hands, strict=True):
        for card in (deck()[number] for number in hand if number != HIDDEN):
            yield card.name, name, str(card.commitment), effect_text(card)


_BOXES = {
    Box.WAITING: "not yet on the map",
    Box.ROUTED: "routed",
    Box.RALLIED: "rallied",
    Box.CAPTURED: "captured",
    Box.ELIMINATED: "killed",
}
_UNIT_BOXES = _BOXES | {Box.ELIMINATED: "eliminated", Box.LEFT: "gone with the spoils of a camp"}


def _notes(state: State) -> Iterator[str]:
    pairs = list(zip(state.setting.units, state.units, strict=True))
    for box, words in _UNIT_BOXES.items():
        if names := [spec.name for spec, unit in pairs if unit.box is box]:
            yield f"{words}: {names_text(names)}"
    if state.played:
        yield f"cards in force: {card_names([one.card for one in state.played])}"
    if state.discards:
        yield f"discarded: {card_names(state.discards)}"


def names(state: State) -> Names:
    """Return the names of units and leaders, of camps, and of all cards of the deck."""
    setting = state.setting
    camps = {f"camp_{name}": Naming(player) for player, name in enumerate(setting.players)}
    others = [ARMY, *(card.name for card in deck())]
    return {
        **dict.fromkeys(others, Naming()),
        **camps,
        **player_names(setting.leaders),
        **player_names(setting.units, unit_letters(setting)),
    }


def here(state: State) -> Point | None:
    """Return the square of the unit that moves, or about which its player is asked."""
    asked = state.first_pending
    unit = asked.unit if isinstance(asked, UnitQuestion) else mover(state)
    return None if unit is None else _point(state, state.units[unit].square)


def place_of(state: State, action: Action[State]) -> Point | None:
    """Return the square that an action names, or else that of the last unit, leader or camp that it names."""
    for argument, value in zip(action.arguments, action.values(), strict=True):
        if argument is SQUARE:
            return _point(state, state.setting.square_numbers.get(value))
    return last_place(action, lambda name: _point(state, _square(state, name)))


def _square(state: State, name: str) -> int | None:
    """Return where a unit, a leader or a camp is; None if there is none of the name on the map."""
    setting = state.setting
    places = {
        **{f"camp_{one}": camp for one, camp in zip(setting.players, state.camps, strict=True)},
        **{spec.name: now.square for spec, now in zip(setting.leaders, state.leaders, strict=True)},
        **{spec.name: now.square for spec, now in zip(setting.units, state.units, strict=True)},
    }
    return places.get(name)


def _point(state: State, square: int | None) -> Point | None:
    return None if square is None else state.setting.middle(square)

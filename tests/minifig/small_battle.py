"""Small battles in a test: figures, things and lying weapons on a table, and moves as players type them."""

from dataclasses import dataclass
from typing import Any

from brickphys.files import digest
from brickphys.minifig.setting import (
    THICK_IN,
    FigureSpec,
    ItemSpec,
    Options,
    Setting,
    ThingSpec,
    WallSpec,
    Zone,
    ZoneKind,
)
from brickphys.minifig.sheets import BASE_RADIUS_IN, charts
from brickphys.minifig.state import FigureState, ItemState, State, ThingState
from brickphys.minifig.turns import ACTION_TYPES
from brickphys.rules.words import Action, ActionTypes, by_word, parse_action

APART = 2 * BASE_RADIUS_IN + 0.02
"""Between the middles of two bases that touch."""
ACROSS = APART + THICK_IN
"""The same over a wall that both touch."""
HILL = Zone(ZoneKind.HILL, ((5.0, 5.0), (10.2, 5.0), (10.2, 15.0), (5.0, 15.0)), 1)
HORSES = {"ash": ("horse", 10.0, 10.0), "elm": ("horse", 10.0 + APART, 10.0)}
SQUARE = ((10.0, 10.0), (20.0, 10.0), (20.0, 20.0), (10.0, 20.0))


@dataclass(frozen=True)
class Fighter:
    spec: FigureSpec
    state: FigureState
    arms: tuple[str, ...]
    horse: str | None


def fighter(
    name: str,
    x: float,
    y: float,
    *arms: str,
    player: int = 0,
    kind: str = "soldier",
    facing: float = 0.0,
    horse: str | None = None,
    experience: int = 0,
    **changes: Any,
) -> Fighter:
    """A figure at a place with arms that it holds or wears; `horse` is the name of a thing that it rides."""
    sheets = charts()
    worn = tuple(sheets.arms[arm] for arm in arms if sheets.arms[arm].is_worn)
    spec = FigureSpec(name, player, sheets.kinds[kind], worn, experience)
    held = tuple(arm for arm in arms if not sheets.arms[arm].is_worn)
    return Fighter(spec, FigureState(float(x), float(y), facing, **changes), held, horse)


def battle(
    *fighters: Fighter,
    things: dict[str, tuple[str, float, float]] | None = None,
    lying: dict[str, tuple[str, float, float]] | None = None,
    walls: tuple[WallSpec, ...] = (),
    zones: tuple[Zone, ...] = (),
    table: tuple[float, float] = (48.0, 36.0),
    options: Options | None = None,
    teams: tuple[int, ...] | None = None,
    **changes: Any,
) -> State:
    """Return a battle in the movement of red, player 0.

    `things` and `lying` are name -> kind of thing or arm, x, y. What a fighter holds is named after both:
    ``tom_sword``.
    """
    things, lying, sheets = things or {}, lying or {}, charts()
    players = max(each.spec.player for each in fighters) + 1
    held = [(number, arm) for number, each in enumerate(fighters) for arm in each.arms]
    items = [
        ItemSpec(f"{fighters[number].spec.name}_{arm}", sheets.arms[arm]) for number, arm in held
    ]
    items += [ItemSpec(name, sheets.arms[arm]) for name, (arm, *_) in lying.items()]
    names = tuple(things)
    setting = Setting(
        digest(repr((fighters, things, lying, walls, zones, table, options, teams))),
        ("red", "blue", "green")[:players],
        width_in=table[0],
        length_in=table[1],
        teams=teams or tuple(range(players)),
        figures=tuple(each.spec for each in fighters),
        things=tuple(ThingSpec(name, sheets.things[kind]) for name, (kind, *_) in things.items()),
        items=tuple(items),
        walls=walls,
        zones=zones,
        options=options or Options(),
    )
    riding = (each.horse if each.horse is None else names.index(each.horse) for each in fighters)
    values = {"round": 1, "order": tuple(range(players)), **changes}
    return State(
        setting=setting,
        figures=tuple(
            each.state.replaced({"horse": horse})
            for each, horse in zip(fighters, riding, strict=True)
        ),
        things=tuple(ThingState(float(x), float(y)) for _, x, y in things.values()),
        items=(
            *(ItemState(number) for number, _ in held),
            *(ItemState(None, (float(x), float(y))) for _, x, y in lying.values()),
        ),
        walls=tuple(() for _ in walls),
        **values,
    )


def read(text: str) -> Action[State]:
    return parse_action(by_word(ACTION_TYPES), text)


def why_not(state: State, text: str) -> list[str]:
    return list(read(text).problems(state))


def listed(types: ActionTypes, state: State) -> list[str]:
    return [action.text() for each in types for action in each.legal(state)]


def played(state: State, *moves: str) -> State:
    """Return the state after legal actions; pending rolls are left to the test."""
    for move in moves:
        assert not why_not(state, move), (move, why_not(state, move))
        state = read(move).apply(state)
    return state

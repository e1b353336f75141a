"""Games of bots that like to drive, on small rough fields, and what overlaps in their states as shapely sees it."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
import shapely
from shapely import affinity

from brickphys.bow.actions.driving import Advance, ChangeSpeed
from brickphys.bow.field import Field
from brickphys.bow.sheets.catalogue import catalogue
from brickphys.bow.state import State
from brickphys.errors import InvalidValueError
from brickphys.rules.record import CHANCE, OVER
from brickphys.rules.rolls import OpposedRoll
from tests.bow.battle import GAME, seated, vehicle

Solid = tuple[str, Any, float, float]
"""Name, footprint, bottom and top."""
FIGURE_PLATES, DEEP_PLATES = 12.5, 1000.0
LEAST_STUDS2, LEAST_PLATES = 1e-6, 1e-6
HEIGHTS_PLATES = (0.0, 1.0, 2.0, 3.0, 3.0, 6.0, 9.0, 15.0, 24.0)
LIKES = {
    "advance": 9.0,
    "speed": 4.0,
    "do speed": 4.0,
    "turn": 3.0,
    "do turn": 3.0,
    "board": 5.0,
    "do board": 5.0,
    "drift": 4.0,
    "do drift": 4.0,
    "end": 1.0,
    "leave": 0.2,
    "do leave": 0.2,
    "unit": 1.0,
}
"""How gladly a bot does what; all else it likes half as much as to end its turn."""


def rough_setup(seed: int) -> dict[str, Any]:
    """Return the first battle without a fault that a seed leads to: steps, cliffs, bridges, and a vehicle for most."""
    rng = np.random.default_rng([seed, 0])
    while True:
        setup = _drawn(rng)
        try:
            GAME.initial(setup)
        except InvalidValueError:
            continue
        return setup


def drive(setup: dict[str, Any], seed: int, most_steps: int = 500) -> Iterator[State]:
    """Yield the states of a game of bots that like to drive."""
    rng, state = np.random.default_rng([seed, 1]), GAME.initial(setup)
    yield state
    for _ in range(most_steps):
        actor = GAME.actor(state)
        if actor == OVER:
            return
        if actor == CHANCE:
            event = GAME.chance(state)
            bricks = (
                (event.attack, event.defence) if isinstance(event, OpposedRoll) else event.bricks
            )
            scores = np.asarray(rng.binomial(bricks, 0.25)).tolist()
            state = GAME.apply(state, tuple(scores) if isinstance(scores, list) else scores)
        else:
            actions = GAME.actions(state)
            likes = np.array([_like(state, action) for action in actions])
            state = GAME.apply(state, actions[int(rng.choice(len(actions), p=likes / likes.sum()))])
        yield state


def seen_overlaps(state: State) -> list[tuple[str, str]]:
    """Return all pairs of which one is a unit or a vehicle, and which fill the same space by more than a rounding."""
    loose, (fixed, tree) = list(_loose(state)), _fixed(state.setting.field, state.open_ids)
    pairs = list(combinations(loose, 2))
    if fixed:
        near = tree.query(_plans(loose)).T.tolist()
        pairs += [(loose[one], fixed[other]) for one, other in near]
    return [
        (one[0], other[0])
        for one, other in pairs
        if min(one[3], other[3]) - max(one[2], other[2]) > LEAST_PLATES
        and one[1].intersects(other[1])
        and one[1].intersection(other[1]).area > LEAST_STUDS2
    ]


def _like(state: State, action: Any) -> float:
    """Return how gladly a bot does an action: it drives slowly, and turns or stops before it leaves the field."""
    if isinstance(action, ChangeSpeed):
        return 3.0 / action.speed if action.speed else 0.3 + 9.0 * _leaves(state)
    if isinstance(action, Advance) and _leaves(state):
        return 0.1
    return LIKES.get(action.text(), LIKES.get(action.word, 0.5))


def _leaves(state: State) -> bool:
    """Tell whether the vehicle of the active unit would leave the field if nothing stopped it."""
    assert state.piloted is not None
    body, field = state.vehicle_body(state.piloted), state.setting.field
    x, y = (
        at + 5 * body.speed * way for at, way in zip(body.centre_studs, body.heading, strict=True)
    )
    return not (0 <= x <= field.width and 0 <= y <= field.length)


def _loose(state: State) -> Iterator[Solid]:
    """Yield name, footprint, bottom and top of all units and vehicles; from the sheets and the state alone."""
    setting = state.setting
    for spec, now in zip(setting.units, state.units, strict=True):
        if now.stud is not None:
            x, y = setting.field.xy(now.stud)
            level = setting.field.levels_plates[now.stud]
            yield spec.name, shapely.box(x, y, x + 1, y + 1), level, level + FIGURE_PLATES
    for spec, now in zip(setting.vehicles, state.vehicles, strict=True):
        if not now.gone:
            size = spec.sheet.footprint
            length, width = size.length_studs / 2, size.width_studs / 2
            plan = affinity.rotate(
                shapely.box(-length, -width, length, width), now.heading_deg, origin=(0, 0)
            )
            lift = size.bottom_plates if spec.sheet.flying and now.speed else 0.0
            bottom = now.base_plates + lift
            top = bottom + size.top_plates - size.bottom_plates
            yield spec.name, affinity.translate(plan, now.x_studs, now.y_studs), bottom, top


@lru_cache(maxsize=8)
def _fixed(field: Field, open_ids: frozenset[str]) -> tuple[list[Solid], shapely.STRtree]:
    """Return the same of all ground higher than the lowest, stud by stud, and of all closed decor; and their index."""
    lowest, found = min(field.grounds_plates), []
    for stud, height in enumerate(field.grounds_plates):
        x, y = field.xy(stud)
        if height > lowest:
            found.append((f"ground {x},{y}", shapely.box(x, y, x + 1, y + 1), -DEEP_PLATES, height))
    for piece in field.decor:
        if piece.id not in open_ids:
            plan = shapely.Polygon(piece.corners_studs)
            found.append((piece.id, plan, piece.bottom_plates, piece.top_plates))
    return found, shapely.STRtree(_plans(found))


def _plans(solids: list[Solid]) -> np.ndarray:
    plans = np.empty(len(solids), dtype=object)
    plans[:] = [plan for _, plan, _, _ in solids]
    return plans


def _drawn(rng: np.random.Generator) -> dict[str, Any]:
    width, length = (int(side) for side in rng.integers(30, 46, 2))
    ground = np.zeros((length, width))
    for _ in range(int(rng.integers(0, 6))):
        x, y = int(rng.integers(0, width - 3)), int(rng.integers(0, length - 3))
        wide, long = (int(side) for side in rng.integers(2, 16, 2))
        ground[y : y + long, x : x + wide] = rng.choice(HEIGHTS_PLATES)
    setup: dict[str, Any] = {
        "players": [{"name": "red"}, {"name": "blue"}],
        "field": {"width": width, "length": length, "ground": ground.tolist()},
        "units": [],
        "vehicles": [],
        "aims": [{"kind": "rounds", "rounds": 12}],
        "options": {"turning": str(rng.choice(["free", "free", "swept"]))},
    }
    setup["field"]["decor"] = [
        _decor(rng, number, width, length) for number in range(int(rng.integers(0, 6)))
    ]
    names, sheets = sorted(catalogue().vehicles), sorted(catalogue().units)
    for number in range(int(rng.integers(2, 5))):
        player = ("red", "blue")[number % 2]
        sheet = str(rng.choice([*names, "snowspeeder", "landspeeder"]))
        kind = catalogue().vehicles[sheet]
        place = {"x": float(rng.uniform(5, width - 5)), "y": float(rng.uniform(5, length - 5))}
        if rng.integers(2):
            place = {key: round(2 * value) / 2 for key, value in place.items()}
        motion = float(rng.integers(24) * 15), int(rng.choice(kind.speeds))
        setup["vehicles"].append(vehicle(f"v{number}", sheet, player, *place.values(), *motion))
        for seat in kind.seats[: int(rng.integers(1, 3))]:
            name, who = f"u{len(setup['units'])}", str(rng.choice(sheets))
            setup["units"].append(seated(name, who, player, f"v{number}", seat.name))
    for number in range(int(rng.integers(2, 8))):
        unit = {"id": f"u{len(setup['units'])}", "sheet": str(rng.choice(sheets))}
        cell = {"x": int(rng.integers(0, width)), "y": int(rng.integers(0, length))}
        setup["units"].append({**unit, "player": ("red", "blue")[number % 2], **cell})
    return setup


def _decor(rng: np.random.Generator, number: int, width: int, length: int) -> dict[str, Any]:
    x, y = int(rng.integers(0, width - 4)), int(rng.integers(0, length - 4))
    piece: dict[str, Any] = {
        "id": f"d{number}",
        "kind": str(rng.choice(["wall", "door", "furniture", "tree"])),
        "top": float(rng.choice([1.0, 2.0, 3.0, 5.0, 9.0, 15.0, 30.0])),
    }
    if not rng.integers(4):
        piece |= {"bottom": 14.0, "top": 17.0}  # a bridge
    if rng.integers(3):
        return {**piece, "block": [x, y, *(int(side) for side in rng.integers(1, 9, 2))]}
    angle, radius = rng.uniform(0, 6), rng.uniform(0.5, 3)
    corners = angle + np.array([0.0, 2.0, 4.2])
    middle = np.array([x + 2, y + 2])
    points = middle + radius * np.column_stack([np.cos(corners), np.sin(corners)])
    return {**piece, "polygon": points.tolist()}

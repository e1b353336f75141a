"""Figures on round bases on a table in inches: any move, a measured law of missiles, melee, sides in diced order."""

from functools import lru_cache
from itertools import pairwise
from json import dumps
from math import atan2, cos, erf, hypot, pi, radians, sin, sqrt
from types import MappingProxyType
from typing import NamedTuple

from brickphys.chain import digest
from brickphys.errors import InvalidValueError
from brickphys.rules.events.bricks import BrickRoll, OpposedRoll
from brickphys.rules.events.dice import DiceRoll
from brickphys.rules.events.draw import Shot
from brickphys.rules.game import OpenGame
from brickphys.rules.record import CHANCE, OVER
from tests.rules.rows import RowGame

RADIUS, TOUCH, MOVE, WIDTH, DEPTH = 0.315, 0.05, 8.0, 48.0, 32.0
ERROR = radians(1.2)
"""Standard deviation of the aim."""
IMPACTS = {"hit": 3, "down": 7}
"""Of ten figures that were hit, seven fell: the table of impacts."""
LAW = digest(dumps(IMPACTS))
WAYS = tuple(
    (reach * cos(way * pi / 4), reach * sin(way * pi / 4))
    for way in range(8)
    for reach in (4.0, 8.0)
)


class Table(NamedTuple):
    """Figures as (x, y, side, bow) or () where dead, who has acted, what is rolled for whom."""

    figures: tuple[tuple[float, ...], ...]
    rounds: int = 6
    phase: str = "order"
    rolls: tuple[int, ...] = ()
    first: int = 0
    side: int = 0
    ready: tuple[int, ...] = ()
    fights: tuple[tuple[int, int], ...] = ()
    figure: int = -1
    target: int = -1


class Minifigs(RowGame, OpenGame):
    """In each round both sides act, figure by figure; those that touch enemies at the end of their turn fight."""

    name = "minifigs"
    version = "1"
    like = Table(())
    lists_all_actions = False
    setups = MappingProxyType(
        {"three": {"figures": 3, "law": LAW}, "twelve": {"figures": 12, "law": LAW}}
    )

    def initial(self, setup):
        if set(setup) != {"figures", "law"} or setup["figures"] not in range(1, 21):
            raise InvalidValueError(f"setup {dict(setup)}: figures is a number from 1 to 20")
        if setup["law"] != LAW:
            raise InvalidValueError(f"law {setup['law']!r}: the table of impacts is {LAW!r}")
        count = setup["figures"]
        return Table(
            tuple(
                (12.0 + 24.0 * side, round(2.0 + 28.0 * i / count, 4), float(side), float(i % 2))
                for side in (0, 1)
                for i in range(count)
            )
        )

    def actor(self, state):
        if state.phase in ("choose", "act"):
            return state.side
        return OVER if state.phase == "over" else CHANCE

    def actions(self, state):
        if state.phase == "choose":
            return ("end", *(f"take {figure}" for figure in state.ready))
        if state.phase != "act":
            return ()
        x, y, side, bow = state.figures[state.figure]
        goals = [(x, y), *((x + dx, y + dy) for dx, dy in WAYS)]
        shots = []
        for index, (u, v, *_) in self._enemies(state, side):
            far = hypot(u - x, v - y)
            if 2 * RADIUS < far <= MOVE:
                share = (far - 2 * RADIUS - TOUCH / 2) / far
                goals.append((x + share * (u - x), y + share * (v - y)))
            if bow:
                shots.append(f"shoot {index}")
        return (*(f"go {u:.4f} {v:.4f}" for u, v in goals if self._has_room(state, u, v)), *shots)

    def _enemies(self, state, side):
        return [(i, f) for i, f in enumerate(state.figures) if f and f[2] != side]

    def _has_room(self, state, x, y):
        others = (f for i, f in enumerate(state.figures) if f and i != state.figure)
        inside = RADIUS <= x <= WIDTH - RADIUS and RADIUS <= y <= DEPTH - RADIUS
        return inside and all(hypot(f[0] - x, f[1] - y) >= 2 * RADIUS for f in others)

    def problems(self, state, action):
        word, *numbers = action.split(" ")
        if state.phase == "choose" or word in ("end", "take") or state.phase != "act":
            return [] if action in self.actions(state) else [f"Minifigs 1: no {action!r} now"]
        x, y, side, bow = state.figures[state.figure]
        if word == "shoot":
            aims = [str(index) for index, _ in self._enemies(state, side)]
            return [] if bow and numbers[0] in aims else ["Minifigs 2: no shot at that figure"]
        u, v = map(float, numbers)
        far = hypot(u - x, v - y)
        reasons = (
            [] if far <= MOVE + 1e-3 else [f"Minifigs 3: {far:.2f} inches, {MOVE:g} are allowed"]
        )
        return reasons if self._has_room(state, u, v) else [*reasons, "Minifigs 4: no room there"]

    def chance(self, state):
        if state.phase == "order":
            return DiceRoll(1, 6, f"order of side {len(state.rolls)}")
        if state.phase == "fight":
            return OpposedRoll(3, 2, "hand to hand")
        if state.phase == "wound":
            return BrickRoll(3, "hit, not knocked over")
        return shot(state.figures, state.figure, state.target)

    def apply(self, state, move):
        return getattr(self, f"_{state.phase}")(state, move)

    def _order(self, state, shown):
        rolls = (*state.rolls, *shown)
        if len(rolls) < 2 or rolls[0] == rolls[1]:
            return state._replace(rolls=rolls if len(rolls) < 2 else ())
        first = int(rolls[1] > rolls[0])
        return self._turn(state._replace(rolls=(), first=first), first)

    def _turn(self, state, side):
        ready = tuple(i for i, f in enumerate(state.figures) if f and f[2] == side)
        return state._replace(side=side, ready=ready, phase="choose")

    def _choose(self, state, action):
        if action != "end":
            return state._replace(phase="act", figure=int(action[5:]))
        fights = []
        for i, (x, y, side, _) in ((i, f) for i, f in enumerate(state.figures) if f):
            near = (hypot(f[0] - x, f[1] - y) for _, f in self._enemies(state, side))
            touched = [far <= 2 * RADIUS + TOUCH for far in near] if side == state.side else []
            if any(touched):
                fights.append((i, self._enemies(state, side)[touched.index(True)][0]))
        return self._fought(state._replace(fights=tuple(fights), ready=()))

    def _act(self, state, action):
        word, *numbers = action.split(" ")
        ready = tuple(figure for figure in state.ready if figure != state.figure)
        if word == "shoot":
            return state._replace(phase="shot", target=int(numbers[0]), ready=ready)
        place = tuple(map(float, numbers))
        moved = self._changed(state, state.figure, place + state.figures[state.figure][2:])
        return moved._replace(phase="choose", ready=ready, figure=-1)

    def _changed(self, state, index, figure):
        return state._replace(figures=(*state.figures[:index], figure, *state.figures[index + 1 :]))

    def _shot(self, state, name):
        how, _, index = name.partition(" ")
        if how == "hit":
            return state._replace(phase="wound", target=int(index))
        return self._shot_at(state, int(index) if how == "down" else None)

    def _wound(self, state, score):
        return self._shot_at(state, state.target if score else None)

    def _shot_at(self, state, dead):
        state = state._replace(figure=-1, target=-1, phase="choose")
        if dead is None:
            return state
        state = self._changed(state, dead, ())._replace(
            ready=tuple(i for i in state.ready if i != dead)
        )
        return state if min(self._alive(state)) else state._replace(phase="over", ready=())

    def _fight(self, state, scores):
        (_, target), *rest = state.fights
        state = self._changed(state, target, ()) if scores[0] > scores[1] else state
        return self._fought(state._replace(fights=tuple(f for f in rest if state.figures[f[1]])))

    def _fought(self, state):
        if not min(self._alive(state)) or (
            not state.fights and state.side != state.first and state.rounds == 1
        ):
            return state._replace(phase="over", fights=())
        if state.fights:
            return state._replace(phase="fight")
        if state.side == state.first:
            return self._turn(state, 1 - state.side)
        return state._replace(phase="order", rounds=state.rounds - 1)

    def _alive(self, state):
        return [sum(1 for f in state.figures if f and f[2] == side) for side in (0, 1)]

    def returns(self, state):
        first, second = self._alive(state)
        return ((first > second) - (first < second), (second > first) - (second < first))

    def settled(self, state):
        return state.phase in ("choose", "act", "order", "over")

    def estimate(self, state):
        """Figures alive; a little for the side whose figures are near the middle."""
        worth = [0.0, 0.0]
        for figure in filter(None, state.figures):
            x, y, side, _ = figure
            worth[int(side)] += 1 - hypot(x - WIDTH / 2, y - DEPTH / 2) / 500
        lead = (worth[0] - worth[1]) / len(state.figures)
        return (lead, -lead)

    def shrinking(self, state):
        return {"figures": sum(self._alive(state)), "rounds": state.rounds}

    def parse_action(self, text):
        word, *numbers = text.split(" ")
        try:
            written = {
                "end": lambda: "end",
                "take": lambda i: f"take {int(i)}",
                "shoot": lambda i: f"shoot {int(i)}",
                "go": lambda x, y: f"go {float(x):.4f} {float(y):.4f}",
            }[word](*numbers)
        except (KeyError, TypeError, ValueError):
            written = ""
        if written != text or "n" in "".join(numbers):
            raise InvalidValueError(f"{text!r} is no action of minifigs")
        return text


@lru_cache(10_000)
def shot(figures, shooter, target):
    """The law of a shot: the error of the aim, integrated over the angles that figures take, the nearest in front."""
    x, y, *_ = figures[shooter]
    aim = atan2(figures[target][1] - y, figures[target][0] - x)
    arcs = []
    for index, figure in enumerate(figures):
        if figure and index != shooter:
            far = hypot(figure[0] - x, figure[1] - y)
            half = RADIUS / far
            off = (atan2(figure[1] - y, figure[0] - x) - aim + pi) % (2 * pi) - pi
            if abs(off) - half < 5 * ERROR:
                arcs.append((far, off - half, off + half, index))
    weights = {}
    for low, high in pairwise(sorted({end for arc in arcs for end in arc[1:3]})):
        met = min((arc for arc in arcs if arc[1] < (low + high) / 2 < arc[2]), default=None)
        if met:
            weights[met[3]] = weights.get(met[3], 0.0) + below(high) - below(low)
    law = {
        f"{how} {index}": round(share * part * 1e5)
        for index, share in sorted(weights.items())
        for how, part in IMPACTS.items()
    }
    law["miss"] = 10**6 - sum(law.values())
    return Shot.of(law, "missile", situation=(figures, shooter, target))


def below(angle):
    return (1 + erf(angle / ERROR / sqrt(2))) / 2

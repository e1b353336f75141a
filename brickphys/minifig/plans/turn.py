"""Turn: the best that each figure of a side may do, ordered over the turn, and the style of the turn.

Of each figure the best is kept: what it gains now, less the care of the style times what it risks, and a little for
what it may strike next and for being near its goals. Three styles of the whole turn are compared by the battle that is
to be expected after the enemy's best answer. Who shoots goes first, then who charges, then who moves; an archer without
a target waits for a free lane.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from brickphys.minifig.actions import TakeFigure
from brickphys.minifig.movement import Mount
from brickphys.minifig.plans.ideas import Idea, Ideas, Move
from brickphys.minifig.plans.lanes import (
    Opening,
    free_lanes,
    lanes,
    let_through,
    openings,
    stepped_in,
)
from brickphys.minifig.plans.outlook import TOUCH_FAR_IN, Outlook
from brickphys.minifig.plans.prospects import Known, Prospects
from brickphys.minifig.reach import MoveEnd
from brickphys.rules.plans import Effort
from brickphys.units import Array

NEXT = 0.35
"""Weight of the best that a figure may strike next turn."""
NEAR, NEAR_AIM = 1.2, 2.0
"""Worth of the size of the table that a figure of worth 1 comes nearer to an enemy, an aim."""
HURRY = 4.0
"""How much more an inch is worth in the last round of a battle that is lost by the clock."""
LEAST = 0.02
"""No figure moves for less than this."""
COUNTER = 0.8
"""Weight of the counter-blow after the enemy's answer."""
COMES = 0.5
"""How likely an enemy who can strike nobody comes nearer instead."""
PATIENCE = 0.2
"""How much better a style must be than to hold."""
SWEEPS = 2
"""How often figures choose anew by what the others have chosen."""
CROWD = 0.7
"""Exponent by which the danger of a figure falls with others that the same enemy may strike."""
CARES = (1.0, 0.4, 0.1)
"""The styles of a turn, by the weight of what is risked: to hold, to press, to storm."""
_RANKS = {"clear": 4, "shot": 3, "reload": 3, "fetch": 2, "charge": 1}
"""Which kinds of plans come first in a turn."""


@dataclass(eq=False)
class Choice:
    """The best that a figure may do in a style."""

    figure: int
    kind: str
    worth: float
    """How much better it is than holding, in units of `Outlook`."""
    idea: Idea | None = None
    prospects: Prospects | None = None
    row: int = 0
    """Where it ends, in its prospects."""
    before: tuple[Move, ...] = ()
    """What it does before it moves."""
    opening: Opening | None = None
    """The shot of its side that it makes possible."""


class Turn:
    """What the figures of a side may do from now on in their turn."""

    def __init__(self, look: Outlook, known: Known, effort: Effort) -> None:
        self.look, self.known, self.effort = look, known, effort
        self.state = look.state
        self.ready = list(self.state.ready(look.player))
        self.taken = {
            one: TakeFigure(look.setting.figures[one].name).apply(self.state) for one in self.ready
        }
        self.lanes = lanes(look, [self.stay(one) for one in look.own], self.done)
        self.prospects = {one: self._prospects(one) for one in self.ready}
        self.ideas = {
            one: list(Ideas(look, self.taken[one], found, effort, self._near(found)).all())
            for one, found in self.prospects.items()
        }
        self.rides = {one: list(self._rides(one)) for one in self.ready}
        self.openings = openings(look, self.prospects, self.ideas)
        done_at = look.own_at[self.done]
        self.covered = {
            one: let_through(look, found.places_in, done_at)
            for one, found in self.prospects.items()
        }
        self.free = {one: free_lanes(look, found) for one, found in self.prospects.items()}
        self.stepped_in = {
            one: stepped_in(found, self.lanes) for one, found in self.prospects.items()
        }

    @cached_property
    def done(self) -> list[int]:
        """The rows of `Outlook.own` that have acted, or act in another turn."""
        return [row for row, one in enumerate(self.look.own) if one not in self.taken]

    def _prospects(self, figure: int) -> Prospects:
        state = self.taken[figure]
        also = tuple(lane.place_in for lane in self.lanes if lane.gain > 0.0)
        ends = self.known.ends(state, figure, state.move_in(figure), also)
        self.effort.spend()
        return self.known.of(self.look, figure, ends)

    def stay(self, figure: int) -> Prospects:
        """Return the prospects of a figure where it stands."""
        now = self.state.figures[figure]
        return self.known.of(self.look, figure, (MoveEnd(now.place_in, now.facing_deg),))

    def _rides(self, figure: int) -> Iterator[tuple[Move, Prospects, Outlook]]:
        """Yield the horses that a figure may mount, and its prospects then."""
        state = self.taken[figure]
        if state.figures[figure].horse is not None or not state.setting.figures[figure].kind.hands:
            return
        if not state.setting.things:
            return
        for mount in Mount.listed(state, figure):
            mounted = mount.apply(state)
            look = Outlook(mounted, self.look.player, self.look.chances)
            ends = self.known.ends(mounted, figure, mounted.move_in(figure))
            yield mount, self.known.of(look, figure, ends), look

    def values(
        self, found: Prospects, lives: Array, plan: "Style", then: Outlook | None = None
    ) -> tuple[Array, Array, Array]:
        """Return the worth of ending at each place, what the attack from there gains, and the risk, each (k,).

        `then` is the outlook of who mounts first.
        """
        look = self.look
        worth, mine = look.foe_worth, look.worth(found.figure)
        rows = np.arange(len(found.places_in))
        blows = worth * lives * found.hits
        struck = blows.argmax(axis=1)
        gain = blows[rows, struck]
        left = np.broadcast_to(lives, found.hits.shape).copy()
        left[rows, struck] *= 1.0 - found.hits[rows, struck]
        dangers, chances = found.dangers, found.chances
        if found is self.prospects[found.figure]:
            dangers = dangers * self.covered[found.figure]
            chances = chances * self.free[found.figure]
        blow = look.tempo * left * dangers * plan.shares(found.figure)
        risk = 1.0 - np.prod(1.0 - blow, axis=1)
        ahead = (worth * lives * chances).max(axis=1)
        near = (self._near(found) + self._hurry(found)) * found.ways_in
        later = NEXT * ahead + (then or look).prizes(found.figure, found.ways_in)
        return gain - plan.care * mine * risk + later * (1.0 - risk) - near, gain, risk

    def _near(self, found: Prospects) -> float:
        """Return what an inch on the way is worth."""
        setting = self.look.setting
        size = float(np.hypot(setting.width_in, setting.length_in))
        is_aim = found.has_goal and found.figure not in self.look.carriers
        weight = NEAR_AIM if is_aim else NEAR
        near: float = weight * self.look.worth(found.figure) ** 0.5 / size
        return near

    def _hurry(self, found: Prospects) -> float:
        """Return what an inch on the way is worth besides where the clock runs against the side."""
        return HURRY * self.look.urgency * self._near(found)

    def best(self, figure: int, lives: Array, plan: "Style") -> Choice:
        """Return the best that a figure may do."""
        self.effort.spend()
        found, opening = self.prospects[figure], self.openings.get(figure)
        values, gains, risk = self.values(found, lives, plan)
        values = values + self.stepped_in[figure]
        if opening is not None:
            opens = opening.opens(self.look, found)
            values = values + opening.gain * opens
            opening = opening if opens[values.argmax()] else None
        row = int(values.argmax())
        kind = "hold" if not row else "charge" if gains[row] > 0.0 else "move"
        kind = kind if opening is None else "clear"
        choice = Choice(figure, kind, float(values[row] - values[0]), None, found, row, (), opening)
        if choice.worth < LEAST or not row:
            choice = Choice(figure, "hold", 0.0, None, found, 0)
        for mount, ridden, then in self.rides[figure]:
            there, *_ = self.values(ridden, lives, plan, then)
            row = int(there.argmax())
            if there[row] - values[0] > choice.worth + LEAST:
                worth = float(there[row] - values[0])
                choice = Choice(figure, "ride", worth, None, ridden, row, (mount,))
        for idea in self.ideas[figure]:
            worth = idea.gain - float(gains[0])
            if idea.kind == "fetch":
                at = idea.row
                going = self.look.prizes(figure, found.ways_in[[at]])[0]
                has = float((idea.gain - going) * (1.0 - risk[at]) - gains[at])
                worth = float(values[at] - values[0]) + has
            elif idea.foe is not None:
                worth += self._spared(idea, lives, plan) * (1.0 - float(risk[0]))
            if worth > choice.worth:
                choice = Choice(figure, idea.kind, worth, idea, found, idea.row)
        return choice

    def _spared(self, idea: Idea, lives: Array, plan: "Style") -> float:
        """Return what a shot takes of the danger of who shoots, if nobody else threatens it."""
        look, figure, foe = self.look, idea.figure, idea.foe
        assert foe is not None
        danger = self.prospects[figure].dangers[0, foe] * self.covered[figure][0, foe]
        blow = float(look.tempo * lives[foe] * danger * plan.shares(figure)[foe])
        falls = min(max(idea.gain / look.foe_worth[foe], 0.0), 1.0)
        return float(plan.care * look.worth(figure) * falls * blow / max(1.0 - blow, 0.05))

    @cached_property
    def style(self) -> "Style":
        """The style of the turn: that of the best battle to be expected after the enemy's answer."""
        styles = {CARES[1]: Style(self, CARES[1])}
        if self.effort.level.depth < 2 or not self.look.foes:
            return styles[CARES[1]]
        for care in (CARES[0], CARES[2]):
            if not self.effort.is_over:
                styles[care] = Style(self, care)
        if len(styles) == 1:
            return styles[CARES[1]]
        best = max(
            (care for care in CARES if care in styles),
            key=lambda care: self.expected(styles[care]) + PATIENCE * (care == CARES[0]),
        )
        return styles[best]

    def expected(self, plan: "Style") -> float:
        """Return the worth that is left for this side if its turn is played in a style, after the answer."""
        look, lives = self.look, self.look.alive_chance.copy()
        first = plan.first
        order = sorted(first, key=lambda one: (-_rank(first[one]), -first[one].worth))
        ends: dict[int, tuple[Prospects, int]] = {}
        for one in order:
            choice = first[one]
            if choice.kind in ("charge", "ride", "move", "clear") and not self.effort.is_over:
                choice = self.best(one, lives, plan)
            found, row = choice.prospects, choice.row
            assert found is not None
            if choice.idea is not None and choice.idea.foe is not None:
                foe = choice.idea.foe
                lives[foe] *= 1.0 - min(max(choice.idea.gain, 0.0) / look.foe_worth[foe], 1.0)
            elif choice.idea is None and found.touching[row]:
                foe = int((look.foe_worth * lives * found.hits[row]).argmax())
                lives[foe] *= 1.0 - found.hits[row, foe]
            ends[one] = found, row
        late = sum(self._hurry(found) * float(found.ways_in[at]) for found, at in ends.values())
        return self._answered(lives, ends) - late

    def _answered(self, lives: Array, ends: dict[int, tuple[Prospects, int]]) -> float:
        """Return the worth left after each enemy has struck where it hurts most, and a counter-blow."""
        look = self.look
        for one in look.own:
            if one not in ends:
                ends[one] = self.stay(one), 0
        dangers = look.tempo * np.array([ends[one][0].dangers[ends[one][1]] for one in look.own])
        chances = np.array([ends[one][0].chances[ends[one][1]] for one in look.own])
        at = np.array([ends[one][0].places_in[ends[one][1]] for one in look.own])
        dangers *= let_through(look, at, at)
        mine, worth = np.ones(len(look.own)), look.own_worth
        goes = np.full(len(look.foes), -1)
        for foe in np.argsort(-(lives * (dangers * worth[:, None]).max(axis=0))).tolist():
            pain = worth * mine * dangers[:, foe]
            target = int(pain.argmax())
            if pain[target] > 0.0:
                mine[target] *= 1.0 - lives[foe] * dangers[target, foe]
                if np.hypot(*(at[target] - look.foe_at[foe])) <= look.foe_move_in[foe]:
                    goes[foe] = target
        left = lives.copy()
        moved = np.array([look.state.move_in(one) for one in look.own])[:, None] + TOUCH_FAR_IN
        where = np.where((goes >= 0)[:, None], at[goes], self._approached(at, dangers.max(axis=0)))
        away = np.hypot(*(where[None] - at[:, None]).transpose(2, 0, 1))
        by_hand = np.where(away <= moved, look.own_fights, 0.0)
        blows = np.where(goes >= 0, by_hand, np.maximum(chances, COMES * by_hand))
        for one in np.argsort(-mine).tolist():
            gains = look.foe_worth * left * blows[one]
            foe = int(gains.argmax())
            left[foe] *= 1.0 - COUNTER * mine[one] * blows[one, foe]
        prizes = [
            mine[look.own_row[one]] * look.prizes(one, ends[one][0].ways_in[[ends[one][1]]])[0]
            for one in look.carriers
        ]
        return float(worth @ mine - look.foe_worth @ left) + max(prizes, default=0.0)

    def _approached(self, at: Array, threats: Array) -> Array:
        """Return where foes are, shape (n, 2), who come nearer if they threaten nobody at this side's places."""
        look, rows = self.look, np.arange(len(threats))
        ahead = at[None] - look.foe_at[:, None]
        away = np.hypot(*ahead.transpose(2, 0, 1))
        nearest = away.argmin(axis=1)
        far, toward = away[rows, nearest], ahead[rows, nearest]
        most = np.where(threats > 0.0, 0.0, look.foe_move_in - TOUCH_FAR_IN)
        steps = np.clip(far - TOUCH_FAR_IN, 0.0, most) / np.maximum(far, 1e-9)
        found: Array = look.foe_at + toward * steps[:, None]
        return found

    def choices(self) -> list[Choice]:
        """Return the best of each figure that is better than holding, in the order in which they act."""
        found = self.style.first.values()
        able = [one for one in found if one.kind != "hold" and one.worth > 0.0]
        waits = self.look.missiles
        return sorted(able, key=lambda one: (-_rank(one, one.figure in waits), -one.worth))


def _rank(choice: Choice, waits: bool = False) -> int:
    """Return how early a choice comes; one who waits for a free lane comes last."""
    rank = _RANKS.get(choice.kind, 0)
    return -1 if waits and rank == 0 else rank


class Style:
    """How a turn is played if what is risked counts so much: the choice of each figure that suits those of the others.

    Whom an enemy may strike shares its attention with all others whom it may strike then. Who holds reckons at first
    with the others where they stand, else with all at the front.
    """

    def __init__(self, turn: Turn, care: float) -> None:
        self.care, look = care, turn.look
        self._row, rows = look.own_row, []
        for one in look.own:
            found = turn.prospects[one] if one in turn.prospects else turn.stay(one)
            rows.append(found.dangers[0] > 0.0)
        self._exposed: Array = np.array(rows, dtype=float).reshape(len(look.own), len(look.foes))
        if care < CARES[0]:
            self._exposed[[look.own_row[one] for one in turn.ready]] = 1.0
        self.first: dict[int, Choice] = {}
        """The choice of each figure that may act, before any of them has acted."""
        for sweep in range(SWEEPS):
            for one in turn.ready:
                if sweep and turn.effort.is_over:
                    return
                choice = self.first[one] = turn.best(one, look.alive_chance, self)
                assert choice.prospects is not None
                dangers = choice.prospects.dangers
                self._exposed[self._row[one]] = dangers[choice.row] > 0.0

    def shares(self, figure: int) -> Array:
        """Return the share of the attention of each enemy that a figure has where it may be struck, shape (n,)."""
        others = self._exposed.sum(axis=0) - self._exposed[self._row[figure]]
        shares: Array = (1.0 + others) ** -CROWD
        return shares

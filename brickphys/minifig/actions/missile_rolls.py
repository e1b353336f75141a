"""Missile rolls: a shot, the bricks after its hits on figures, and those after a hit on a wall (MF Projectiles)."""

from dataclasses import dataclass

from brickphys.geometry.polygon import Point
from brickphys.minifig.actions.missile_targets import (
    Goal,
    aim_fault,
    aimed_brick,
    contact_fault,
    may_be_struck,
)
from brickphys.minifig.actions.shot_law import BRICK, HIT, KNOCKED_OVER, MISS, shot_weights
from brickphys.minifig.field.sight import sees
from brickphys.minifig.sheets.charts import charts
from brickphys.minifig.state.setting import FigureNumber, ItemNumber, ThingNumber, WallNumber
from brickphys.minifig.state.state import State
from brickphys.projectiles.aim.aim_law import PHASES
from brickphys.rules.events.bricks import BrickRoll
from brickphys.rules.events.draw import Draw, Shot
from brickphys.rules.events.event import Outcome
from brickphys.rules.pending import PendingRoll, number_problems
from brickphys.rules.turn_state import Count
from brickphys.text import spoken


@dataclass(frozen=True, slots=True)
class ShotRoll(PendingRoll[State]):
    """A shot of a figure, with an item that it held or a catapult that it works, at a figure or a wall."""

    shooter: FigureNumber
    item: ItemNumber | None
    thing: ThingNumber | None
    target: FigureNumber | None
    wall: WallNumber | None

    def missile(self, state: State) -> str:
        """Return its row of the chart of missiles; empty if it has none."""
        if self.thing is not None:
            return state.setting.things[self.thing].kind.missile or ""
        return (state.setting.items[self.item].arm.missile or "") if self.item is not None else ""

    def weapon(self, state: State) -> str:
        """Return the name of the item or the catapult."""
        if self.thing is not None:
            return state.setting.things[self.thing].name
        return "" if self.item is None else state.setting.items[self.item].name

    def from_in(self, state: State) -> Point:
        """Return the place that the missile flies from."""
        if self.thing is not None:
            return state.things[self.thing].place_in
        return state.figures[self.shooter].place_in

    def goal(self, state: State) -> Goal:
        """Return what it is aimed at."""
        if self.target is not None:
            row = charts().missiles[self.missile(state)]
            throws_over = row.indirect is not None and self.target != self.shooter
            is_hidden = throws_over and not sees(state, self.shooter, self.target)
            return Goal(self.target, is_hidden=is_hidden)
        assert self.wall is not None
        return Goal(None, self.wall, aimed_brick(state, self.wall, self.from_in(state)))

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        if (self.item is None) == (self.thing is None) or not self.missile(state):
            return ["pending: a shot needs a weapon or a catapult, not both"]
        if self.item is not None and state.items[self.item].holder != self.shooter:
            return ["pending: the shooter does not hold the weapon of the shot"]
        if (self.target is None) == (self.wall is None):
            return ["pending: a shot needs a figure or a wall as its target, not both"]
        goal = self.goal(state)
        if goal.brick is None and goal.figure in (None, self.shooter):
            return ["pending: the shot has no possible target"]
        if goal.figure is not None and not state.figures[goal.figure].is_alive:
            return ["pending: a shot at a dead figure"]
        fault = self.fault(state)
        return [] if fault is None else [f"pending: {fault}"]

    def fault(self, state: State) -> str | None:
        """Return why a shot at something that stands cannot be tried, besides sight; None if it can."""
        for figure in (self.shooter, self.target):
            if figure is not None and (fault := contact_fault(state, figure)):
                return fault
        return aim_fault(state, self.missile(state), self.from_in(state), self.goal(state))

    def event(self, state: State) -> Shot:
        """Return what the shot may do."""
        missile, goal, setting = self.missile(state), self.goal(state), state.setting
        weights = shot_weights(state, missile, self.shooter, self.thing, goal)
        at = (
            setting.figures[self.target]
            if self.target is not None
            else setting.walls[self.wall or 0]
        )
        name, aimed = (spoken(each.name) for each in (setting.figures[self.shooter], at))
        hidden = ", whom a wall hides," if goal.is_hidden else ""
        reason = f"{name} shoots at {aimed}{hidden} with a {spoken(missile)}"
        return Shot(weights, reason, situation=(missile, self.from_in(state), goal))

    def settle(self, state: State, outcome: Outcome) -> State:
        """Eliminate who is knocked over, ask for the bricks of other hits, and lay a spear where it ends."""
        missile, numbers = self.missile(state), state.setting.figure_numbers
        rolls: list[PendingRoll[State]] = []
        fallen, end = None, self.target
        for name, how in hits(outcome):
            if how.startswith(BRICK):
                brick = int(how.split(" ")[1])
                rolls.append(BreachRoll(state.setting.wall_numbers[name], brick, missile))
                continue
            end = numbers[name]
            figures = may_be_struck(state, end)
            if len(figures) > 1:
                rolls.append(MeleeHitRoll(figures, missile, how))
            elif how == KNOCKED_OVER:
                fallen = end
            else:
                rolls.append(HitRoll(end, missile, _phase(how)))
        if self.item is not None and state.setting.items[self.item].arm.leaves_hand:
            assert end is not None
            state = state.change_item(self.item, holder=None, at_in=state.figures[end].place_in)
        if fallen is not None:
            state = state.eliminated(fallen)
        return state.push_pending(*rolls)


def hits(outcome: Outcome) -> list[tuple[str, str]]:
    """Return the names of what a shot has hit, each with how, as `shot_weights` writes them."""
    if outcome == MISS:
        return []
    pairs = (hit.partition(" ") for hit in str(outcome).split(", "))
    return [(name, how) for name, _, how in pairs]


def _phase(how: str) -> str:
    """Return how a missile hit a figure that it did not knock over, as a phase."""
    return PHASES[0] if how == HIT else how


@dataclass(frozen=True, slots=True)
class MeleeHitRoll(PendingRoll[State]):
    """Which figure of a melee a missile strikes that came to one of them: any is as likely (ours).

    Attributes
    ----------
    figures
        All of the melee.
    missile
        Its row of the chart of missiles.
    how
        What it does to the figure that it strikes, as `shot_weights` writes it.
    """

    figures: tuple[FigureNumber, ...]
    missile: str
    how: str

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        row, phase = charts().missiles.get(self.missile), _phase(self.how)
        if row is None or not (
            row.knocks_over
            if self.how == KNOCKED_OVER
            else phase in PHASES and row.bricks_after(phase)
        ):
            return [f"pending: {self.missile!r} strikes nobody as {self.how!r}"]
        if list(self.figures) != sorted({*self.figures}) or self.lapses(state):
            return [
                "pending: the figures of a melee are not in the order of their numbers, or none lives"
            ]
        return []

    def lapses(self, state: State) -> bool:
        """Whether none of them is left, since a heavy stone struck before."""
        return not any(state.figures[number].is_alive for number in self.figures)

    def event(self, state: State) -> Draw:
        """Return the draw of one who lives."""
        figures = (number for number in self.figures if state.figures[number].is_alive)
        names = (state.setting.figures[number].name for number in figures)
        reason = f"who of the melee is struck by a {spoken(self.missile)}"
        return Draw.uniform(*names, reason=reason)

    def settle(self, state: State, outcome: Outcome) -> State:
        """Eliminate the figure, or ask for its bricks."""
        figure = state.setting.figure_numbers[str(outcome)]
        if self.how == KNOCKED_OVER:
            return state.eliminated(figure)
        return state.push_pending(HitRoll(figure, self.missile, _phase(self.how)))


@dataclass(frozen=True, slots=True)
class HitRoll(PendingRoll[State]):
    """The unopposed bricks for a figure that was hit, by a missile that was ``direct`` or ``bounced``."""

    figure: FigureNumber
    missile: str
    phase: str

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        row = charts().missiles.get(self.missile)
        if row is None or self.phase not in PHASES or not row.bricks_after(self.phase):
            return [f"pending: no bricks after a {self.phase} hit by {self.missile!r}"]
        alive = state.figures[self.figure].is_alive
        return [] if alive else ["pending: a hit on a dead figure"]

    def event(self, state: State) -> BrickRoll:
        """Return its bricks."""
        name = spoken(state.setting.figures[self.figure].name)
        bounced = " after a bounce" if self.phase == "bounced" else ""
        bricks = charts().missiles[self.missile].bricks_after(self.phase)
        return BrickRoll(bricks, f"{name} is hit by a {spoken(self.missile)}{bounced}")

    def settle(self, state: State, outcome: Outcome) -> State:
        """Eliminate the figure if a brick or more lies on its side."""
        return state.eliminated(self.figure) if outcome else state


@dataclass(frozen=True, slots=True)
class BreachRoll(PendingRoll[State]):
    """The unopposed bricks after a direct hit on a brick of a wall."""

    wall: WallNumber
    brick: Count
    missile: str

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        row, spec = charts().missiles.get(self.missile), state.setting.walls[self.wall]
        if row is None or not row.besieges:
            return [f"pending: {self.missile!r} cannot besiege a wall"]
        if self.brick in state.walls[self.wall]:
            return [f"pending: brick {self.brick} of {spec.name} is out"]
        return number_problems("brick", self.brick, len(spec.spans))

    def event(self, state: State) -> BrickRoll:
        """Return its bricks."""
        name = spoken(state.setting.walls[self.wall].name)
        bricks = charts().missiles[self.missile].bricks
        return BrickRoll(bricks, f"{name} is hit by a {spoken(self.missile)}")

    def settle(self, state: State, outcome: Outcome) -> State:
        """Take the brick out if one or more lies on its side."""
        return state.without_brick(self.wall, self.brick) if outcome else state

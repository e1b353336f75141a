"""Orders: one goal for several units of a player: ``archers: shoot nearest``, ``all: hold!``.

Each unit gets its best plan for the goal, found from what its player sees, and anew when its turn comes.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from math import dist, inf
from typing import Generic

from brickphys.errors import InvalidValueError
from brickphys.rules.action_odds import action_odds
from brickphys.rules.names import MOST_NAMED, Naming, meant, some
from brickphys.rules.plans import HOLDS, LEVELS, Plan
from brickphys.rules.players.planner import Planner
from brickphys.rules.players.prompt import Asked, strikes_text
from brickphys.rules.record import CHANCE, Action, State, View
from brickphys.text import spoken

_LINE = re.compile(r"([^:]*[^:\s])\s*:\s*(?![\s\d])([^!:]*?)\s*(!?)")
_ALL = ("all", "everybody", "line")
_LEVEL = replace(LEVELS["greedy"], width=12, is_wide=True)
_SAME = {
    "forward": ("closes in", "goes for", "moves up", "forward", "press", "storm", "chases"),
    "back": ("withdraws", "flees", "keeps away"),
    "attack": ("attacks", "charges", "shoots"),
    "hold": (HOLDS,),
}
"""Goals in a commander's words, which several purposes have."""


def is_order(text: str) -> bool:
    """Whether a text has the form of an order: ``GROUP: GOAL``; ``12:7`` is a place."""
    return _LINE.fullmatch(text) is not None


def groups_of(units: Iterable[str]) -> list[str]:
    """Return what people call several of some units with names as they are spoken: ``all``, ``all archers``."""
    kinds = Counter(re.sub(r"[ \d]+$", "", unit) for unit in dict.fromkeys(units))
    several = (re.sub("man$", "men", kind) for kind, count in kinds.items() if count > 1)
    said = (one if one.endswith(("men", "s", "i")) else f"{one}s" for one in several)
    return ["all", *(f"all {one}" for one in said)]


class Orders(Generic[State, Action, View]):
    """A goal, and the units that are still to be given a plan for it; `look` is what is known of plans now, if it is.

    Raises
    ------
    InvalidValueError
        If nobody of the group has a plan for the goal, with the groups or goals that exist now.

    Attributes
    ----------
    is_sure
        Whether it is done without being shown.
    lines
        What each unit would do, and why the others do nothing.
    plans
        The plan of each unit that acts now, as it was shown: each after those before it.
    previews
        What is done: all up to the first roll, then the plan of each other unit.
    """

    def __init__(
        self,
        asked: Asked[State, Action, View],
        text: str,
        look: "Look[State, Action, View] | None" = None,
    ) -> None:
        match = _LINE.fullmatch(text)
        assert match is not None
        self._group, self._goal, self.is_sure = match[1], match[2], bool(match[3])
        look = look or Look(asked)
        self._player = asked.game.actor(asked.state)
        units = look.group(self._group)
        found = {unit: look.best(unit, self._goal) for unit in units}
        plans = {unit: plan for unit, plan in found.items() if plan is not None}
        if not plans:
            goals = list(dict.fromkeys(goal for unit in units for goal in look.goals(unit)))
            raise InvalidValueError(
                f"nobody of {self._group!r} has a plan for {self._goal!r}; "
                f"goals now: {some(goals) or 'none'}"
            )
        self._rest: tuple[Action, ...] = ()
        self.lines, self.previews = list[str](), [tuple[Action, ...]()]
        self.plans = dict[str, Plan[Action]]()
        self._line_up(
            look, {one: plans[one] for one in sorted(plans, key=lambda u: -plans[u].worth)}
        )
        self.left = [*self.plans]
        if late := [unit for unit in plans if unit not in self.plans]:
            self.lines.append(f"  not in this turn: {some(late)}")
        self.lines += [
            f"  {unit}: nothing; its goals now: {some(look.goals(unit)) or 'none'}"
            for unit in units
            if unit not in plans
        ]

    def _line_up(
        self, look: "Look[State, Action, View]", plans: Mapping[str, Plan[Action]]
    ) -> None:
        """Let units act one after the other, each by its plan, or another one where that is forbidden by then.

        What comes after a roll is not known, and told as such.
        """
        now: Asked[State, Action, View] | None = look.asked
        is_sure, game = True, look.game
        for unit, plan in plans.items():
            if now is None:
                return
            after, by, found = _after(now, plan) if is_sure else None, look, plan
            if is_sure and after is None:
                by = Look(now)
                if (other := by.best(unit, self._goal)) is None:
                    continue
                after, found = _after(now, other), other
            if not is_sure and len(self.previews) == 1:
                self.lines.append("  after the roll, if they still can:")
            self.plans[unit] = found
            self.lines.append(f"  {unit}: {by.told(found)}")
            if after is None:
                self.previews.append(found.actions)
                continue
            self.previews[0] += found.actions
            while (
                game.actor(after) == self._player and (only := game.only_action(after)) is not None
            ):
                self.previews[0] += (only,)
                after = game.apply(after, only)
            is_sure = game.actor(after) != CHANCE
            now = now.later(after) if is_sure else now

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do."""
        return not (self._rest or self.left)

    def next(
        self, asked: Asked[State, Action, View], actors: Collection[int] = ()
    ) -> Action | None:
        """Return the next action, given who has acted since they were begun; None if all is done.

        InvalidValueError if it cannot go on, with the reason.
        """
        if self.is_done:
            return None
        if not {*actors} <= {CHANCE, self._player}:
            raise InvalidValueError(self.stopped("the turn is over"))
        if not self._rest:
            unit = self.left.pop(0)
            plan: Plan[Action] | None = self.plans[unit]
            if _after(asked, self.plans[unit]) is None:  # what has happened since forbids it
                plan = Look(asked).best(unit, self._goal)
            if plan is None:
                raise InvalidValueError(self.stopped(f"{unit} has no plan for {self._goal!r} now"))
            self._rest = plan.actions
        action, *rest = self._rest
        if reasons := asked.game.problems(asked.state, action):
            raise InvalidValueError(self.stopped("; ".join(reasons)))
        self._rest = tuple(rest)
        return action

    def stopped(self, why: str) -> str:
        """Stop, and return that, because of what, and who has done nothing."""
        rest = f"; not done: {some(self.left)}" if self.left else ""
        self._rest, self.left = (), []
        return f"{self._group}: {self._goal} stops: {why}{rest}"


class Look(Generic[State, Action, View]):
    """The plans of the units that a player may choose now."""

    def __init__(self, asked: Asked[State, Action, View]) -> None:
        from brickphys.seeds import generator  # loads numpy

        self.asked, self.game = asked, asked.game
        self._rng = generator(0)
        self._planner = Planner(asked.game, asked.brick_law, _LEVEL)
        self._whole = self._planner.plans(asked.view, self._rng)
        self._firsts = {
            spoken(self.game.format_action(one).split(" ")[1]): one
            for one in asked.actions
            if self.game.chooses(one)
        }
        self.units = [*dict.fromkeys([*self._firsts, *(p.unit for p in self._whole if p.unit)])]
        self._known: dict[str, list[Plan[Action]]] = {}

    def group(self, text: str) -> list[str]:
        """Return the units that names, kinds or letters mean; InvalidValueError if one means none."""
        names = self.game.names(self.asked.state).items()
        known = {spoken(name): naming for name, naming in names}
        forms = {unit: known.get(unit, Naming()) for unit in self.units}
        found = list[str]()
        for part in (one.strip() for one in text.split(",")):
            bare = re.sub(r"^(all )?(the )?", "", part.lower())
            kinds = (part, bare, bare.removesuffix("s"), re.sub(r"men$", "man", bare))
            named = next((units for kind in kinds if (units := meant(forms, kind))), [])
            named = self.units if part.lower() in _ALL else named
            if not named:
                who = some([*groups_of(self.units), *self.units])
                raise InvalidValueError(f"nobody who can act now is {part!r}: {who}")
            found += named
        return list(dict.fromkeys(found))

    def best(self, unit: str, goal: str) -> Plan[Action] | None:
        """Return the best plan of a unit for a goal; None if it has none."""
        words = goal.split()
        nearest = "nearest" in words
        rest = " ".join(one for one in words if one != "nearest")
        found = [plan for plan in self._fit(unit, rest) if _after(self.asked, plan) is not None]
        if nearest and found:
            return min(found, key=lambda plan: (self._away(unit, plan), -plan.worth))
        return max(found, key=lambda plan: plan.worth, default=None)

    def _fit(self, unit: str, goal: str) -> list[Plan[Action]]:
        """Return the plans of a unit for a goal, without ``nearest``."""
        plans = self._plans(unit)
        purposes = {plan.purpose: Naming() for plan in plans}
        fit = {one for form in _SAME.get(goal, (goal,)) for one in meant(purposes, form)}
        return [plan for plan in plans if plan.purpose in fit]

    def goals(self, unit: str) -> list[str]:
        """Return the goals of a unit's plans: in a commander's words, then each up to the name of another."""
        names = sorted(map(spoken, self.game.names(self.asked.state)), key=len, reverse=True)
        hide = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in names) or "(?!)")
        purposes = (plan.purpose.partition(" (")[0] for plan in self._plans(unit))
        own = list(dict.fromkeys(hide.split(one)[0].strip(" :") for one in purposes))
        said = [goal for goal in _SAME if self._fit(unit, goal)]
        for goal in said:
            if len(same := [one for one in own if one.startswith(_SAME[goal])]) == 1:
                own.remove(same[0])
        return [*dict.fromkeys([*said, *own])][:MOST_NAMED]

    def told(self, plan: Plan[Action]) -> str:
        """Return what a plan is for, with the odds of the attack in which it ends."""
        states, odds = self.asked.states, ""
        for action in plan.actions:
            rolls = action_odds(self.game, states, [action], self.asked.brick_law, with_parts=False)
            odds = next((strikes_text(one) for one in rolls if one.strikes), odds)
            states = [self.game.apply(state, action) for state in states]
        return f"{plan.purpose.partition(' (')[0]}, {odds}" if odds else plan.purpose

    def _plans(self, unit: str) -> list[Plan[Action]]:
        if unit not in self._known:
            own = [plan for plan in self._whole if plan.unit == unit]
            self._known[unit] = [*own, *self._after_choice(unit)]
        return self._known[unit]

    def _after_choice(self, unit: str) -> Iterator[Plan[Action]]:
        """Yield the plans of a unit once it is chosen."""
        first, player = self._firsts.get(unit), self.game.actor(self.asked.state)
        after = None if first is None else self.game.apply(self.asked.state, first)
        if first is not None and after is not None and self.game.actor(after) == player:
            for plan in self._planner.plans(self.game.observe(after, player), self._rng):
                yield Plan(unit, plan.purpose, (first, *plan.actions), plan.worth)

    def _away(self, unit: str, plan: Plan[Action]) -> float:
        """Return how far the enemy is whom a plan names; infinite if it names none."""
        state = self.asked.state
        scene, owners, player = (
            self.game.scene(state),
            self.game.names(state),
            self.game.actor(state),
        )
        pieces = {one.name: one.at for one in (scene.pieces if scene else ()) if one.name in owners}
        here = next((at for name, at in pieces.items() if spoken(name) == unit), None)
        away = (
            dist(here, at)
            for name, at in pieces.items()
            if here and owners[name].player not in (None, player)
            if re.search(rf"\b{re.escape(spoken(name))}\b", plan.purpose)
        )
        return min(away, default=inf)


def _after(asked: Asked[State, Action, View], plan: Plan[Action]) -> State | None:
    """Return the state after a plan; None if it is not legal as a whole."""
    state = asked.state
    for action in plan.actions:
        if asked.game.problems(state, action):
            return None
        state = asked.game.apply(state, action)
    return state

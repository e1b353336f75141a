"""Plans: what bots choose from, ranked by what is gained by them over holding.

A turn is that of one unit. So a plan is a unit and what it does up to the next roll; the side plays the unit that
gains most. Plans of each unit are found by `ideas`, cheaply; the best ones are searched with the enemy's best answers,
and the worth of the battle (`worth`) counts where the search ends.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from brickphys.bow.foot.ideas import Actions, Idea, Walker
from brickphys.bow.foot.places import Sides
from brickphys.bow.foot.tasks import task_ideas
from brickphys.bow.pilot.plans import SeatPlans
from brickphys.bow.state import NOBODY, State
from brickphys.bow.turns import ChooseUnit, End
from brickphys.bow.worth import WEIGHTS, Worth, scale
from brickphys.odds.law import RollLaw
from brickphys.rules.game import Game
from brickphys.rules.plans import HOLDS, Effort, Plan
from brickphys.rules.players.plan_search import PlanSearch
from brickphys.rules.words import Action
from brickphys.text import spoken

UnitPlan = Plan[Action[State]]

_REMEMBERED = 2048
_WIDTHS = (5, 2)
_WIDTHS_OF_MANY = (6,)
_FEW = 6
"""With vehicles and more units than these, answers of the enemy are not looked at: they would take seconds."""
_ANSWERING = 4
"""Units of the enemy whose answers are looked at."""
_LEAST_GAIN = 1e-3
"""Cost points below which a plan is no better than holding."""


class BowThinker:
    """Finds the plans of BOW; `weights` are what each part of the worth of a battle counts."""

    def __init__(
        self,
        game: Game[State, Action[State], State],
        brick_law: RollLaw,
        weights: Mapping[str, float] = WEIGHTS,
    ) -> None:
        self.game = game
        self.brick_law = brick_law
        self.worth = Worth(brick_law, weights)
        self._sides = lru_cache(_REMEMBERED)(self._sides_of)
        self._own_plans = lru_cache(4 * _REMEMBERED)(self._plans_of)

    def is_open(self, state: State) -> bool:
        """Whether a unit is to be chosen, or goes on with its turn after a roll."""
        return not (state.menu or state.pending) and state.result is None and state.round > 0

    def plans(self, state: State, effort: Effort) -> Sequence[UnitPlan]:
        """Return the plans of the player whose turn it is, the best first.

        A budget that is over while its plans are made leaves them as they are; else they are searched.
        """
        plans = self.candidates(state, effort)
        if effort.is_over:
            return plans
        is_wide = state.vehicles_left and len(state.in_play()) > _FEW

        def looked_at(later: State) -> tuple[UnitPlan, ...]:
            """Return the plans within the search: none at the next turn of the player himself."""
            if later is state:
                return plans
            if effort.is_over:
                return ()
            if later.active != NOBODY:
                return self.candidates(later, effort)
            answers = later.player != state.player
            return self.candidates(later, effort, _ANSWERING) if answers else ()

        leaf = partial(self.leaf, player=state.player)
        widths = _WIDTHS_OF_MANY if is_wide else _WIDTHS
        return PlanSearch(self.game, self.brick_law, looked_at, leaf, widths).ranked(state, effort)

    def leaf(self, state: State, player: int) -> tuple[float, ...]:
        """Return the worth of a state to each player, where the search of one of them ends.

        All others are taken to want the opposite. He is taken to be next in danger, whoever moves next: one answer of
        the enemy is looked at, not all of them.
        """
        teams = state.setting.teams
        mine = teams[player]
        order = (teams[(player + step) % len(teams)] for step in range(len(teams)))
        rival = next((team for team in order if team != mine), mine)
        worth = self.worth.returns(state, mine, rival)
        return tuple(worth if team == mine else -worth for team in teams)

    def candidates(
        self, state: State, effort: Effort | None = None, most_units: int | None = None
    ) -> tuple[UnitPlan, ...]:
        """Return the plans of a state by their cheap worth, the best first; none where none may begin.

        Units that may take most, and carriers of aims, are looked at. Once the effort is over, further ones are left
        out.
        """
        if not self.is_open(state):
            return ()
        active = state.active != NOBODY
        units = [state.active] if active else self._busiest(state, most_units)
        found = list[UnitPlan]()
        for unit in units:
            found += self._own_plans(state, unit)
            if effort is not None and not effort.spend():
                break
        # the unit that would gain least is the one to hold with
        least = dict[str, float]()
        for plan in found:
            least[plan.unit] = max(least.get(plan.unit, 0.0), plan.worth)
        holdings = [plan for plan in found if plan.purpose == HOLDS]
        plans = [plan for plan in found if plan.purpose != HOLDS]
        return _ordered(plans, sorted(holdings, key=lambda plan: least[plan.unit]))

    def _sides_of(self, state: State) -> Sides:
        return Sides(self.worth, state, state.setting.teams[state.player])

    def _plans_of(self, state: State, unit: int) -> tuple[UnitPlan, ...]:
        """Return the plans of a unit in its turn, or that begin with its choice; holding among them."""
        sides = self._sides(state)
        if state.active == unit:
            return tuple(self._unit_plans(sides, state))
        choice = ChooseUnit(_name(state, unit))
        start = self.game.apply(state, choice)
        if start.active != unit:
            return (Plan(spoken(choice.name), HOLDS, (choice,), 0.0),)
        own = self._unit_plans(sides, start)
        return tuple(replace(plan, actions=(choice, *plan.actions)) for plan in own)

    def _busiest(self, state: State, most: int | None) -> list[int]:
        """Return the units that may be played, or some of them: those that may take most, and carriers of aims."""
        units = list(state.unplayed(state.player))
        if most is None or len(units) <= most:
            return units
        sides = self._sides(state)
        errands = sides.outlook.errands
        return sorted(units, key=lambda unit: (unit not in errands, -sides.most_taken(unit)))[:most]

    def _unit_plans(self, sides: Sides, state: State) -> list[UnitPlan]:
        """Return the plans of the active unit, the best first, holding among them."""
        if state.me.on_foot:
            plans = self._foot_plans(sides, state)
            if state.vehicles_left:
                plans += self._seats(state).of_boarding()
        else:
            plans = self._seats(state).of_unit()
            plans += _plans(state, 0.0, list(task_ideas(self.game, sides, state, 0.0)))
        return sorted(plans, key=lambda plan: -plan.worth)

    def _seats(self, state: State) -> SeatPlans:
        return SeatPlans(state, self.worth, self.game.apply, self._rest)

    def _rest(self, state: State) -> list[UnitPlan]:
        """Return the plans of the active unit on foot in the middle of its turn, the best first."""
        plans = self._foot_plans(Sides(self.worth, state, state.setting.teams[state.player]), state)
        return sorted(plans, key=lambda plan: -plan.worth)

    def _foot_plans(self, sides: Sides, state: State) -> list[UnitPlan]:
        walker = Walker(self.game, sides, state)
        ideas = [*walker.ideas(), *task_ideas(self.game, sides, state, walker.hold)]
        end: Actions = (End(),)
        return [
            *_plans(state, walker.hold, ideas),
            Plan(spoken(_name(state, state.active)), HOLDS, end, 0.0),
        ]


def _name(state: State, unit: int) -> str:
    return state.setting.units[unit].name


def _plans(state: State, hold: float, ideas: Sequence[Idea]) -> Iterator[UnitPlan]:
    name, points = spoken(_name(state, state.active)), scale(state)
    for idea in ideas:
        gain = idea.points - hold
        if gain > _LEAST_GAIN:
            yield Plan(name, idea.purpose, idea.actions, gain / points)


def _ordered(plans: Sequence[UnitPlan], holdings: Sequence[UnitPlan]) -> tuple[UnitPlan, ...]:
    """Return plans that gain something, the best one of each unit and purpose, then the first holding."""
    best = dict[tuple[str, str], UnitPlan]()
    for plan in sorted(plans, key=lambda plan: -plan.worth):
        if plan.worth > 0.0:
            best.setdefault((plan.unit, plan.purpose), plan)
    holds = [plan for plan in holdings if plan.purpose == HOLDS]
    return (*best.values(), *holds[:1])

"""Game: Pirate Wars, as a game of the contract in `rules`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from brickphys.odds.answer import OddsCard
from brickphys.odds.law import RollLaw
from brickphys.pirate_wars import bot
from brickphys.pirate_wars.army import army_list, sheet_list
from brickphys.pirate_wars.firing import Fire, Shoot, can_hit
from brickphys.pirate_wars.helm import prospects, ways
from brickphys.pirate_wars.morale import MoraleEffect, Suffer
from brickphys.pirate_wars.odds import ODDS, odds_card
from brickphys.pirate_wars.orders import OrderMove
from brickphys.pirate_wars.prompt import forecasts, shots_meant, turn_prompt, unlisted
from brickphys.pirate_wars.sailing import ShipTurn, newly_lashed, off_sea, on_course, wished_deg
from brickphys.pirate_wars.scenario import SCENARIOS, draw_duel, scenario_report
from brickphys.pirate_wars.scene import battle_scene
from brickphys.pirate_wars.setup import begin, first_state
from brickphys.pirate_wars.sheets import ROLES
from brickphys.pirate_wars.state import State
from brickphys.pirate_wars.status import battle_status, here, names, place_of
from brickphys.pirate_wars.story import PirateRecord, PirateStep, step_text, story, trajectories
from brickphys.pirate_wars.tasks import ORDER_TYPES, ORDERS, is_hidden, redrawn, seen
from brickphys.pirate_wars.turns import (
    ACTION_TYPES,
    CODEC,
    begin_turn,
    following,
    overlaps,
    state_problems,
    turn_types,
)
from brickphys.pirate_wars.worth import PLAN_SLOPE, Balance
from brickphys.rules.aims import team_returns
from brickphys.rules.names import Readings
from brickphys.rules.plans import Thinker
from brickphys.rules.record import OVER, Setup
from brickphys.rules.report.parts import OddsReport
from brickphys.rules.report.trajectories import Trajectories
from brickphys.rules.turn_game import Wargame
from brickphys.rules.words import Action

if TYPE_CHECKING:
    import numpy as np

_HINTS = (
    "HF, the hull factor of a ship, is what its hull can still take: at 0 it sinks; SF, the sail factor, is the sail "
    "that it can spread (PW Ship Data Chart)",
    "turn 30 swings the bow 30 degrees to port (counter-clockwise), turn -30 to starboard; you may type any angle "
    "up to the limit; after a turn in range, and no more, a loaded gun could hit an enemy that stays (PW Firing)",
    "fall 20 falls off: it turns a ship 20 degrees with the wind after all ships have moved; fall 0 keeps the heading",
    "write orders one by one; they are carried out after done: "
    + ", ".join(each.sample() for each in ORDERS.values()),
    "a minifig without an order does the usual task of its place: at a gun, it reloads an empty gun; on deck, in a "
    "castle and at the helm, it reloads an empty weapon, else sails; a ship with too few hands at the sails loses "
    "some of its sails (PW Tasks, PW Sailing)",
    "you may declare a shot that is out of range or does not bear, but it is wasted (PW Firing); the list shows only "
    "shots that can hit and moves to places that need hands; you may type any other legal order",
)

_SUFFERED = {
    MoraleEffect.ABANDON: "your crew takes to the water, and your hull is a prize",
    MoraleEffect.SURRENDER: "your crew are prisoners, and an enemy in contact has your ship",
    MoraleEffect.FLEE: "your ship flees",
    MoraleEffect.MUTINY: "your officers go overboard, and your ship flees",
}
"""What some effects of failed tests do, whose words alone do not say it."""


class PirateWars(Wargame[State]):
    """Two to six players and their ships on an open sea.

    A ship turns after its leaps by any angle up to a limit; a representative set is listed. Orders are written one by
    one. Only with option `simultaneous` is anything hidden: orders, until all players have written theirs.
    """

    name = "pirate_wars"
    version = "1.2.0"
    pictures = "brickphys.plots.games.pirate_wars:PirateWarsPainter"
    models = "brickphys.view.games.pirate_wars:PirateWarsBuilder"
    lists_all_actions = False
    rolls_bricks = False
    action_types = ACTION_TYPES
    codec = CODEC
    over_problem = "the battle is over"
    chance_problem = "dice must be rolled first (PW Turn Sequence)"
    choice_section = "PW Turn Sequence"
    shipped = SCENARIOS
    begin_scenario = staticmethod(begin)
    documents = "brickphys.pirate_wars.documents"
    scenario = staticmethod(scenario_report)
    draw_setup = staticmethod(draw_duel)
    sheets = staticmethod(sheet_list)
    army_list = staticmethod(army_list)
    names = staticmethod(names)
    here = staticmethod(here)
    place_of = staticmethod(place_of)
    describe = staticmethod(battle_status)
    scene = staticmethod(battle_scene)
    drives = staticmethod(ways.sailed)
    goes_on = staticmethod(ways.goes_on)
    lane = staticmethod(ways.lane)
    threats = staticmethod(ways.threats)
    turn_prompt = staticmethod(turn_prompt)
    turn_types = staticmethod(turn_types)
    following = staticmethod(following)
    forecasts = staticmethod(forecasts)
    estimate = staticmethod(prospects.estimate)
    plan_slope = PLAN_SLOPE
    hand_estimate = staticmethod(bot.estimate)
    hidden = staticmethod(is_hidden)
    observe = staticmethod(seen)
    alternative = staticmethod(redrawn)
    state_problems = staticmethod(state_problems)
    invariant_problems = staticmethod(overlaps)

    def hints(self) -> Sequence[str]:
        return _HINTS

    def tell(self, before: State, step: PirateStep, viewer: int | None = None) -> str:
        return step_text(before, step)

    def story(self, record: PirateRecord, viewer: int | None = None) -> Iterator[str]:
        return story(record)

    def trajectories(self, record: PirateRecord, viewer: int | None = None) -> Trajectories[State]:
        return trajectories(record)

    def begin(self, setup: Setup) -> State:
        return begin_turn(first_state(setup))

    def turn_player(self, state: State) -> int:
        if state.winners is not None:
            return OVER
        return state.player if state.turn < len(state.order) else 0

    def readings(self, state: State, text: str) -> Readings:
        """Return what typed words may mean; of an enemy alone the shots that can hit it, or why none can."""
        writes = self.actor(state) >= 0 and self.asked_types(state) == ORDER_TYPES
        found = shots_meant(state, self.names(state), text.strip()) if writes else None
        return found or super().readings(state, text)

    def unlisted(self, state: State) -> Sequence[Action[State]]:
        nobody_writes = state.pending or self.actor(state) < 0
        return () if nobody_writes else tuple(unlisted(state))

    def returns(self, state: State) -> tuple[int, ...]:
        return team_returns(state.setting.teams, state.winners or ())

    def thinker(self, brick_law: RollLaw) -> Thinker[State, Action[State]]:
        from brickphys.pirate_wars.helm.plans import PirateThinker  # loads NumPy

        return PirateThinker(brick_law)

    def conduct(self, record: PirateRecord, player: int) -> Mapping[str, int]:
        from brickphys.pirate_wars.helm.conduct import conduct  # loads NumPy

        return conduct(record, player)

    def settled(self, state: State) -> bool:
        """Return True: the estimate reckons with dice that are to come, so a search may stop anywhere."""
        return True

    def imagine(self, view: State, rng: "np.random.Generator") -> State:
        """Return the state that is seen: in it, the others have written nothing yet."""
        return view

    def plan_estimate(self, state: State) -> float:
        return Balance.of(state, state.setting.teams[self.actor(state)]).worth

    def purpose(self, state: State, action: Action[State]) -> str:
        """Return what a turn leads to, of which the angle alone does not say it, and what a rare choice does."""
        if isinstance(action, Suffer):
            return _SUFFERED[action.effect]
        if isinstance(action, OrderMove):
            return action.effect
        ship = state.active
        if ship is None or not isinstance(action, ShipTurn):
            return ""
        wished, after = wished_deg(state, ship).get(action.angle_deg, ""), action.apply(state)
        goes_on = on_course(after)
        aims = "in range" if can_hit(goes_on, ship) else ""
        if hit := newly_lashed(state, after, ship):
            hit = f"rams {hit}"
        elif hit := newly_lashed(state, goes_on, ship):
            hit = f"straight on rams {hit}"
        return ", ".join(filter(None, [wished, aims, hit, off_sea(after, ship)]))

    def waste(self, state: State, action: Action[State]) -> str:
        """Return why a shot would be wasted, with its section of the book; it may be declared all the same."""
        why = action.waste(state) if isinstance(action, Fire | Shoot) else ""
        return f"{why} (PW Firing)" if why else ""

    def rounds(self, state: State) -> int:
        return state.round

    def conserved(self, state: State) -> Mapping[str, object]:
        return {"ships": len(state.ships), "minifigs": len(state.minifigs)}

    def shrinking(self, state: State) -> Mapping[str, int]:
        setting = state.setting
        left = {f"minifigs of {name}": 0 for name in setting.players}
        for minifig, now in zip(setting.minifigs, state.minifigs, strict=True):
            left[f"minifigs of {setting.players[minifig.player]}"] += now.is_alive
        for spec, ship in zip(setting.ships, state.ships, strict=True):
            left[f"HF of {spec.name}"] = ship.hull
            left[f"guns of {spec.name}"] = sum(not gun.is_lost for gun in ship.guns)
        return left

    def odds_tables(self) -> Mapping[str, Callable[..., OddsReport]]:
        return ODDS

    def unit_names(self) -> Sequence[str]:
        return (*super().unit_names(), *ROLES)

    def odds_card(self, law: RollLaw, law_name: str) -> OddsCard:
        """Return the card of the game's dice; no law of bricks matters."""
        return odds_card()

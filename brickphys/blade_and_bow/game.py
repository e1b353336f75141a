"""Game: Blade & Bow, as a game of the contract in `rules`.

Hidden are the hands of the enemy, the cards left in the deck, and ranks that the enemy has not seen (BB 2.3.2.8, 4.0).
Losses and the sum of an army's ranks are known to everybody (BB 14.2), and ranks that were seen stay known (ours).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from math import tanh
from typing import TYPE_CHECKING, Any

from brickphys.blade_and_bow import bot, worth
from brickphys.blade_and_bow.command.actions import SQUARE, VIA, split_at
from brickphys.blade_and_bow.command.cards import ARMY, PlayCards
from brickphys.blade_and_bow.command.morale import MoraleRoll
from brickphys.blade_and_bow.command.movement import MOVER_TYPES
from brickphys.blade_and_bow.conduct import conduct
from brickphys.blade_and_bow.deck import card_numbers, deck
from brickphys.blade_and_bow.deployment import Station, ask_for_setup, unchosen
from brickphys.blade_and_bow.dice_law import combat_chain, odds_card
from brickphys.blade_and_bow.ground import noticed
from brickphys.blade_and_bow.notation import (
    ACTION_TYPES,
    CODEC,
    invariant_problems,
    state_problems,
    turn_types,
)
from brickphys.blade_and_bow.odds import ODDS
from brickphys.blade_and_bow.pieces import HIDDEN
from brickphys.blade_and_bow.plans import BladeThinker, supposed
from brickphys.blade_and_bow.prompt import HINTS, cards_prompt, forecasts, together, turn_prompt
from brickphys.blade_and_bow.scenario import (
    SCENARIOS,
    army_list,
    scenario_report,
    sheets,
    variant,
)
from brickphys.blade_and_bow.scene import battle_scene
from brickphys.blade_and_bow.sentences import reveals
from brickphys.blade_and_bow.setup import begin, first_state
from brickphys.blade_and_bow.sheets import Density, charts
from brickphys.blade_and_bow.state import Phase, State
from brickphys.blade_and_bow.status import battle_status, here, names, place_of
from brickphys.blade_and_bow.story import known_to, step_text, story, trajectories
from brickphys.blade_and_bow.tactics.prospects import threats
from brickphys.blade_and_bow.turns import following
from brickphys.geometry.polygon import Point
from brickphys.grid.grid import FACINGS
from brickphys.odds.answer import OddsCard
from brickphys.odds.distribution import summed
from brickphys.odds.law import RollLaw
from brickphys.rules.codes import named
from brickphys.rules.events import Outcome
from brickphys.rules.names import Readings
from brickphys.rules.record import OVER, Forecast, Setup
from brickphys.rules.report.parts import OddsReport
from brickphys.rules.turn_game import Wargame
from brickphys.rules.words import Action

if TYPE_CHECKING:
    import numpy as np


def is_hidden(state: State) -> bool:
    """Tell whether a player may know less than the state holds: until the battle is over."""
    return state.result is None


def seen(state: State, player: int) -> State:
    """Return what a player sees: cards of the enemy are in the deck, and hidden in the hand; so are unseen ranks."""
    if not is_hidden(state):
        return state
    enemy = 1 - player
    cards = state.hands[enemy]
    units = known_to(state, player, unchosen(state)).units
    state = state.with_entry("hands", enemy, (HIDDEN,) * len(cards))
    return state.replaced({"deck": tuple(sorted((*state.deck, *cards))), "units": units})


def redrawn(view: State, rng: "np.random.Generator") -> State:
    """Return a state with this view: hidden cards are dealt anew, and hidden ranks drawn within limits and sums."""
    return _with_ranks(_with_hands(view, rng), rng)


def _with_hands(view: State, rng: "np.random.Generator") -> State:
    """Deal the cards of the hand that is hidden; the reshuffle card is never in a hand (BB 2.2.1)."""
    for player, hand in enumerate(view.hands):
        if HIDDEN in hand:
            cards = [card for card in view.deck if not deck()[card].is_reshuffle]
            drawn = {cards[index] for index in rng.permutation(len(cards))[: len(hand)]}
            left = tuple(card for card in view.deck if card not in drawn)
            return view.with_entry("hands", player, tuple(sorted(drawn))).replaced({"deck": left})
    return view


def _with_ranks(view: State, rng: "np.random.Generator") -> State:
    """Draw hidden ranks: each of the ranks that fit into the units is as likely as any other to be there."""
    setting, units = view.setting, list(view.units)
    covered = [number for number, unit in enumerate(units) if unit.ranks == HIDDEN]
    if not covered:
        return view
    player, waiting = view.player_of(covered[0]), unchosen(view)
    rest = setting.ranks[player] - sum(
        unit.lost + max(unit.ranks, 0)
        for number, unit in enumerate(units)
        if view.player_of(number) == player
    )
    open_units = [*covered, *(number for number in waiting if view.player_of(number) == player)]
    room = [setting.units[number].most_ranks - units[number].lost for number in open_units]
    for number, ranks in zip(open_units, rng.multivariate_hypergeometric(room, rest), strict=True):
        if number in covered:
            units[number] = units[number].replaced({"ranks": int(ranks)})
    return view.replaced({"units": tuple(units)})


class BladeAndBow(Wargame[State]):
    """Two armies on a grid of squares, commanded by leaders and cards.

    Hidden are the hand of the enemy, the deck, and ranks of the enemy that were not seen.
    """

    name = "blade_and_bow"
    round_word = "Turn"
    version = "1.2.0"
    pictures = "brickphys.plots.games.blade_and_bow:BladeAndBowPainter"
    models = "brickphys.view.games.blade_and_bow:BladeAndBowBuilder"
    lists_all_actions = False  # of the ways to a square only those that people and bots mostly want
    rolls_bricks = False
    has_grades = True
    action_types = ACTION_TYPES
    codec = CODEC
    over_problem = "the battle is over"
    chance_problem = "dice must be rolled or a card must be drawn first (BB 5.0)"
    choice_section = "BB 5.4.4"
    shipped = SCENARIOS
    begin_scenario = staticmethod(begin)
    documents = "brickphys.blade_and_bow.documents"
    scenario = staticmethod(scenario_report)
    sheets = staticmethod(sheets)
    army_list = staticmethod(army_list)
    names = staticmethod(names)
    here = staticmethod(here)
    place_of = staticmethod(place_of)
    describe = staticmethod(battle_status)
    scene = staticmethod(battle_scene)
    threats = staticmethod(threats)
    reveals = staticmethod(reveals)
    conduct = staticmethod(conduct)
    turn_prompt = staticmethod(turn_prompt)
    tell = staticmethod(step_text)
    story = staticmethod(story)
    trajectories = staticmethod(trajectories)
    turn_types = staticmethod(turn_types)
    following = staticmethod(following)
    estimate = staticmethod(worth.estimate)
    plan_slope = worth.PLAN_SLOPE
    hand_estimate = staticmethod(bot.estimate)
    hidden = staticmethod(is_hidden)
    observe = staticmethod(seen)
    imagine = staticmethod(redrawn)
    state_problems = staticmethod(state_problems)
    invariant_problems = staticmethod(invariant_problems)

    def hints(self) -> Sequence[str]:
        return HINTS

    def draw_setup(
        self, options: Mapping[str, Any], rng: "np.random.Generator"
    ) -> tuple[str, Setup]:
        """Return a battle that ships with other choices of its reconstruction, without chance; see `variant`."""
        return variant(options)

    def begin(self, setup: Setup) -> State:
        """Return the state before the first choice of the setup, or the first card."""
        return self.proceed(ask_for_setup(first_state(setup)))

    def action_names(self, state: State) -> Iterator[str]:
        """Yield the names in the setting, of its squares, of the cards and of the whole army."""
        return chain(named(state.setting), state.setting.squares, card_numbers(), [ARMY])

    def turn_player(self, state: State) -> int:
        return state.mover if state.result is None else OVER

    def apply(self, state: State, move: Action[State] | Outcome) -> State:
        """Return the state after a move; ranks that the enemy comes to see are known from then on."""
        after = super().apply(state, move)
        moved = after.units is not state.units or state.phase is Phase.SETUP
        return noticed(after) if moved and after.phase is not Phase.SETUP else after

    def readings(self, state: State, text: str) -> Readings:
        """Return the actions that words may mean; squares of a way follow the end of a move: ``go D3 n via c2, c3``."""
        end, mark, way = split_at(text.replace(",", " ").split(), VIA)
        if not mark:
            return super().readings(state, text)
        found = super().readings(state, " ".join(end))
        tail = " ".join([VIA, *map(SQUARE.tidy, way)])
        return replace(found, meant=tuple(f"{one} {tail}" for one in found.meant))

    def only_action(self, state: State) -> Action[State] | None:
        """Return the only legal action: who can go, by ways that are not all listed, can stay, too."""
        return self.only_listed(state)

    def prompt(self, state: State) -> str:
        """Return what is asked; of cards what they are played for."""
        asked = state.first_pending
        if isinstance(asked, PlayCards):
            return cards_prompt(state, asked.moment)
        return super().prompt(state)

    def returns(self, state: State) -> tuple[Fraction, ...]:
        """Return the grade of the victory for the winner, its negative for the loser; 0 in a draw (BB 5.6)."""
        result = state.result
        assert result is not None
        if result.winner is None:
            return (Fraction(0),) * len(state.setting.players)
        worth = charts().grades[result.grade.value]
        players = range(len(state.setting.players))
        return tuple(worth if player == result.winner else -worth for player in players)

    def settled(self, state: State) -> bool:
        """Whether no morale is to be rolled; the estimate reckons with all else that is chosen or to be rolled."""
        return not isinstance(state.first_pending, MoraleRoll)

    def purpose(self, state: State, action: Action[State]) -> str:
        if not isinstance(action, Station):
            return together(state, action)
        return f"with {state.unit_name(state.at[state.setting.square_numbers[action.square]])}"

    def chain_law(self, state: State, brick_law: RollLaw) -> Mapping[State, Fraction] | None:
        """Return the law of the dice of a combat, with the best re-rolls of both sides."""
        chain = combat_chain(state)
        return chain and summed((self.proceed(struck), chance) for struck, chance in chain.items())

    def forecasts(
        self, state: State, action: Action[State], brick_law: RollLaw
    ) -> Sequence[Forecast] | None:
        return forecasts(state, action)

    def alternative(self, state: State, player: int, rng: "np.random.Generator") -> State:
        """Return the state with other cards and other ranks where the player may not know them."""
        return redrawn(seen(state, player), rng)

    def thinker(self, brick_law: RollLaw) -> BladeThinker:
        return BladeThinker(self)

    def plan_estimate(self, state: State) -> float:
        player = self.actor(state)
        return tanh(0.5 * worth.lead(supposed(self.observe(state, player)), player))

    def place_name(self, state: State, place: Point) -> str:
        x, y = int(place[0]), int(place[1])
        grid = state.setting.grid
        return state.setting.squares[grid.square(x, y)] if grid.contains(x, y) else f"{x} {y}"

    def rounds(self, state: State) -> int:
        return state.turn

    def most_actions(self, initial: State) -> int:
        """Return a bound on the actions listed at once: moves to all squares, and cards for all units.

        To a square lead moves by the usual way, moves over a leader, and those of dense units that reverse there.
        Orders are no more: in a square at most five for a leader and three for a unit, in that of an enemy none.
        """
        setting = initial.setting
        cards = 1 + max((one.value for one in setting.leaders), default=0)
        is_dense = any(one.counter.density is Density.DENSE for one in setting.units)
        kinds = 1 + bool(setting.leaders) + is_dense
        ends = kinds * FACINGS * len(setting.squares)
        return ends + len(MOVER_TYPES) + cards * len(setting.units)

    def conserved(self, state: State) -> Mapping[str, object]:
        cards = (*state.deck, *state.discards, *(card for hand in state.hands for card in hand))
        return {"units": len(state.units), "leaders": len(state.leaders), "cards": len(cards)}

    def shrinking(self, state: State) -> Mapping[str, int]:
        setting, left = state.setting, dict[str, int]()
        for player, name in enumerate(setting.players):
            left[f"losses to the rout of {name}"] = state.rout_level(player) - state.losses[player]
            leaders = sum(spec.player == player for spec in setting.leaders)
            left[f"leaders of {name}"] = leaders - state.leaders_killed(player)
        return left

    def odds_tables(self) -> Mapping[str, Callable[..., OddsReport]]:
        return ODDS

    def odds_card(self, law: RollLaw, law_name: str) -> OddsCard:
        """Return the card of the game's dice; no law of bricks matters."""
        return odds_card()

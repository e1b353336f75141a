"""Game: boats race east; each round, every player first chooses a card in secret."""

from dataclasses import dataclass, replace
from typing import Annotated

from brickphys.rules.moves import Move
from brickphys.rules.notation import StateCodec
from brickphys.rules.record import OVER, GameSetting, setup_digest
from brickphys.rules.rolls import BrickRoll
from brickphys.rules.scenario_file import parse_scenario
from brickphys.rules.turn_game import TurnGame
from brickphys.rules.turn_state import Count, FollowUp, PendingRoll, PlayerNumber, TurnState
from brickphys.rules.words import Argument, Codes
from regatta.report import Reports
from regatta.setup import SCENARIOS, SHEETS, RegattaFormat, read

CARDS = (1, 2, 3, 4, 5)
CARD = Argument("card from 1 to 5", "[1-5]", int, codes=Codes.of(CARDS))
UNSEEN = 6


@dataclass(frozen=True, eq=False)
class Setting(GameSetting):
    sheets: tuple[str, ...]
    rows: tuple[int, ...]
    size: tuple[int, int]
    rounds: int


@dataclass(frozen=True, kw_only=True)
class Race(TurnState):
    setting: Setting
    round: Count = 1
    columns: Annotated[tuple[Count, ...], "players"]
    hands: Annotated[tuple[tuple[Count, ...], ...], "players"]
    chosen: tuple[Count, ...] = ()


@dataclass(frozen=True, slots=True)
class Choose(Move[Race]):
    word = "card"
    section = "REGATTA 1"
    card: Annotated[int, CARD]

    @classmethod
    def listed(cls, state):
        return map(cls, state.hands[len(state.chosen)])

    def refusals(self, state, card):
        if card not in state.hands[len(state.chosen)]:
            yield f"card {card} is not in the hand"

    def result(self, state, card):
        state = state.replaced({"chosen": (*state.chosen, card)})
        boats = range(len(state.columns))
        ready = len(state.chosen) == len(boats)
        return state.push_pending(*map(RowRoll, boats), NextRound()) if ready else state


@dataclass(frozen=True, slots=True)
class RowRoll(PendingRoll[Race]):
    boat: PlayerNumber

    def event(self, state):
        setting = state.setting
        return BrickRoll(SHEETS[setting.sheets[self.boat]].bricks, setting.players[self.boat])

    def settle(self, state, score):
        columns, (width, _) = list(state.columns), state.setting.size
        columns[self.boat] += state.chosen[self.boat] + score
        columns[self.boat] = min(columns[self.boat], width - 1)
        return state.replaced({"columns": tuple(columns)})


@dataclass(frozen=True, slots=True)
class NextRound(FollowUp[Race]):
    def happen(self, state):
        pairs = zip(state.hands, state.chosen, strict=True)
        left = (tuple(card for card in hand if card != played) for hand, played in pairs)
        hands = tuple(hand or CARDS for hand in left)
        return state.replaced({"round": state.round + 1, "hands": hands, "chosen": ()})


class Regatta(Reports, TurnGame[Race, Race]):
    name = "regatta"
    version = "1"
    setups = SCENARIOS
    action_types = (Choose,)
    codec = StateCodec(Race, (RowRoll, NextRound))
    choice_section = "REGATTA 1"

    def begin(self, setup):
        document = read(setup)
        boats, field = document.boats, document.field
        names, sheets, columns, rows = zip(
            *((boat.id, boat.sheet, boat.x, boat.y) for boat in boats), strict=True
        )
        size = (field["width"], field["length"])
        setting = Setting(setup_digest(setup), names, sheets, rows, size, document.rounds)
        return Race(setting=setting, columns=columns, hands=(CARDS,) * len(boats))

    def parse_setup(self, text, name):
        return parse_scenario(text, name, RegattaFormat()).setup

    def arrived(self, state):
        return [column == state.setting.size[0] - 1 for column in state.columns]

    def turn_player(self, state):
        over = not state.pending and any(self.arrived(state))
        return OVER if over or state.round > state.setting.rounds else len(state.chosen)

    def returns(self, state):
        arrived = self.arrived(state)
        return tuple(0 if all(arrived) == any(arrived) else 1 if its else -1 for its in arrived)

    def estimate(self, state):
        mean = sum(state.columns) / len(state.columns)
        return tuple((column - mean) / state.setting.size[0] for column in state.columns)

    def state_problems(self, state):
        boats, (width, _) = len(state.setting.sheets), state.setting.size
        if max(state.columns) >= width:
            yield "columns: beyond the last one"
        elif any(list(hand) != sorted({*hand} & {*CARDS}) or not hand for hand in state.hands):
            yield "hands: not cards in order"
        elif len(state.chosen) > boats or (len(state.chosen) == boats) != bool(state.pending):
            yield "chosen: not of this moment"

    def hidden(self, state):
        return bool(state.chosen) and not state.pending

    def observe(self, state, player):
        if not self.hidden(state):
            return state
        chosen = (card if own == player else UNSEEN for own, card in enumerate(state.chosen))
        return replace(state, chosen=tuple(chosen))

    def alternative(self, state, player, rng):
        return self.imagine(self.observe(state, player), rng)

    def imagine(self, view, rng):
        pairs = zip(view.chosen, view.hands, strict=False)
        guessed = (int(rng.choice(hand)) if card == UNSEEN else card for card, hand in pairs)
        return replace(view, chosen=tuple(guessed))

    def rounds(self, state):
        return state.round

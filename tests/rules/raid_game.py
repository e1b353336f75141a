"""Raid: a small turn game with hidden hands. Players bid cards in secret piles, roll for them, and may parry."""

from dataclasses import dataclass, replace

from brickphys.errors import InvalidValueError
from brickphys.rules import turn_state, words
from brickphys.rules.notation import StateCodec
from brickphys.rules.record import OVER, GameSetting, setup_digest
from brickphys.rules.rolls import BrickRoll, OpposedRoll
from brickphys.rules.turn_game import TurnGame

CARD = words.Argument("card", r"\d", int, codes=words.Codes.of(range(10)))


@dataclass(frozen=True, eq=False)
class Setting(GameSetting):
    hands: tuple[tuple[int, ...], ...]
    lives: int


@dataclass(frozen=True, kw_only=True)
class Table(turn_state.TurnState):
    setting: Setting
    player: turn_state.Count = 0
    menu: str = ""
    hands: tuple[tuple[turn_state.Count, ...], ...]
    lives: tuple[turn_state.Count, ...]


@dataclass(frozen=True, slots=True)
class FirstRoll(turn_state.RollOff[Table]):
    def event(self, state):
        return BrickRoll(2, f"{state.setting.players[self.roller]} for the start")

    def won(self, state, player):
        return state.replaced({"player": player})


@dataclass(frozen=True, slots=True)
class Raid(words.Action[Table]):
    word = "raid"
    arguments = (CARD,)
    card: int

    @classmethod
    def legal(cls, state):
        return words.without_problems(state, map(cls, range(10)))

    def problems(self, state):
        if self.card not in state.hands[state.player]:
            yield f"no card {self.card} in hand (RAID 2)"

    def apply(self, state):
        hand = list(state.hands[state.player])
        hand.remove(self.card)
        hands = tuple(
            tuple(hand) if player == state.player else other
            for player, other in enumerate(state.hands)
        )
        raided = state.replaced({"hands": hands, "menu": ""})
        return raided.push_pending(Parrying(self.card), NextPlayer())


class Choose(words.ChooseType[Table]):
    __slots__ = ()

    types = (Raid,)
    section = "RAID 1"

    def apply(self, state):
        return state.replaced({"menu": self.kind})


class Rest(words.Unconditional[Table]):
    __slots__ = ()

    word = "rest"

    def apply(self, state):
        return state.push_pending(NextPlayer())


class Parry(words.Unconditional[Table]):
    __slots__ = ()

    word = "parry"

    def apply(self, state):
        card = state.pending[0].card
        return state.pop_pending().push_pending(Strike(card))


class Yield(words.Unconditional[Table]):
    __slots__ = ()

    word = "yield"

    def apply(self, state):
        return hurt(state.pop_pending(), 1)


@dataclass(frozen=True, slots=True)
class Parrying(turn_state.Question[Table]):
    answers = (Parry, Yield)
    card: turn_state.Count

    def problems(self, state):
        return turn_state.number_problems("card", self.card, 10)

    def player(self, state):
        return 1 - state.player


@dataclass(frozen=True, slots=True)
class Strike(turn_state.PendingRoll[Table]):
    card: turn_state.Count

    def problems(self, state):
        return turn_state.number_problems("card", self.card, 10)

    def event(self, state):
        return OpposedRoll(self.card, 1, "the raid against the parry")

    def settle(self, state, outcome):
        won, lost = turn_state.scores(outcome)
        return hurt(state, max(0, won - lost))


@dataclass(frozen=True, slots=True)
class NextPlayer(turn_state.FollowUp[Table]):
    def happen(self, state):
        return state.replaced({"player": 1 - state.player})


def hurt(state, points):
    lives = list(state.lives)
    lives[1 - state.player] = max(0, lives[1 - state.player] - points)
    return state.replaced({"lives": tuple(lives)})


class RaidGame(TurnGame[Table, str]):
    """Hands are hidden from the other player; how many cards they hold is not."""

    name = "raid"
    version = "1"
    lists_all_actions = False
    action_types = (Choose, Raid, Rest, Parry, Yield)
    choice_section = "RAID 1"
    codec = StateCodec(Table, (FirstRoll, Parrying, Strike, NextPlayer), keys={"lives": "left"})

    @property
    def setups(self):
        return {"short": {"hands": [[1, 2], [1, 3]], "lives": 2}}

    def begin(self, setup):
        if setup.keys() != {"hands", "lives"}:
            raise InvalidValueError("setup: the keys are hands and lives")
        hands = tuple(map(tuple, setup["hands"]))
        setting = Setting(setup_digest(setup), ("ann", "bob"), hands, setup["lives"])
        lives = (setting.lives,) * 2
        return Table(setting=setting, hands=hands, lives=lives, pending=(FirstRoll((0, 1)),))

    def turn_player(self, state):
        return OVER if 0 in state.lives or not any(state.hands) else state.player

    def turn_types(self, state):
        return (Raid,) if state.menu else (Choose, Rest)

    def returns(self, state):
        one, other = state.lives
        return (0, 0) if one == other else (1, -1) if one > other else (-1, 1)

    def following(self, state):
        """A player without cards rests."""
        return None if state.hands[state.player] else NextPlayer().happen(state)

    def state_problems(self, state):
        yield from turn_state.number_problems("player", state.player, 2)
        if state.menu not in ("", "raid"):
            yield f"menu: {state.menu!r} is none"

    def observe(self, state, player):
        hands = tuple(
            hand if own == player else (0,) * len(hand) for own, hand in enumerate(state.hands)
        )
        return self.format_state(replace(state, hands=hands))

    def alternative(self, state, player, rng):
        other = tuple(int(card) for card in rng.integers(1, 4, len(state.hands[1 - player])))
        hands = (state.hands[0], other) if player == 0 else (other, state.hands[1])
        return replace(state, hands=hands)

    def imagine(self, view, rng):
        state = self.codec.parse(view, self._setting)
        hands = tuple(
            tuple(int(rng.integers(1, 4)) if card == 0 else card for card in hand)
            for hand in state.hands
        )
        return replace(state, hands=hands)

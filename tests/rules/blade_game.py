"""Cards and dice: hidden hands and ranks, command draws, melees paid for in cards, re-rolls by both sides."""

from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

from brickphys.errors import InvalidValueError
from brickphys.odds.law import BinomialLaw
from brickphys.rules.events import Draw
from brickphys.rules.game import Game
from brickphys.rules.record import CHANCE, OVER
from brickphys.rules.rolls import DiceCount
from tests.rules.rows import RowGame

CARDS = tuple(sorted(f"{copy}{worth}" for copy in "abcd" for worth in range(3)))
WORDS = ("pass", "melee", "draw", "stop", "keep", "again")
HAND, MOST_HELD, MEN, COMMITMENT_DICE = 2, 3, 4, 2
ACTORS = {"choose": 0, "commit": 0, "keep0": 0, "keep1": 1, "over": OVER}
"""Phase -> whether the mover or the other side acts; in every other phase chance does."""


class Blades(NamedTuple):
    """Cards, ranks (0 before they are drawn), men, the turn, what is owed, both sides' hits, blanks and cancels."""

    deck: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...] = ((), ())
    discards: tuple[str, ...] = ()
    ranks: tuple[int, ...] = (0, 0)
    shown: bool = False
    men: tuple[int, ...] = (MEN, MEN)
    phase: str = "deal"
    mover: int = 0
    turns: int = 6
    actions: int = 0
    owed: int = 0
    dice: tuple[tuple[int, ...], ...] = ()


class Blade(RowGame, Game):
    """The mover has as many actions as the command card says: to draw a card, or a melee that must be paid for."""

    name = "blade"
    version = "1"
    like = Blades(())
    words = (*WORDS, *(f"play {card}" for card in CARDS))
    setups = MappingProxyType({"line": {"turns": 6}})

    def initial(self, setup):
        if set(setup) != {"turns"} or setup["turns"] not in range(1, 21):
            raise InvalidValueError(f"setup {dict(setup)}: turns is a number from 1 to 20")
        return Blades(CARDS, turns=setup["turns"])

    def actor(self, state):
        role = ACTORS.get(state.phase, CHANCE)
        return role if role < 0 else abs(state.mover - role)

    def actions(self, state):
        hand = state.hands[self.actor(state)] if self.actor(state) >= 0 else ()
        if state.phase == "choose":
            return ("pass", "melee", "draw") if len(hand) < MOST_HELD else ("pass", "melee")
        if state.phase == "commit":
            return ("stop", *(f"play {card}" for card in hand))
        return ("keep", "again") if state.phase in ("keep0", "keep1") else ()

    def chance(self, state):
        phase, side = state.phase, int(state.phase[-1] == "1")
        if phase == "rank":
            return Draw.uniform("1", "2", "3", reason=f"rank of player {int(state.ranks[0] > 0)}")
        if phase in ("deal", "draw", "command"):
            who = self._dealt_to(state) if phase == "deal" else state.mover
            names = state.deck or state.discards
            return Draw.uniform(*names, reason=f"{phase}, player {who}", secret=True)
        if phase == "owed":
            return DiceCount.of(COMMITMENT_DICE, "commitment", ready=4, short=2)
        if phase == "again0" or phase == "again1":
            return DiceCount.of(state.dice[side][1], "again", hits=2, blanks=2, cancels=2)
        return DiceCount.of(
            self._dice(state, phase == "defend"), phase, hits=2, blanks=2, cancels=2
        )

    def _dice(self, state, side):
        return 1 + state.ranks[abs(state.mover - side)]

    def _dealt_to(self, state):
        return len(state.hands[0] + state.hands[1]) % 2

    def apply(self, state, move):
        return getattr(self, f"_{state.phase.rstrip('01')}")(state, move)

    def _deal(self, state, card):
        state = self._taken(state, self._dealt_to(state), card)
        return state._replace(phase="deal" if len(state.hands[1]) < HAND else "rank")

    def _rank(self, state, rank):
        first = state.ranks[0]
        ranks = (first, int(rank)) if first else (int(rank), 0)
        return state._replace(ranks=ranks, phase="command" if first else "rank")

    def _command(self, state, card):
        if not state.deck:
            state = state._replace(deck=state.discards, discards=())
        deck = tuple(left for left in state.deck if left != card)
        discards = tuple(sorted((*state.discards, card)))
        return state._replace(
            deck=deck, discards=discards, actions=1 + int(card[1]), phase="choose"
        )

    def _choose(self, state, action):
        if action == "pass":
            return self._next(state)
        melee = action == "melee"
        return state._replace(phase="owed" if melee else "draw", shown=state.shown or melee)

    def _draw(self, state, card):
        if not state.deck:
            state = state._replace(deck=state.discards, discards=())
        return self._next(self._taken(state, state.mover, card))

    def _owed(self, state, tally):
        return state._replace(owed=tally[1], phase="commit" if tally[1] else "attack")

    def _commit(self, state, action):
        if action == "stop":
            return self._next(state._replace(owed=0))
        owed = max(0, state.owed - int(action[-1]))
        state = self._spent(state, state.mover, action[5:])
        return state._replace(owed=owed, phase="commit" if owed else "attack")

    def _attack(self, state, tally):
        return state._replace(dice=(tally,), phase="defend")

    def _defend(self, state, tally):
        return self._asked(state._replace(dice=(*state.dice, tally)), 0)

    def _asked(self, state, side):
        """Ask a side that has blanks whether it rolls them again; after both, count the blows."""
        if side == 2:
            (hits, _, cancels), (back, _, stopped) = state.dice
            return self._fought(state, max(0, back - cancels), max(0, hits - stopped))
        return (
            state._replace(phase=f"keep{side}")
            if state.dice[side][1]
            else self._asked(state, side + 1)
        )

    def _keep(self, state, action):
        side = int(state.phase[-1])
        return (
            state._replace(phase=f"again{side}")
            if action == "again"
            else self._asked(state, side + 1)
        )

    def _again(self, state, tally):
        side = int(state.phase[-1])
        hits, _, cancels = state.dice[side]
        dice = list(state.dice)
        dice[side] = (hits + tally[0], tally[1], cancels + tally[2])
        return self._asked(state._replace(dice=tuple(dice)), side + 1)

    def _fought(self, state, own, other):
        """The state after a melee that cost the mover and the other side so many men."""
        first, second = (own, other) if state.mover == 0 else (other, own)
        men = (max(0, state.men[0] - first), max(0, state.men[1] - second))
        return self._next(state, men)

    def _next(self, state, men=None):
        """The state after an action of the mover."""
        men = men or state.men
        if 0 in men:
            return state._replace(men=men, dice=(), actions=0, phase="over")
        if state.actions > 1:
            return state._replace(men=men, dice=(), actions=state.actions - 1, phase="choose")
        turns, phase = state.turns - 1, "command" if state.turns > 1 else "over"
        return state._replace(
            men=men, dice=(), actions=0, mover=1 - state.mover, turns=turns, phase=phase
        )

    def _taken(self, state, who, card):
        hands = tuple(
            tuple(sorted((*hand, card))) if player == who else hand
            for player, hand in enumerate(state.hands)
        )
        return state._replace(deck=tuple(left for left in state.deck if left != card), hands=hands)

    def _spent(self, state, who, card):
        hands = tuple(
            tuple(held for held in hand if held != card) if player == who else hand
            for player, hand in enumerate(state.hands)
        )
        return state._replace(hands=hands, discards=tuple(sorted((*state.discards, card))))

    def returns(self, state):
        lead = state.men[0] - state.men[1]
        return ((lead > 0) - (lead < 0), (lead < 0) - (lead > 0))

    def settled(self, state):
        return state.phase in ("choose", "command", "draw", "over")

    def estimate(self, state):
        cards = [len(hand) for hand in state.hands]
        cards[state.mover] += state.phase == "draw"
        lead = (state.men[0] - state.men[1]) / 10 + (cards[0] - cards[1]) / 100
        return (lead, -lead)

    def chain_law(self, state, brick_law):
        """Commitment, paid with as little as will do; or a melee in which both sides roll their blanks again."""
        if state.phase == "owed":
            law = {}
            for tally, chance in self.chance(state).law(brick_law).items():
                add(law, self._paid(state, tally), chance)
            return law
        if state.phase == "attack":
            most = (state.men[state.mover], state.men[1 - state.mover])
            losses = melee(self._dice(state, 0), self._dice(state, 1), *most)
            return {self._fought(state, *lost): chance for lost, chance in losses.items()}
        return None

    def _paid(self, state, tally):
        """The state after commitment is paid, or cannot be."""
        paid = self._owed(state, tally)
        for card in payment(state.hands[state.mover], tally[1]):
            paid = self._commit(paid, f"play {card}")
        return paid if paid.phase == "attack" else self._commit(paid, "stop")

    def observe(self, state, player):
        """The player, and the state: the deck and the enemy's hand in one heap, a rank that was not shown as -1."""
        unseen = tuple(sorted(state.deck + state.hands[1 - player]))
        hands = tuple(
            hand if who == player else ("?",) * len(hand) for who, hand in enumerate(state.hands)
        )
        ranks = tuple(
            -1 if rank and who != player and not state.shown else rank
            for who, rank in enumerate(state.ranks)
        )
        return player, state._replace(deck=unseen, hands=hands, ranks=ranks)

    def imagine(self, view, rng):
        player, state = view
        cards = [state.deck[i] for i in rng.permutation(len(state.deck))]
        held = len(state.hands[1 - player])
        hands = [state.hands[player]] * 2
        hands[1 - player] = tuple(sorted(cards[:held]))
        ranks = tuple(int(rng.integers(1, 4)) if rank < 0 else rank for rank in state.ranks)
        return state._replace(deck=tuple(sorted(cards[held:])), hands=tuple(hands), ranks=ranks)

    def conserved(self, state):
        return {"cards": tuple(sorted((*state.deck, *state.discards, *sum(state.hands, ()))))}

    def shrinking(self, state):
        return {"men": sum(state.men), "turns": state.turns}


def payment(hand, owed):
    """The cards that pay what is owed with the least commitment; none if all of them cannot."""
    ways = [
        cards
        for count in range(len(hand) + 1)
        for cards in combinations(hand, count)
        if sum(int(card[1]) for card in cards) >= owed
    ]
    return min(ways, key=lambda cards: (sum(int(card[1]) for card in cards), cards), default=())


def add(law, key, chance):
    law[key] = law.get(key, Fraction(0)) + chance


@lru_cache
def melee(attack, defence, own_men, other_men):
    """The law of what a melee costs the mover and the other side, if both roll their blanks again."""
    law = {}
    for (hits, _, cancels), p in counts(attack).items():
        for (back, _, stopped), q in counts(defence).items():
            own, other = max(0, back - cancels), max(0, hits - stopped)
            add(law, (min(own, own_men), min(other, other_men)), p * q)
    return law


def counts(dice):
    """The law of hits, blanks and cancels once blanks were rolled again: of nine faces 4 hit, 1 is blank, 4 cancel."""
    return DiceCount.of(dice, hits=4, blanks=1, cancels=4).law(BinomialLaw(Fraction(1, 2)))

"""Odds that a player asks for in a battle: with the own cards, and never by what the enemy hides."""

from fractions import Fraction
from itertools import product

import pytest

from brickphys.blade_and_bow.combat.attack import AttackUnit, With
from brickphys.blade_and_bow.combat.dice import missile_pools
from brickphys.blade_and_bow.deck import deck
from brickphys.blade_and_bow.odds import lacking
from brickphys.blade_and_bow.pieces import FormationOrder
from brickphys.blade_and_bow.prompt import forecasts
from brickphys.blade_and_bow.setting import Options
from brickphys.blade_and_bow.sheets import FACES
from brickphys.blade_and_bow.state import State
from brickphys.rules.action_odds import action_odds
from brickphys.rules.players.person import answer
from brickphys.rules.record import Forecast
from brickphys.text import counted
from tests.blade_and_bow.battle import battle
from tests.blade_and_bow.crowd import crowd
from tests.blade_and_bow.fight import activated, melee, play, volley
from tests.blade_and_bow.game import GAME, LAW, question

FIELD = "....... ....... ....... ....... ......."
PIECES = (
    "greeks spears D3 n as=ann",
    "greeks leader leo A5 1-1-3/red",
    "persians spears D2 s as=bob",
    "persians leader dat A1 1-1-3/white",
)
NOBODY = "no unit attacks"
ONE, TWO = (
    [n for n, card in enumerate(deck()) if card.commitment == points and not card.is_reshuffle]
    for points in (1, 2)
)


def charge(*hand: int, enemy: tuple[int, ...] = (), pieces: tuple[str, ...] = PIECES) -> State:
    """A unit that may attack another, with cards."""
    return melee(battle(FIELD, *pieces, hands=(tuple(sorted(hand)), enemy)), "ann")


def odds(state: State, text: str) -> Forecast:
    """The only forecast of an action."""
    (forecast,) = forecasts(state, GAME.parse_action(text)) or ()
    assert sum(forecast.outcomes.values()) == 1
    return forecast


def failed(*hand: int) -> State:
    """A commitment roll of two dice that lacks 1 and 2 points, and the question what is spent."""
    state = play(charge(*hand), "attack bob")
    roll = state.pending[0].event(state)  # type: ignore[union-attr]
    outcome = [0] * len(roll.classes)
    outcome[0], outcome[1] = roll.dice - 2, 1
    outcome[2] = 1
    return play(state, tuple(outcome))


def dared(forecast: Forecast) -> Fraction:
    """How likely somebody attacks."""
    return 1 - forecast.outcomes.get(NOBODY, Fraction(0))


@pytest.mark.parametrize("hand", [(), ONE[:1], TWO[:2], (*ONE[:1], *TWO[:2])])
def test_the_odds_of_an_attack_reckon_with_the_points_of_the_own_cards(hand: tuple[int]) -> None:
    state = charge(*hand)
    points = sum(deck()[card].commitment for card in hand)
    asked = play(state, "attack bob")
    roll = asked.pending[0].event(asked)  # type: ignore[union-attr]
    passes = dict(roll.classes)["pass"]
    law = lacking(roll.dice, passes + 1)
    forecast = odds(state, "attack bob")
    assert dared(forecast) == sum(chance for lack, chance in law.items() if lack <= points)
    assert ("of cards" in forecast.question) is bool(points)
    assert not points or f"with up to {points} point" in forecast.question


def test_cards_of_the_enemy_do_not_count() -> None:
    known = {repr(odds(charge(enemy=tuple(cards)), "attack bob")) for cards in ((), ONE[:1], TWO)}
    assert len(known) == 1


def test_a_card_tells_what_follows_when_others_are_spent_too() -> None:
    """Three points are lacking."""
    state = failed(ONE[0], TWO[0])
    forecast = odds(state, f"commit {deck()[ONE[0]].name}")
    assert forecast.question.endswith("with 1 point there, with up to 2 points of cards")
    assert dared(forecast) == 1
    assert dared(odds(state, "abstain")) == 0
    forecast = odds(failed(ONE[0]), f"commit {deck()[ONE[0]].name}")
    assert forecast.question.endswith("with 1 point there, ann still lacks 2 points")
    assert dared(forecast) == 0


def test_points_that_nobody_needs_are_not_told() -> None:
    """The third point is paid; who has a marker does not roll."""
    state = GAME.apply(failed(*TWO[:2], ONE[0]), GAME.parse_action(f"commit {deck()[ONE[0]].name}"))
    paid = odds(state, f"commit {deck()[TWO[0]].name}")
    assert (paid.question, dared(paid)) == ("a melee with bob", 1)
    marked = ("greeks spears D3 n as=ann marker", *PIECES[1:])
    assert odds(charge(ONE[0], pieces=marked), "attack bob").question == "a melee with bob"


def test_who_retreats_does_not_fight() -> None:
    pieces = (*PIECES[:2], "persians psiloi D3 s as=bob", PIECES[3])
    pieces = ("greeks spears D4 n as=ann", *pieces[1:])
    state = play(charge(pieces=pieces), "attack bob")
    words = {one.word: forecasts(state, one) for one in GAME.actions(state)}
    assert words["retreat"] is None
    assert words["stand"]


def test_cards_of_the_same_points_have_the_same_odds() -> None:
    state = failed(*TWO[:2], ONE[0])
    actions = [one for one in GAME.actions(state) if one.word == "commit"]
    told = action_odds(GAME, [state], actions, LAW)
    assert len(told) == 3
    texts = ["commit a card of 1", "commit a card of 2"]
    assert sorted({repr(one): one.text for one in told}.values()) == texts


def test_several_attackers_share_the_points() -> None:
    """The oracle: every pair of what two units lack, the first served first."""
    pieces = (*PIECES, "greeks spears C3 ne as=amy")
    state = melee(battle(FIELD, *pieces, hands=(tuple(TWO[:1]), ())), "ann", "amy")
    state = play(state, "attack bob", "with ann")
    asked = play(state, "with amy")
    laws = []
    for roll in asked.pending[:2]:
        event = roll.event(asked)  # type: ignore[union-attr]
        laws.append(lacking(event.dice, dict(event.classes)["pass"] + 1))
    nobody = sum(
        p * q for one, p in laws[0].items() for other, q in laws[1].items() if min(one, other) > 2
    )
    assert 1 - dared(odds(state, "with amy")) == nobody


def test_letting_dice_lie_has_the_odds_of_what_lies() -> None:
    pieces = ("greeks spears D3 n as=ann marker", *PIECES[1:])
    state = play(charge(pieces=pieces), "attack bob", (2, 0, 0), (0, 1, 1))
    assert odds(state, "enough").outcomes == {"1 hit, 0 on the attackers": 1}
    assert "2 hits, 0 on the attackers" not in odds(state, "again hit").outcomes


def test_not_to_play_a_card_has_the_odds_of_the_fight_without_it() -> None:
    pieces = ("greeks spears D3 n as=ann marker", *PIECES[1:])
    card = next(n for n, one in enumerate(deck()) if one.name == "onrush")
    state = play(charge(card, pieces=pieces), "attack bob")
    without, with_it = odds(state, "no_card"), odds(state, "play onrush ann")
    assert without.outcomes == odds(charge(pieces=pieces), "attack bob").outcomes
    assert with_it.outcomes != without.outcomes


@pytest.mark.parametrize("seen", [False, True])
def test_guessed_ranks_are_told_to_be_guessed(seen: bool) -> None:
    hoplite = "persians hoplite D2 s +1 max=3 as=bob" + " seen" * seen
    pieces = (*PIECES[:2], hoplite, "persians hoplite F1 s +1 max=3", PIECES[3])
    state = melee(battle(FIELD, *pieces, options=Options(free_setup=True)), "ann")
    question = odds(state, "attack bob").question
    assert question.endswith("by a guess of the hidden ranks") is not seen


def named(state: State) -> list[str]:
    """The choices of who attacks that are listed."""
    return [one.text() for one in GAME.actions(state) if isinstance(one, With)]


def joining(state: State) -> list[str]:
    """The choices of who attacks the target, too, that are listed."""
    return [one.text() for one in GAME.actions(state) if isinstance(one, With)]


@pytest.mark.parametrize(
    ("order", "begin"), [(FormationOrder.MELEE, "charge"), (FormationOrder.SHOOT, "loose")]
)
def test_a_target_has_the_odds_of_all_who_attack_it_together(
    order: FormationOrder, begin: str
) -> None:
    """They are those of the last attacker who is named; and those of any before, of an attack without the rest."""
    together = 0
    for seed in range(30):
        state = activated(crowd(seed, units=22, ground="....^").state, order)
        for action in GAME.actions(state):
            after = GAME.apply(state, action)
            if not isinstance(action, AttackUnit) or not (units := joining(after)):
                continue
            told = odds(state, action.text())
            assert GAME.purpose(state, action) == f"{len(units)} units together"
            while units:
                so_far, after = (
                    odds(after, units[0]),
                    GAME.apply(after, GAME.parse_action(units[0])),
                )
                if units := joining(after):
                    assert odds(after, begin).outcomes == so_far.outcomes
            assert told.outcomes == so_far.outcomes
            assert (told.strikes, told.question) == (so_far.strikes, so_far.question)
            together += 1
    assert together > 10


def test_a_volley_of_two_has_the_odds_of_all_their_dice() -> None:
    """The oracle: every fall of the dice of both sides; missiles have no re-rolls (BB 8.5)."""
    archers = ("greeks archers C4 n as=ann", "greeks archers E4 n as=amy")
    state = volley(battle(FIELD, *archers, "persians spears D2 s as=bob"))
    both = play(state, "aim bob", "with ann", "with amy")
    attack, defence = missile_pools(both)
    left: dict[Fraction, Fraction] = {}
    for dice in product(range(FACES), repeat=attack.dice):
        hits = sum(face < attack.hits for face in dice)
        for other in product(range(FACES), repeat=defence.dice):
            rest = max(hits - sum(face < defence.cancels for face in other), 0)
            left[rest] = left.get(rest, Fraction(0)) + 1
    total = sum(left.values())
    told = odds(state, "aim bob")
    assert attack.dice > missile_pools(play(state, "aim bob", "with ann", "loose"))[0].dice
    assert told.strikes["hit"] == 1 - left[0] / total
    assert told.question == "a volley at bob by ann, amy"
    by_hits = {f"{counted(n, 'hit')}, 0 on the attackers": p / total for n, p in left.items()}
    assert told.outcomes == by_hits


def test_the_odds_of_chosen_supporters_are_told_for_a_line_of_choices() -> None:
    pieces = (*PIECES, "greeks spears C3 ne as=amy", "greeks spears E3 nw as=eve")
    asked = question(melee(battle(FIELD, *pieces), "ann", "amy", "eve"))
    text = "odds attack bob; with ann; with eve; charge"
    told = list(answer(asked, "odds", text.removeprefix("odds ")))
    assert told[0] == "  charge: a melee with bob by ann, eve"
    first, *_ = answer(asked, "odds", "attack bob")
    assert first.endswith("a melee with bob by ann, amy, eve")
    assert asked.strikes["attack bob"].startswith("hit ")
    (fault,) = answer(asked, "odds", "attack bob; with nobody; charge")
    assert "unknown unit 'nobody'" in fault
    (fault,) = answer(asked, "odds", "attack bob; with ann; with amy; with eve; charge")
    assert fault == "after 'with eve' something is rolled, or another player acts"

"""The dice of a melee and of a volley, a test for each rule (BB 8.4, 8.5, 9.3, 9.4.4, 12, 13.2)."""

from fractions import Fraction
from itertools import product

import pytest

from brickphys.blade_and_bow.combat.dice import DicePool, melee_pools, missile_pools
from brickphys.blade_and_bow.deck import card_numbers
from brickphys.blade_and_bow.pieces import Played
from brickphys.blade_and_bow.state import State
from brickphys.odds.law import BinomialLaw
from tests.blade_and_bow.battle import battle, unit
from tests.blade_and_bow.fight import clash

FIELD = "..... ..... ..... ..... ....."
USUAL = (2, 2, 2)


def pair(attacker: str, defender: str) -> State:
    """Return an attack from C3 on C2, north of it; both sides are lines without player and square."""
    kind, _, marks = attacker.partition(" ")
    other, _, more = defender.partition(" ")
    facing, _, rest = more.partition(" ")
    state = battle(
        FIELD,
        f"greeks {kind} C3 n as=ann {marks}",
        f"persians {other} C2 {facing or 's'} as=bob {rest}",
    )
    return clash(state, "bob", "ann")


def with_card(state: State, name: str, whom: str) -> State:
    number = unit(state, whom)
    played = Played(card_numbers()[name], state.player_of(number), number)
    return state.replaced({"played": (*state.played, played)})


@pytest.mark.parametrize(("kind", "dice"), [("psiloi", 1), ("archers", 2), ("hoplite", 3)])
def test_size_gives_one_two_or_three_dice(kind: str, dice: int) -> None:
    for pool in melee_pools(pair(kind, kind)):
        assert pool == DicePool({"size": dice}, hits=2, cancels=2)  # 9.3


def test_ranks_are_dice_of_both_sides() -> None:
    attack, defence = melee_pools(pair("hoplite +2", "hoplite s +1"))
    assert attack.reasons == {"size": 3, "ranks": 2}  # 9.3
    assert defence.reasons == {"size": 3, "ranks": 1}


def test_support_brings_base_dice_only() -> None:
    state = battle(
        FIELD,
        "greeks hoplite C3 n as=lead",
        "greeks hoplite B3 ne as=ranked +3",
        "greeks immortals D3 nw",
        "persians spears C2 s",
    )
    attack, _ = melee_pools(clash(state, "spears", "lead", "ranked", "immortals"))
    assert attack.reasons == {"size": 3, "support": 3 + 2}  # 9.4.4.4: neither ranks nor immortals


@pytest.mark.parametrize(
    ("places", "vector", "faces"),
    [
        (("C3 n",), 0, USUAL),
        (("B2 e",), 1, (1, 3, 2)),  # the right flank of who faces south: hits on 1 only
        (("D2 w",), 1, (1, 3, 2)),
        (("C1 s",), 1, (0, 4, 2)),  # the rear: no hits
        (("C3 n", "D2 w"), 1, (1, 3, 2)),  # it is enough that one of them is there
        (("C3 n", "B1 se"), 1, (0, 4, 2)),
        (("B2 e", "D2 w", "C1 s"), 1, (0, 4, 2)),  # not cumulative
    ],
)
def test_vectors_do_not_add_up(
    places: tuple[str, ...], vector: int, faces: tuple[int, int, int]
) -> None:
    units = [f"greeks spears {place} as=unit{n}" for n, place in enumerate(places)]
    state = battle(FIELD, *units, "persians hoplite C2 s")
    names = [f"unit{n}" for n in range(len(places))]
    attack, defence = melee_pools(clash(state, "hoplite", *names))
    assert attack.reasons.get("vector", 0) == vector  # 9.4.4.1
    assert attack.faces == USUAL
    assert defence.faces == faces


def test_immortals_roll_three_dice_in_attack_and_two_in_defence() -> None:
    attack, defence = melee_pools(pair("immortals", "immortals"))
    assert (attack.dice, defence.dice) == (3, 2)  # 9.4.4.3


def test_disrupted_defenders_cancel_but_do_not_hit() -> None:
    _, defence = melee_pools(pair("spears", "hoplite s disrupted +1"))
    assert defence.faces == (0, 4, 2)  # 9.4.4.5
    assert defence.dice == 4


def test_a_river_gives_the_enemy_dice() -> None:
    units = ("greeks spears A3 n", "persians spears A2 s as=foe")
    wet = battle(". ~ .".replace(" ", "\n"), *units)
    attack, defence = melee_pools(clash(wet, "foe", "spears"))
    assert (attack.reasons, defence.reasons) == ({"size": 2, "terrain": 1}, {"size": 2})
    wading = battle(". . ~".replace(" ", "\n"), *units)
    attack, defence = melee_pools(clash(wading, "foe", "spears"))
    assert (attack.reasons, defence.reasons) == ({"size": 2}, {"size": 2, "terrain": 1})


def test_a_shield_wall_adds_one_to_own_dice_and_a_die_when_attacked() -> None:
    _, defence = melee_pools(pair("hoplite", "spears s wall"))
    assert defence == DicePool({"size": 2, "shield wall": 1}, hits=1, cancels=3)  # 13.2
    attack, _ = melee_pools(pair("spears wall", "hoplite"))
    assert attack == DicePool({"size": 2}, hits=1, cancels=3)
    _, flanked = melee_pools(pair("hoplite", "spears e wall"))
    assert flanked.faces == (0, 3, 3)  # a natural 1 shows 2


def test_cards_add_dice_and_faces() -> None:
    state = pair("hoplite", "spears")
    for name, whom in (("onrush", "ann"), ("last_stand", "bob"), ("counterblow", "bob")):
        state = with_card(state, name, whom)
    attack, defence = melee_pools(with_card(state, "guarded_advance", "ann"))
    assert (attack.reasons["cards"], attack.faces) == (2, (2, 1, 3))
    assert (defence.reasons["cards"], defence.faces) == (2, (3, 1, 2))


def test_cards_give_no_hits_to_who_is_attacked_from_the_rear() -> None:
    _, defence = melee_pools(with_card(pair("hoplite", "spears n"), "counterblow", "bob"))
    assert defence.hits == 0


@pytest.mark.parametrize("cards", range(8))
def test_a_face_at_least_is_blank_whatever_cards_add(cards: int) -> None:
    """Hits come before cancels."""
    blows, shields = pair("hoplite", "spears"), pair("hoplite", "spears")
    for _ in range(cards):
        blows = with_card(blows, "counterblow", "bob")
        shields = with_card(shields, "strong_shields", "bob")
    hits = min(2 + cards, 5)
    assert melee_pools(blows)[1].faces == (hits, 6 - hits - min(2, 5 - hits), min(2, 5 - hits))
    cancels = min(2 + cards, 3)
    assert melee_pools(shields)[1].faces == (2, 4 - cancels, cancels)


def test_nobody_rolls_more_than_eight_dice() -> None:
    attack, _ = melee_pools(pair("hoplite +6", "spears"))
    assert (sum(attack.reasons.values()), attack.dice) == (9, 8)  # 9.4.4


def test_a_camp_rolls_three_dice_that_hit() -> None:
    state = battle(FIELD, "greeks hoplite C3 n +1", "persians camp C2")
    attack, defence = melee_pools(clash(state, None, "hoplite"))
    assert attack.reasons == {"size": 3, "ranks": 1}
    assert defence == DicePool({"camp": 3}, hits=2, cancels=2)  # 12
    wet = battle(". . ~".replace(" ", "\n"), "greeks spears A3 n", "persians camp A2")
    attack, defence = melee_pools(clash(wet, None, "spears"))
    assert (attack.reasons, defence.reasons) == ({"size": 2}, {"camp": 3, "terrain": 1})


def test_shooters_add_up_and_the_target_has_armour_cover_and_what_turning_gives() -> None:
    rows = ("....", '."..', "....")
    state = battle(
        "\n".join(rows),
        "greeks archers B3 n as=ann",
        "greeks psiloi C3 n as=amy",
        "persians hoplite B2 s as=bob",
        "persians spears D2 s as=ben wall",
    )
    at_bob = clash(state, "bob", "ann", "amy", ranged=True)
    attack, defence = missile_pools(at_bob.change_combat(turned=2))
    assert attack == DicePool({"missiles": 2 + 1}, hits=2, cancels=0)  # 8.5.1
    armour = {"armour": 3, "terrain": 1, "turning": 2}
    assert defence == DicePool(armour, hits=0, cancels=2)  # 8.4, 8.5.2
    _, behind = missile_pools(clash(state, "ben", "ann", ranged=True))
    assert behind.reasons == {"armour": 2, "shield wall": 1}  # 13.2
    for card, whom in (("volley", "ann"), ("raised_shields", "bob")):
        at_bob = with_card(at_bob, card, whom)
    both = missile_pools(at_bob)
    assert [pool.reasons["cards"] for pool in both] == [1, 1]


def test_counts_of_a_roll_are_read_by_its_classes() -> None:
    law = BinomialLaw(Fraction(1, 2))
    for hits, cancels in product(range(4), range(4)):
        pool = DicePool({"size": 3}, hits, cancels)
        assert sum(pool.faces) == 6
        if not hits and not cancels:
            continue
        mean = [0, 0, 0]
        for outcome, share in pool.event(3, "melee").law(law).items():
            counts = pool.counts(outcome)
            assert sum(counts) == 3
            mean = [m + share * count for m, count in zip(mean, counts, strict=True)]
        assert [2 * m for m in mean] == list(pool.faces)  # three dice of six faces

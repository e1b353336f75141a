"""Cards before the dice, the dice, and those that are rolled again (BB 8.5, 9.4.4.6, 9.4.5, 9.4.6)."""

from brickphys.blade_and_bow.combat.dice import Rerolls, SideRoll, rerolls
from brickphys.blade_and_bow.command.cards import PlayCards
from brickphys.blade_and_bow.deck import card_numbers
from brickphys.blade_and_bow.pieces import Played
from brickphys.blade_and_bow.state import State
from brickphys.rules.registry import game
from tests.blade_and_bow.battle import battle, hand
from tests.blade_and_bow.fight import choices, clash, melee, play, volley

FIELD = "....... ....... ....... ....... ......."
PIECES = ("greeks spears D3 n as=ann marker", "persians spears D2 s as=bob")


def fight(*more: str, greek: tuple[int, ...] = (), persian: tuple[int, ...] = ()) -> State:
    return melee(battle(FIELD, *PIECES, *more, hands=(greek, persian)), "ann")


def test_who_has_not_the_initiative_is_asked_for_cards_first() -> None:  # 9.4.4.6
    state = fight(greek=hand("onrush"), persian=hand("last_stand"))
    for holder in (0, 1):
        asked = play(state.replaced({"holder": holder}), "attack bob")
        assert [each.who for each in asked.pending if isinstance(each, PlayCards)] == [
            1 - holder,
            holder,
        ]
    asked = play(state, "attack bob")
    assert choices(asked) == ["play last_stand bob", "no_card"]
    assert game("blade_and_bow").readings(asked, "no card").meant == ("no_card",)
    asked = play(asked, "play last_stand bob")
    assert choices(asked) == ["play onrush ann", "no_card"]
    dice = play(asked, "play onrush ann")
    rolls = [each.event(dice).dice for each in dice.pending if isinstance(each, SideRoll)]
    assert rolls == [2 + 2, 2 + 2]


def test_the_attacker_rolls_again_first_then_the_defender() -> None:  # 9.4.6
    state = play(fight("persians leader datis D2 1-6-3/white"), "attack bob", (1, 1, 0), (0, 1, 1))
    assert state.awaited(Rerolls).player(state) == 0
    assert choices(state) == ["again hit", "again blank", "enough"]
    state = play(state, "again blank")
    assert state.awaited(SideRoll).event(state).dice == 1
    state = play(state, (0, 0, 1))
    assert state.combat is not None
    assert state.combat.attack == (1, 0, 1)
    assert state.awaited(Rerolls).player(state) == 1
    assert choices(state) == ["again blank", "again cancel", "enough"]
    assert play(state, "enough").combat is None  # one hit, one cancel: nothing happens


def test_the_same_die_may_fall_again() -> None:
    state = play(fight("greeks leader leo D3 1-6-3/red"), "attack bob", (0, 2, 0), (0, 2, 0))
    state = play(state, "again blank", (0, 1, 0), "again blank", (1, 0, 0))
    assert state.combat is None  # two rights, and no more
    assert state.units[1].disrupted


def test_rights_to_roll_again() -> None:  # 9.4.6.1, 9.4.6.2
    more = ("greeks spears E3 nw as=amy", "persians leader datis D2 1-6-3/white")
    state = fight(*more)
    assert rerolls(clash(state, "bob", "ann")) == (1, 1)
    leaders = ("greeks leader leo D3 1-6-3/red", "greeks leader demo E3 2-4-3/red")
    state = fight(*more, *leaders)
    assert rerolls(clash(state, "bob", "ann")) == (2, 1)
    both = clash(state, "bob", "ann", "amy")
    assert rerolls(both) == (3, 1)
    omen = Played(card_numbers()["good_omen"], 1, 2)
    assert rerolls(both.replaced({"played": (omen,)})) == (3, 1)  # of amy, whose player is another
    own = Played(card_numbers()["good_omen"], 1, 1)
    assert rerolls(both.replaced({"played": (own,)})) == (3, 3)


def test_a_side_without_faces_rolls_the_other_classes() -> None:
    pieces = ("greeks spears D3 n as=ann", "persians spears D2 n as=bob")
    state = play(melee(battle(FIELD, *pieces)), "attack bob", (0, 3, 0))
    roll = state.awaited(SideRoll)
    assert [name for name, _ in roll.event(state).classes] == ["blanks", "cancels"]
    state = play(state, (1, 1))
    assert state.combat is not None
    assert state.combat.defence == (0, 1, 1)


def test_a_volley_is_two_rolls_without_more() -> None:  # 8.5
    pieces = ("greeks archers D5 n", "persians spears D2 s as=bob")
    state = play(volley(battle(FIELD, *pieces)), "aim bob", (2, 0))
    hit = play(state, (1, 1))
    assert hit.combat is None
    assert hit.units[1].disrupted
    safe = play(state, (0, 2))
    assert safe.combat is None
    assert not safe.units[1].disrupted


def test_who_has_no_armour_rolls_nothing() -> None:
    pieces = ("greeks archers D5 n", "persians psiloi D2 s as=bob disrupted")
    state = play(volley(battle(FIELD, *pieces)), "aim bob", (0, 2))
    assert state.combat is None

"""Commitment: its dice, its modifiers, melee markers and points of cards (BB 3.4.2, 4.1, 9.2, 9.4.3)."""

from collections import Counter

import pytest

from brickphys.blade_and_bow.combat.commitment import CommitmentRoll, commitment_dice
from brickphys.blade_and_bow.command.actions import finished
from brickphys.blade_and_bow.deck import card_numbers, deck
from brickphys.blade_and_bow.pieces import Checked, Played
from brickphys.blade_and_bow.state import State
from tests.blade_and_bow.battle import battle, unit
from tests.blade_and_bow.fight import choices, melee, play

FIELD = "....... ....... ....... ....... ......."
LEONIDAS = "greeks leader leonidas {} 1-6-3/red"


def card(points: int, nth: int = 0) -> int:
    """Return the number of a card with so many points of commitment."""
    return [n for n, each in enumerate(deck()) if each.commitment == points][nth]


def fight(*pieces: str, leader: str = "A5", hand: tuple[int, ...] = ()) -> State:
    """Return a battle with a leader of value 3 far away, unless another place is given."""
    state = battle(FIELD, *pieces, LEONIDAS.format(leader), hands=(hand, ()))
    return melee(state)


def rolled(state: State) -> CommitmentRoll:
    return state.awaited(CommitmentRoll)


def least(state: State) -> int:
    """Return the least face that fails on the commitment roll that is pending."""
    classes = rolled(state).event(state).classes
    return classes[0][1] + 1


def lacks(state: State, *faces: int) -> tuple[int, ...]:
    """Return the outcome of the commitment roll that is pending, from the faces of its dice."""
    bound = least(state)
    counts = Counter(max(face - bound + 1, 0) for face in faces)
    assert rolled(state).event(state).dice == len(faces)
    return tuple(counts[by] for by in range(len(rolled(state).event(state).classes)))


def test_example_of_a_unit_beside_a_leader() -> None:  # 3.4.2
    pieces = ("greeks spears D3 n", "persians hoplite D2 s")  # fear of the hoplite's front: 3
    state = play(fight(*pieces, leader="D4", hand=(card(1),)), "attack hoplite")
    after = play(state, lacks(state, 2, 4, 4, 6))
    assert after.combat is not None
    assert after.combat.checked == (Checked(0, (1,)),)
    paid = play(after, f"commit {deck()[card(1)].name}")
    assert paid.units[0].marker
    assert card(1) in paid.discards
    refused = play(after, "abstain")
    assert refused.combat is None
    assert not refused.units[0].marker


def test_example_of_points_of_commitment() -> None:  # 4.1
    pieces = ("greeks spears D3 n", "persians hoplite D2 s")
    state = play(fight(*pieces, hand=(card(3), card(1))), "attack hoplite")
    after = play(state, lacks(state, 2, 3, 5, 5))
    assert after.combat is not None
    assert after.combat.checked[0].cost == 4
    first = play(after, f"commit {deck()[card(3)].name}")
    assert "spend spears" not in choices(first)
    assert play(first, f"commit {deck()[card(1)].name}").units[0].marker


@pytest.mark.parametrize(
    ("place", "dice"),
    [
        ("D3 n", 4),
        ("C3 ne", 4),
        ("E3 nw", 4),  # the three front squares
        ("E2 w", 2),  # its left flank, as it faces south
        ("C2 e", 3),  # its right flank
        ("D1 s", 0),
        ("C1 se", 0),
        ("E1 sw", 0),  # the rear
    ],
)
def test_fear_goes_by_the_side_of_the_target(place: str, dice: int) -> None:  # 9.2, 9.4.3
    state = fight(f"greeks spears {place}", "persians hoplite D2 s", hand=(card(1),))
    state = play(state, "attack hoplite")
    if dice:
        assert rolled(state).event(state).dice == dice
        assert commitment_dice(state, unit(state, "spears")) == dice
    else:
        assert not isinstance(state.first_pending, CommitmentRoll)
        assert not state.units[0].marker


def test_a_camp_is_a_die() -> None:  # ours
    state = fight("greeks spears D3 n", "persians camp D2")
    state = play(state, "attack camp_persians")
    assert rolled(state).event(state).dice == 1


def test_a_leader_in_the_square_makes_the_roll_succeed() -> None:  # 9.4.3
    state = fight("greeks spears D3 n", "persians hoplite D2 s", leader="D3")
    state = play(state, "attack hoplite")
    assert not isinstance(state.first_pending, CommitmentRoll)
    assert state.units[0].marker


@pytest.mark.parametrize(
    ("attacker", "target", "leader", "helps"),
    [
        ("spears", "spears", "A5", 0),
        ("spears", "spears", "E4", 2),  # 9.4.3.1: adjacent
        ("spears", "spears", "F3", 1),  # 9.4.3.2: two squares away
        ("spears", "spears", "G3", 0),
        ("hoplite", "light_cavalry", "A5", 1),  # 9.4.3.3
        ("spears", "light_cavalry", "A5", 1),
        ("light_cavalry", "light_cavalry", "A5", 0),
        ("immortals", "spears", "A5", 1),  # 9.4.3.4
        ("immortals", "light_cavalry", "A5", 2),  # cumulative
    ],
)
def test_modifiers(attacker: str, target: str, leader: str, helps: int) -> None:
    state = fight(f"greeks {attacker} D3 n as=ann", f"persians {target} D2 s as=bob", leader=leader)
    state = play(state, "attack bob")
    if "stand" in choices(state):
        state = play(state, "stand")
    assert least(state) == 3 + helps + 1


def test_a_lost_camp_adds_one_to_all_morale_dice() -> None:  # 12
    state = fight("greeks spears D3 n", "persians hoplite D2 s").replaced({"sacked": (True, False)})
    assert least(play(state, "attack hoplite")) == 3


def test_a_roll_that_cannot_fail_is_not_rolled() -> None:
    pieces = ("greeks immortals D3 n", "persians psiloi D2 s")
    state = play(fight(*pieces, leader="F3"), "attack psiloi")
    assert not isinstance(state.first_pending, CommitmentRoll)
    assert state.units[0].marker


def test_morale_of_a_wall_and_of_cards() -> None:  # 13.2, 4.2
    state = fight("greeks spears D3 n wall", "persians hoplite D2 s")
    assert least(play(state, "attack hoplite")) == 5
    song = Played(card_numbers()["war_song"], 0, 0)
    assert least(play(state.replaced({"played": (song,)}), "attack hoplite")) == 6


def test_a_lone_attacker_who_fails_does_not_attack_and_the_target_is_not_struck() -> None:
    pieces = ("greeks spears D3 n as=ann", "greeks spears E3 nw as=amy", "persians hoplite D2 s")
    state = play(fight(*pieces), "attack hoplite", "with ann", "charge")
    state = play(state, lacks(state, 6, 6, 6, 6))
    assert state.combat is None
    assert state.activation is not None
    assert state.activation.waiting == (1,)  # ann has had her chance (9.4.3)
    assert choices(state) == ["attack hoplite"]  # amy may try: nobody has attacked it yet (ours)


def test_points_are_spread_over_units_by_choice() -> None:  # 4.1
    pieces = (
        "greeks spears D3 n as=ann",
        "greeks spears E3 nw as=amy",
        "persians spears D2 s as=bob",
    )
    state = fight(*pieces, hand=(card(2), card(0)))
    state = play(state, "attack bob", "with ann", "with amy")
    state = play(state, (1, 0, 1, 0))  # ann lacks two
    state = play(state, (1, 1, 0, 0))  # amy one
    name = deck()[card(2)].name
    assert choices(state) == [f"commit {name}", "abstain"]  # no card without points
    state = play(state, f"commit {name}")
    assert choices(state) == ["spend ann", "spend amy", "abstain"]
    both = play(state, "spend amy")
    assert choices(both) == ["abstain"]  # a point is left, and a card in the hand
    after = play(both, "abstain")
    assert after.combat is not None
    assert after.combat.units == (1,)
    assert after.activation is not None
    assert after.activation.waiting == (1,)
    assert [one.marker for one in after.units] == [False, True, False]


def test_a_player_with_a_hand_is_asked_whatever_is_in_it() -> None:
    pieces = ("greeks spears D3 n", "persians hoplite D2 s")
    luck = card_numbers()["tough_luck_1"]
    asked = play(fight(*pieces, hand=(luck,)), "attack hoplite", (3, 1, 0, 0))
    assert choices(asked) == ["abstain"]
    assert play(fight(*pieces), "attack hoplite", (3, 1, 0, 0)).combat is None


def test_example_of_melee_markers() -> None:  # 9.4.3.6
    pieces = ("greeks spears D3 n", "persians hoplite D2 s +6", "persians hoplite A1 s as=far")
    state = fight(*pieces)
    state = play(state, "attack hoplite", (4, 0, 0, 0))
    calm = ((0, 2, 0), (0, 8, 0))
    after = play(state, *calm, "enough")
    assert after.activation is None
    assert after.actions == 2
    assert after.units[0].marker
    again = play(melee(after), "attack hoplite")
    assert not isinstance(again.first_pending, CommitmentRoll)
    other = finished(after.replaced({"activation": None}))  # another action in between
    assert not other.units[0].marker
    assert isinstance(play(melee(other), "attack hoplite").first_pending, CommitmentRoll)


def test_ranks_of_both_sides_are_seen_before_the_dice() -> None:  # 9.4
    pieces = ("greeks hoplite D3 n +2 as=ann", "persians hoplite D2 s +1 as=bob")
    state = play(fight(*pieces), "attack bob")
    assert not any(one.seen for one in state.units)  # commitment does not go by ranks
    state = play(state, (4, 0, 0, 0))
    assert [one.seen for one in state.units] == [True, True]

"""Tactics: small positions in which a club player would know what to do, and the bot does it."""

import pytest

from brickphys.blade_and_bow.combat.attack import RetreatQuestion
from brickphys.blade_and_bow.combat.commitment import CommitmentQuestion
from brickphys.blade_and_bow.combat.dice import Rerolls, Resolution
from brickphys.blade_and_bow.command.cards import DrawChoice, PlayCards
from brickphys.blade_and_bow.command.morale import Facing
from brickphys.blade_and_bow.deck import Moment, card_numbers
from brickphys.blade_and_bow.deployment import ArrivalQuestion
from brickphys.blade_and_bow.game import BladeAndBow
from brickphys.blade_and_bow.pieces import Checked, Combat, FormationOrder, Stage
from brickphys.blade_and_bow.setting import Entry, Special
from brickphys.blade_and_bow.state import State
from brickphys.blade_and_bow.tactics.stations import deep_units
from brickphys.odds.law import BinomialLaw
from brickphys.rules.plans import LEVELS, Effort
from tests.blade_and_bow.battle import battle, unit
from tests.blade_and_bow.fight import activated

GAME, LAW = BladeAndBow(), BinomialLaw(0)
FIELD = "\n".join(["........."] * 9)
FAR = "\n".join(["....................."] * 17)
CHIEFS = ("greeks leader leonidas A9 1-9-3/red", "persians leader datis I1 1-9-3/white")


def best(state: State) -> str:
    """Return the best plan: who, and its actions."""
    plan = GAME.thinker(LAW).plans(state, Effort(LEVELS["hard"]))[0]
    return "; ".join(action.text() for action in plan.actions)


def field(*pieces: str, ground: str = FIELD, **changes: object) -> State:
    return battle(ground, *pieces, *CHIEFS, **changes)


def cards(*names: str) -> tuple[int, ...]:
    return tuple(card_numbers()[name] for name in names)


def test_archers_shoot_at_whom_they_reach():
    state = field("greeks archers D6 n", "persians spears D3 s", actions=1)
    assert best(state) == "single archers shoot; aim spears"


def test_archers_shoot_together_at_one_unit():
    """Two volleys of two dice disrupt less than one of four."""
    state = field(
        "greeks archers D6 n as=first",
        "greeks archers E6 n as=second",
        "persians hoplite D3 s +2",
        "persians hoplite E3 s +2",
        "greeks leader demophilus D7 2-4-3/red",
        actions=1,
    )
    found = best(state)
    assert "shoot" in found
    assert {"with first", "with second"} <= set(found.split("; "))


def test_a_deep_hoplite_attacks_whom_it_faces():
    state = field("greeks hoplite D5 n +3", "persians spears D4 s disrupted", actions=1)
    assert best(state) == "single hoplite melee; attack spears"


def test_nobody_attacks_without_prospects():
    """Spears before a deep hoplite in good order lose by it."""
    state = field("greeks spears D5 n", "persians hoplite D4 s +3", actions=1)
    assert "melee" not in best(state)


def test_a_formation_attacks_with_one_action():
    state = field(
        "greeks hoplite D5 n +3 as=first",
        "greeks hoplite E5 n +3 as=second",
        "persians spears D4 s disrupted",
        "persians archers E4 s disrupted",
        actions=1,
    )
    state = state.change_leader(0, square=state.setting.square_numbers["D6"])
    found = best(state)
    assert found.startswith("form leonidas melee")


def test_two_units_attack_one_target_together():
    state = field(
        "greeks hoplite D5 n +1 as=first",
        "greeks hoplite E5 nw +1 as=second",
        "persians hoplite D4 s +2 disrupted",
        actions=1,
    )
    state = state.change_leader(0, square=state.setting.square_numbers["D6"])
    assert {"with first", "with second"} <= set(best(state).split("; "))


def test_who_has_two_actions_goes_to_the_enemy_and_then_attacks():
    state = field("greeks hoplite D7 n +3", "persians archers D4 s disrupted", actions=2)
    found = best(state)
    assert "move" in found
    assert "go D5 n" in found or "go C5" in found or "go E5" in found


def test_a_broken_unit_before_the_enemy_rallies():
    state = field("greeks hoplite D5 n +2 disrupted", "persians hoplite D4 s +2", actions=1)
    assert best(state).startswith("single hoplite_1 rally")


def test_nobody_turns_for_nothing():
    """Behind a wall of hills there is nothing to do: no unit turns on its square."""
    ground = "\n".join([".........", "#########", "........."] * 3)
    state = field(
        "greeks hoplite D9 n", "greeks archers E9 n", "persians spears D1 s", ground=ground
    )
    assert " go " not in f" {best(state)}"


def test_hoplites_do_not_disrupt_their_own_light_troops():
    state = field(
        "greeks hoplite D8 n +1 as=first",
        "greeks hoplite E8 n +1 as=second",
        "greeks psiloi D7 n as=third",
        "greeks peltast E7 n as=fourth",
        "persians spears D1 s",
        actions=1,
    )
    after = state
    plan = GAME.thinker(LAW).plans(state, Effort(LEVELS["hard"]))[0]
    for action in plan.actions:
        after = GAME.apply(after, action)
    assert not any(one.disrupted for one in after.units)


def test_a_free_action_is_taken_from_the_hand():
    state = field(
        "greeks hoplite D5 n +3",
        "persians spears D4 s disrupted",
        actions=1,
        hands=(cards("messengers"), ()),
    )
    assert best(state) == "play messengers army"


def test_the_camp_that_decides_is_guarded():
    special = Special(camp_decides=("end_of_turn", ""), minor_to=0)
    state = battle(
        FAR,
        "greeks hoplite K9 s as=first",
        "greeks hoplite L9 s as=second",
        "greeks camp B2",
        "persians light_cavalry C12 n",
        "greeks leader leonidas L9 1-6-3/red",
        "persians leader datis C12 1-6-3/white",
        special=special,
        actions=1,
    )
    assert "first" in best(state)
    assert "move" in best(state)


def _attack(state: State, target: str, *names: str, **changes: object) -> State:
    numbers = tuple(unit(state, name) for name in names)
    number = unit(state, target)
    combat = Combat(number, state.square_of(number), numbers, stage=Stage.CARDS, lead=numbers[0])
    state = activated(state, FormationOrder.MELEE, *names).replaced({"combat": combat})
    return state.change_combat(**changes) if changes else state


@pytest.mark.parametrize(
    ("hand", "found"), [(("scouts",), "commit scouts"), (("messengers",), "abstain")]
)
def test_points_of_commitment_are_paid_for_a_good_attack(hand, found):
    state = field(
        "greeks hoplite D5 n +3", "persians archers D4 n", actions=1, hands=(cards(*hand), ())
    )
    checked = (Checked(unit(state, "hoplite"), (1,)),)
    state = _attack(state, "archers", "hoplite", checked=checked)
    assert best(state.push_pending(CommitmentQuestion())) == found


@pytest.mark.parametrize(("attack", "found"), [((3, 1, 0), "again blank"), ((4, 0, 0), "enough")])
def test_a_blank_is_rolled_again_and_hits_are_kept(attack, found):
    state = field("greeks hoplite D5 n +1", "persians archers D4 n", actions=1)
    dice = {"attack": attack, "defence": (0, 2, 0), "rerolls": (1, 0), "stage": Stage.DICE}
    state = _attack(state, "archers", "hoplite", **dice)
    assert best(state.push_pending(Rerolls(0), Resolution())) == found


@pytest.mark.parametrize(("helper", "found"), [((), "play onrush one"), (("two",), "no_card")])
def test_a_card_is_played_where_its_dice_count(helper, found):
    """More than eight dice are never rolled: an attack by two deep hoplites has them without the card."""
    state = field(
        "greeks hoplite D5 n +3 as=one",
        "greeks hoplite E5 nw +3 as=two",
        "persians hoplite D4 s +2 as=enemy",
        hands=(cards("onrush"), ()),
    )
    fight = _attack(state, "enemy", "one", *helper, stage=Stage.DICE)
    assert best(fight.push_pending(PlayCards(0, Moment.ATTACK))) == found


def test_a_free_card_is_drawn():
    assert best(field("greeks hoplite D5 n").push_pending(DrawChoice(0))) == "draw"


def test_a_unit_that_rallies_faces_the_enemy():
    state = field("greeks hoplite D6 e +1", "persians spears D3 s")
    assert best(state.push_pending(Facing(unit(state, "hoplite")))) == "face n"


def test_light_troops_stand_before_a_weak_attack_only():
    """Psiloi before a deep phalanx give way; the disruption costs less than the rout."""
    state = field("persians hoplite D4 s +3", "greeks psiloi D5 n", actions=1, mover=1)
    state = _attack(state, "psiloi", "hoplite", stage=Stage.COMMITMENT, lead=None)
    assert best(state.push_pending(RetreatQuestion())).startswith(("retreat", "stand"))


def test_reinforcements_come_at_once_near_the_enemy():
    grid = field("greeks hoplite - e", "persians spears D3 s").setting.square_numbers
    entries = (
        Entry((1,), (grid["A1"],), 0),
        Entry((2,), (grid["I9"],), 4),
    )
    state = field(
        "greeks hoplite - e",
        "persians spears D2 s",
        "persians camp D1",
        special=Special(entries=entries),
        entry=1,
        delay=1,
    )
    assert best(state.push_pending(ArrivalQuestion())) == "arrive A1"


def _first_place(scenario: str, leader: str) -> str:
    """Return the unit with which a leader begins."""
    state, thinker = GAME.initial(GAME.setups[scenario]), GAME.thinker(LAW)
    while True:
        action = thinker.plans(state, Effort(LEVELS["hard"]))[0].actions[0]
        if action.text().startswith(f"station {leader}"):
            number = state.at[state.setting.square_numbers[action.square]]
            return state.setting.units[number].name
        state = GAME.apply(state, action)


@pytest.mark.parametrize("leader", ["datis", "artaphernes"])
def test_leaders_begin_with_those_who_fight_hand_to_hand(leader):
    assert "archers" not in _first_place("marathon", leader)


def test_the_camp_is_guarded_before_an_attack_is_made():
    """The raider comes first if the nearest unit waits."""
    special = Special(camp_decides=("end_of_turn", ""), minor_to=0)
    state = battle(
        FAR,
        "greeks hoplite H5 n as=first",
        "greeks hoplite K10 n as=second",
        "greeks camp B2",
        "persians spears K9 s disrupted",
        "persians light_cavalry B9 n",
        "greeks leader leonidas L10 1-6-3/red",
        "persians leader datis B9 1-6-3/white",
        special=special,
        actions=1,
    )
    assert best(state).startswith("single first move; go")


def test_archers_shoot_and_do_not_step_before_the_hoplites():
    """Marathon in small: three hoplites can charge whoever comes within three squares of them."""
    state = battle(
        FAR,
        *(f"greeks hoplite {column}11 n +1 as=hoplite_{column}" for column in "JKL"),
        *(f"persians archers {column}7 s as=archers_{column}" for column in "JKL"),
        *(f"persians spears {column}6 s as=spears_{column}" for column in "JKL"),
        "greeks leader leonidas K11 1-9-3/red",
        "persians leader datis K6 1-6-3/white",
        actions=1,
        mover=1,
    )
    assert best(state).startswith("form datis shoot")


def test_the_last_action_sends_nobody_alone_before_a_line():
    state = battle(
        FAR,
        *(f"greeks hoplite {column}12 n as=hoplite_{column}" for column in "JKL"),
        *(f"persians hoplite {column}6 s +2 as=enemy_{column}" for column in "JKL"),
        "greeks leader leonidas A17 1-3-3/red",
        "persians leader datis K6 1-6-3/white",
        actions=1,
    )
    after = state
    for action in GAME.thinker(LAW).plans(state, Effort(LEVELS["hard"]))[0].actions:
        after = GAME.apply(after, action)
    rows = (int(state.setting.squares[after.square_of(number)][1:]) for number in range(3))
    assert min(rows) >= 10


def test_ranks_go_where_the_enemy_stands():
    """Nobody is opposite the units on the left; to go deep twice brings more than one rank for each."""
    state = GAME.initial(GAME.setups["marathon"])
    found = deep_units(state, 0)
    assert sum(found.values()) == state.setting.ranks[0]
    assert sorted(found.values())[-3:] == [3, 3, 3]


def test_light_troops_that_may_give_way_are_not_chased():
    """The psiloi would be gone; spears have to stand (BB 9.4.2)."""
    state = field(
        "greeks hoplite D5 n +3", "persians psiloi C4 s", "persians spears E4 s", actions=1
    )
    plans = GAME.thinker(LAW).plans(state, Effort(LEVELS["hard"]))
    assert [plan.purpose for plan in plans if "attack" in plan.purpose] == ["attacks spears"]


@pytest.mark.parametrize(("actions", "found"), [(2, "relocate leonidas; to "), (1, "single ")])
def test_a_leader_goes_to_whom_he_can_let_attack_next(actions, found):
    """Three attacks with the second action are more than one with each."""
    state = field(
        *(f"greeks hoplite {column}5 n +1" for column in "DEF"),
        *(f"persians archers {column}4 s disrupted" for column in "DEF"),
        actions=actions,
    )
    assert best(state).startswith(found)


@pytest.mark.parametrize(
    ("card", "facing", "found"),
    [
        ("about_turn", "e", "play about_turn hoplite_1"),
        ("picked_men", "n", "play picked_men hoplite_1"),
        ("about_turn", "n", "single hoplite_1 melee; attack hoplite_2"),
    ],
)
def test_a_card_that_costs_no_action_is_played_before_the_fight(card, facing, found):
    """Who is struck from the side turns round; picked men strike with a die more."""
    state = field(
        f"greeks hoplite D5 {facing} +1",
        "persians hoplite D4 s +1 disrupted",
        actions=1,
        hands=(cards(card), ()),
    )
    assert best(state) == found


def test_who_cannot_fall_back_is_attacked_first():
    """All squares beside it are held: who falls back there is lost (BB 9.4.8.1)."""
    state = field(
        "greeks hoplite B2 nw as=first",
        "greeks hoplite E5 n as=second",
        "persians spears A1 se disrupted as=trapped",
        "persians spears E4 s disrupted as=free",
        actions=1,
    )
    assert best(state) == "single first melee; attack trapped"


@pytest.mark.parametrize(
    ("card", "found"),
    [
        ("at_the_run", "single hoplite move; play at_the_run hoplite; go D5"),
        ("fresh_horses", "single hoplite move; go D6"),
    ],
)
def test_a_card_takes_a_unit_to_an_enemy_out_of_its_reach(card, found):
    """Three points more are enough to strike with the second action; men on foot gain nothing from horses."""
    state = field(
        "greeks hoplite D9 n +2",
        "persians spears D4 s disrupted",
        "persians spears E4 s disrupted",
        actions=2,
        hands=(cards(card), ()),
    )
    assert best(state).startswith(found)


def test_a_card_gives_heart_to_who_else_would_not_dare():
    """One attack in 16 goes on, with the card four of ten."""
    state = field(
        "greeks hoplite D5 n +3",
        "persians hoplite D4 s",
        actions=1,
        hands=(cards("paean"), ()),
    )
    assert best(state) == "single hoplite_1 melee; play paean hoplite_1; attack hoplite_2"

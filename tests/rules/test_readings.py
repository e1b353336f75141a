"""What typed words mean in the games that ship: names in any form, places alone, arguments that are left out."""

import re
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from brickphys.blade_and_bow.game import BladeAndBow
from brickphys.bow.game import Bow
from brickphys.errors import InvalidValueError
from brickphys.minifig.campaign.game import Campaign
from brickphys.minifig.game import Minifig
from brickphys.odds.law import BinomialLaw
from brickphys.pirate_wars.game import PirateWars
from brickphys.rules.game import advance, parse_move
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.players.prompt import MarkedMap
from brickphys.rules.players.typed import Typed
from brickphys.rules.record import CHANCE
from brickphys.rules.report.story import map_in
from brickphys.rules.sources import LawSource

LAW = BinomialLaw(Fraction(1, 4))
BLADE_AND_BOW, MINIFIG = BladeAndBow(), Minifig()
GAMES = [
    (Bow(), "duel"),
    pytest.param(Bow(), "chase", marks=pytest.mark.slow),
    (PirateWars(), "duel"),
    (MINIFIG, "duel"),
    (BLADE_AND_BOW, "marathon"),
    (Campaign(), "ten_days"),
]


@cache
def states(game, name, steps=25):
    """States of a random game in which a player is to act."""
    setup = game.setups[name]
    bots = [RandomBot()] * game.players(game.initial(setup))
    record = play(game, setup, bots, LawSource(LAW, 5), root=5, max_steps=steps)
    return [state for state in record.states if game.actor(state) >= 0]


@pytest.mark.parametrize(("game", "name"), GAMES)
def test_what_is_listed_is_read_as_it_stands_and_as_it_is_spoken(game, name):
    rng = np.random.default_rng(1)
    for state in states(game, name):
        actions = list(game.actions(state))
        for index in rng.permutation(len(actions))[:3]:
            text = game.format_action(actions[index])
            typed = Typed(game, state, actions)
            assert typed.action(text) == actions[index]
            assert typed.action(typed.shown[index]) == actions[index]
            assert text in game.readings(state, text).meant
            word, _, rest = text.partition(" ")
            loud = f"{word} {rest.replace('_', ' ').title()}".strip()
            if len(re.findall(r"\d", rest)) <= 1:  # numbers of names and places may run together
                assert text in game.readings(state, loud).meant


@pytest.mark.parametrize(("game", "name"), GAMES)
def test_places_lie_on_the_map_that_is_described(game, name):
    """And names of actions are names in play."""
    marked = 0
    for state in states(game, name)[::3]:
        player = game.actor(state)
        view = game.observe(state, player)
        chart = map_in(game.describe(view))
        assert chart is not None
        assert str(chart) in game.describe(view)
        places = [game.place_of(state, action) for action in game.actions(state)]
        for place in filter(None, [*places, game.here(state)]):
            is_unknown = isinstance(game, Campaign)  # the party marches beyond what it knows
            assert is_unknown or chart.layout.cell_of(place) is not None
        shown = MarkedMap.of(chart.layout, places, game.here(state))
        marked += bool(shown.marks)
        if shown.marks:
            assert max(map(len, shown.part(80))) <= 80
    assert marked


def bow(*texts):
    """The state of a skirmish after these moves."""
    game = Bow()
    state = game.initial(game.setups["skirmish"])
    while game.actor(state) == CHANCE:
        first = game.chance(state)
        state = advance(game, state, 6 if "red" in first.question else 0)
    for text in texts:
        state = advance(game, state, parse_move(game, state, text))
    return game, state


def says(game, state, text):
    """Why nothing is done for what is typed."""
    with pytest.raises(InvalidValueError) as error:
        Typed(game, state, game.actions(state)).action(text)
    return str(error.value)


def does(game, state, text):
    """The notation of what is done."""
    return game.format_action(Typed(game, state, game.actions(state)).action(text))


def test_a_unit_is_named_as_people_name_it():
    game, state = bow()
    own = [game.format_action(action) for action in game.actions(state)]
    name = own[0].partition(" ")[2]
    letters = {naming.letter: one for one, naming in game.names(state).items() if naming.letter}
    letter = next(key for key, value in letters.items() if value == name)
    for typed in (
        name,
        name.upper(),
        name.replace("_", " "),
        f"Unit {name.replace('_', '-')}",
        letter,
    ):
        assert does(game, state, typed) == own[0]
    side = name.split("_")[0]
    assert f"{side!r} is ambiguous: unit " in says(game, state, side)


def test_the_word_of_a_kind_of_action_is_no_name():
    game = Bow()
    state = game.initial(game.setups["ambush"])
    assert "speeder" in game.names(state)
    assert game.readings(state, "do speed").meant == ("do speed",)


def test_a_name_that_nobody_has_is_asked_back():
    game, state = bow()
    name = game.format_action(game.actions(state)[0]).partition(" ")[2]
    wrong = name[:4] + "x" + name[5:]
    assert f"did you mean {name!r}" in says(game, state, wrong)


@pytest.mark.parametrize("typed", ["red knigt 1", "unit red_kinght_1", "knigth 1"])
def test_a_mistyped_unit_gets_the_nearest_one_that_can_be_chosen(typed):
    game, state = bow()
    told = says(game, state, typed)
    assert re.search(r"did you mean '(unit )?red_knight_1'\?", told), told


@pytest.mark.parametrize("typed", ["at", "sprd", "hop hop"])
def test_a_mistyped_action_is_answered_with_nothing_that_cannot_be_typed_here(typed):
    """Where a unit is to be chosen: not with seats, facings and ends of other questions."""
    game, state = bow()
    listed = [game.format_action(action) for action in game.actions(state)]
    found = re.findall(r"did you mean '(.*?)'", says(game, state, typed))
    assert all(one in listed or f"unit {one}" in listed for one in found)


@pytest.mark.parametrize("typed", ["attack", "attack blue_knight_1 sword", "walk 3,3", "do walk"])
def test_who_acts_is_chosen_first(typed):
    game, state = bow()
    assert "choose a unit first: red_knight_1, red_swordsman_1, " in says(game, state, typed)
    assert "and 2 more (BOW 2.2)" in says(game, state, typed)


def duel(*texts):
    """The state of the duel of BOW after these moves; red begins."""
    game = Bow()
    state = game.initial(game.setups["duel"])
    for text in ("6", "0", "unit red_trooper", *texts):
        state = advance(game, state, parse_move(game, state, text))
    return game, state


@pytest.mark.parametrize("menu", [(), ("do walk",)])
def test_an_attack_without_its_weapon_takes_the_only_one(menu):
    """Also from the list of another type; far off it tells why, with the weapon or without."""
    game, state = duel("walk 7,4", "face e", *menu)
    for typed in ("attack blue", "Attack Blue Trooper", "attack a", "attack spear"):
        assert does(game, state, typed) == "attack blue_trooper spear"
    game, state = duel(*menu)
    far = "spear cannot touch blue_trooper, 5 studs away: its reach is 3 (BOW 2.4.2)"
    assert says(game, state, "attack blue") == f"attack blue: {far}"
    assert says(game, state, "attack Blue Trooper") == f"attack Blue Trooper: {far}"
    assert far in says(game, state, "attack blue_trooper spear")
    assert "there is nothing to attack" in says(game, state, "attack")
    told = says(game, state, "attack red")
    assert told.startswith("attack red: red_trooper is ")
    assert told.endswith(" enemy of red_trooper (BOW 2.4.2)")
    for mistyped in ("attack blue_troper", "attack bleu"):
        assert "did you mean 'blue_trooper'?" in says(game, state, mistyped)
    assert says(game, state, "atack blue") == (
        f"unknown action 'atack': did you mean 'attack'? attack blue: {far}"
    )


def test_what_is_asked_first_is_told_with_an_example():
    """BOW: a walk ends with the choice of a facing."""
    game, state = duel("walk 7,4")
    first = "answer this first: which side does red trooper face after the walk?, such as: face e"
    for typed in ("attack", "attack blue", "atack blue", "walk 6,4", "end"):
        assert f"{first} (BOW 2.2)" in says(game, state, typed)
    game, state = duel()
    assert says(game, state, "unit blue_trooper") == (
        "'unit blue_trooper' is illegal: choose end first: it ends the turn of this unit, then choose the next one "
        "(BOW 2.2)"
    )


@pytest.mark.parametrize(
    ("typed", "named"), [("red", "a player"), ("blue_trooper", "the name of blue_trooper")]
)
def test_a_name_alone_is_no_mistyped_action(typed, named):
    game, state = duel()
    told = says(game, state, typed)
    assert told == f"{typed!r} is {named}, not an action: choose from walk, throw, put, drop, end"


@pytest.mark.parametrize("typed", ["7,4", "walk 7.4", "walk 7;4", "7, 4"])
def test_a_stud_is_read_with_any_sign_between_its_numbers(typed):
    assert does(*duel(), typed) == "walk 7,4"


def test_a_wrong_argument_is_told_without_the_name_of_its_field():
    game, state = duel()
    assert says(game, state, "walk 7x") == (
        "action 'walk 7x': expected stud such as 12,7, not '7x'"
    )


def test_the_name_of_a_door_means_to_open_or_to_close_it():
    game = Bow()
    state = game.initial(game.setups["princess"])
    for text in ("6", "0", "unit princess"):
        state = advance(game, state, parse_move(game, state, text))
    assert says(game, state, "door 1").startswith("'open door_1' is illegal: door_1 is not close")
    for text in ("walk 30,17", "face w"):
        state = advance(game, state, parse_move(game, state, text))
    assert does(game, state, "door 1") == "open door_1"
    state = advance(game, state, parse_move(game, state, "open door_1"))
    assert does(game, state, "Door 1") == "close door_1"


def test_an_attack_with_several_weapons_asks_with_which():
    """BOW: a trooper who has laid down his shield for a sword; far off each weapon is told why not."""
    armed = ("drop shield held", "walk 6,4", "face e", "unit blue_trooper")
    grab = ("unit red_trooper", "grab sword 6,4 held")
    game, state = duel(*armed, "end", *grab)
    told = says(game, state, "attack blue")
    assert (
        told == "'attack blue' is ambiguous: attack blue_trooper sword, attack blue_trooper spear"
    )
    assert does(game, state, "attack sword") == "attack blue_trooper sword"
    game, state = duel(*armed, "walk 11,4", "face w", "end", *grab)
    told = says(game, state, "attack blue")
    assert told == (
        "attack blue: 'attack blue_trooper sword': sword cannot touch blue_trooper, 5 studs away: "
        "its reach is 2 (BOW 2.4.2); 'attack blue_trooper spear': spear cannot touch blue_trooper, "
        "5 studs away: its reach is 3 (BOW 2.4.2)"
    )


def test_a_place_alone_is_where_one_goes_or_why_not():
    game, state = bow()
    first = game.format_action(game.actions(state)[0])
    assert says(game, state, "3,3").startswith("3,3: choose a unit first: red_knight_1, ")
    game, state = bow(first)
    x, y = map(int, game.here(state))
    assert does(game, state, f"{x},{y}") == f"walk {x},{y}"
    assert does(game, state, f"walk {x}, {y}") == f"walk {x},{y}"
    width = state.setting.field.width
    assert "is outside the field" in says(game, state, f"{width},0")
    name = first.partition(" ")[2]
    far = next(
        (a, b)
        for a in range(width)
        for b in range(state.setting.field.length)
        if "the way there" in "".join(game.problems(state, game.parse_action(f"walk {a},{b}")))
    )
    assert re.search(
        rf"{name} cannot reach \d+,\d+ in \d+ studs: the way there.* is \d+ studs \(BOW 2.3.1\)",
        says(game, state, "{},{}".format(*far)),
    )


def test_a_place_without_its_facing_is_told_why_nobody_gets_there():
    """Minifigs go to a place and face there; too far is told without the facing."""
    game = MINIFIG
    state = next(state for state in states(game, "duel") if state.active is not None)
    x, y = game.here(state)
    goal = f"{(x + 20) % 24:.1f} {(y + 20) % 24:.1f}"
    told = says(game, state, goal)
    assert "MF Movement" in told or "facing missing" in told


def test_a_square_without_its_facing_is_asked_back_or_told_why():
    game = BLADE_AND_BOW
    found = states(game, "marathon", 300)
    moving = [state for state in found if game.here(state) and len(game.actions(state)) > 20]
    state = moving[0]
    goes = [game.format_action(one) for one in game.actions(state)]
    square = next(text.split()[1] for text in goes if text.startswith("go "))
    if sum(text.startswith(f"go {square} ") for text in goes) > 1:
        assert f"is ambiguous: go {square} " in says(game, state, square.lower())
    known = {text.split()[1] for text in goes if text.startswith("go ")}
    far = next(name for name in state.setting.squares if name not in known)
    assert re.search(r"has no way to .* points: .* \(BB 7\)|stands at", says(game, state, far))


def test_an_argument_may_be_left_out_where_only_one_action_is_legal():
    game = MINIFIG
    for state in states(game, "duel", 120):
        for action in game.actions(state):
            text = game.format_action(action)
            if text.startswith("take "):
                assert does(game, state, text.partition(" ")[2]) == text


def test_a_long_text_of_names_is_read_in_a_moment():
    """Twelve words that may be of many names: the ways to share them out are few."""
    game, state = bow()
    words = "attack " + "red knight 1 " * 4
    assert says(game, state, words.strip())
    assert says(game, state, "attack " + "red " * 300)


def answer(game, state, text):
    """What is done for what is typed, or why nothing is."""
    try:
        return does(game, state, text)
    except InvalidValueError as error:
        return str(error)


def test_no_answer_depends_on_what_is_hidden():
    """Blade & Bow: with other hands and ranks of the enemy, the same is typed and answered."""
    game, rng = BLADE_AND_BOW, np.random.default_rng(2)
    placed = [state for state in states(game, "marathon", 300) if game.here(state)][::8]
    pairs = [(state, game.alternative(state, game.actor(state), rng)) for state in placed]
    found = [(state, other) for state, other in pairs if other != state]  # something is hidden
    assert found
    for state, other in found:
        names = list(game.names(state))
        typed = [
            *(str(rng.choice(state.setting.squares)) for _ in range(12)),
            *(f"attack {rng.choice(names)}" for _ in range(4)),
            *(str(rng.choice(names)) for _ in range(4)),
        ]
        for text in typed:
            assert answer(game, state, text) == answer(game, other, text)

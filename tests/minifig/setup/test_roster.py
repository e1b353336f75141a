"""Rosters: who survives a battle, with more experience, and the next battle that begins with them (MF Experience)."""

import tomllib

import pytest

from brickphys.errors import InvalidValueError
from brickphys.minifig.setup import first_state, read_roster, roster_text, with_roster
from tests.cases import all_but
from tests.minifig.battle import GAME, NAMES, fought, setup
from tests.minifig.small_battle import battle, fighter

FINAL = battle(
    fighter("tom", 5, 5, "helmet", "sword", experience=2),
    fighter("kit", 5, 20, "spear", "shield", horse="roan", experience=7),
    fighter("rex", 5, 8, kind="dog"),
    fighter("ann", 5, 11, "bow", is_alive=False),
    fighter("bob", 30, 20, "plate", player=1),
    things={"roan": ("horse", 0, 0), "bay": ("horse", 20, 20)},
    lying={"axe": ("axe", 5.5, 5)},
    winners=(0,),
)


def survivors(text):
    return tomllib.loads(text)["survivor"]


def test_who_lives_has_one_level_more_with_what_it_wears_holds_and_rides():
    """MF Experience: +1 for a whole battle, up to black, for the losers too; the dead are gone."""
    taken = FINAL.change_item(FINAL.setting.item_numbers["axe"], holder=0, at_in=None)
    assert survivors(roster_text(taken)) == [
        {"name": "tom", "player": "red", "kind": "soldier", "arms": ["helmet", "sword", "axe"], "experience": 3},
        {"name": "kit", "player": "red", "kind": "soldier", "arms": ["spear", "shield"], "horse": "roan",
         "experience": 7},
        {"name": "rex", "player": "red", "kind": "dog", "arms": [], "experience": 1},
        {"name": "bob", "player": "blue", "kind": "soldier", "arms": ["plate"], "experience": 1},
    ]  # fmt: skip


def test_a_battle_that_is_not_over_has_no_roster():
    with pytest.raises(InvalidValueError, match="the battle is not over"):
        roster_text(FINAL.replaced({"winners": None}))


def test_a_battle_that_nobody_survives_has_no_roster():
    state = FINAL
    for number in FINAL.alive:
        state = state.eliminated(number)
    with pytest.raises(InvalidValueError, match="nobody has survived"):
        roster_text(state.replaced({"winners": ()}))


@pytest.mark.parametrize("name", all_but(NAMES, "raid_fair", "siege"))
def test_the_survivors_of_a_shipped_battle_begin_it_again(name):
    def known(state, more, numbers):
        """Names and players with arms, experience and whether they ride."""
        specs = {number: state.setting.figures[number] for number in numbers}
        return {
            (one.name, one.player): (
                state.arms(n),
                min(one.experience + more, 7),
                n in riders(state),
            )
            for n, one in specs.items()
        }

    def riders(state):
        return {*state.riders.values()}

    final = fought(setup(name), "random", root=5).final
    roster = read_roster(roster_text(final), "veterans.toml")
    given = {key: value for key, value in setup(name).items() if key != "aims"}
    again = first_state(with_roster(given, roster))
    kept = known(final, 1, final.alive)
    players = {player for _, player in kept}
    figures = enumerate(again.setting.figures)
    assert kept == known(again, 0, [n for n, spec in figures if spec.player in players])


MEETING = {
    "players": [{"name": "red"}, {"name": "blue"}],
    "table": {"width": 40, "length": 40},
    "figure": [
        {"name": "guard", "player": "red", "count": 3, "x": 10, "y": 10, "facing_deg": 90},
        {"name": "rider", "player": "red", "x": 20, "y": 10, "horse": "grey"},
        {"name": "foe", "player": "blue", "x": 10, "y": 30},
    ],
    "thing": [{"name": "grey", "kind": "horse"}, {"name": "cart", "kind": "wagon", "x": 5, "y": 5}],
}


def test_survivors_stand_in_the_places_of_their_players_figures_in_order():
    """Blue has no survivor and keeps its figure; red has three for four places, and no horse of the battle."""
    text = roster_text(FINAL.eliminated(4))
    state = first_state(with_roster(MEETING, read_roster(text, "roster")))
    places = {
        spec.name: (now.place_in, now.facing_deg)
        for spec, now in zip(state.setting.figures, state.figures, strict=True)
    }
    assert places == {
        "tom": ((9.0, 10.0), 90.0),
        "kit": ((10.0, 10.0), 90.0),
        "rex": ((11.0, 10.0), 90.0),
        "foe": ((10.0, 30.0), 0.0),
    }
    assert [thing.name for thing in state.setting.things] == ["cart", "roan"]
    assert state.setting.colour(0) == "white"


def one(**keys):
    """The text of a roster of one survivor with other keys."""
    values = {"name": '"tom"', "player": '"red"'} | keys
    return "[[survivor]]\n" + "\n".join(f"{key} = {value}" for key, value in values.items())


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "survivor: missing"),
        ("survivor = []", "survivor: "),
        (one(kind='"knight"'), "survivor[0].kind: unknown kind of figure 'knight'"),
        (one(arms='["swrod"]'), "survivor[0].arms[0]: unknown arm 'swrod': did you mean 'sword'?"),
        (one(arms='["bow", "club", "axe"]'), "survivor[0].arms: bow, club, axe are held"),
        (one(experience="8"), "survivor[0].experience: 8, but the highest is 7 (MF Experience)"),
        (one(x="3"), "survivor[0].x: unknown key"),
        (one(name='"shoot"'), "survivor[0].name: 'shoot' is the word of an action"),
        (one() + "\n" + one(), "survivor[1].name: 'tom' is already taken"),
        (one(horse='"tom"'), "'tom' is already taken"),
        (one(kind='"dog"', horse='"bay"'), "survivor[0].horse: a dog cannot ride"),
        ("survivor", "not TOML"),
    ],
)
def test_the_faults_of_a_roster_are_told_with_its_name(text, fault):
    with pytest.raises(InvalidValueError) as error:
        read_roster(text, "veterans.toml")
    assert str(error.value).startswith("veterans.toml: ")
    assert fault in str(error.value)


FIVE = "\n".join(one(name=f'"tom_{n}"') for n in range(5))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (one(player='"rde"'), "unknown player of the battle 'rde': did you mean 'red'?"),
        (FIVE, "red has 5 survivors, but the battle has 4 places"),
    ],
)
def test_survivors_for_whom_a_battle_has_no_place_are_refused(text, fault):
    with pytest.raises(InvalidValueError) as error:
        with_roster(MEETING, read_roster(text, "veterans.toml"))
    assert fault in str(error.value)


def test_only_a_game_with_rosters_reads_one():
    assert GAME.keeps_rosters
    made = GAME.with_roster(MEETING, GAME.read_roster(one(), "roster"))
    assert made["figure"][0]["name"] == "tom"

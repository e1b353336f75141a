"""What bots go by: the worth of a state, and where it sends whom."""

from tests.bow.battle import GAME, Battle, setup, unit

AREA = [0, 0, 3, 3]


def rescue(princess: int) -> float:
    """What a battle is worth to red if its princess stands so far east of the wood, and a knight guards far away."""
    begin = setup(
        unit("princess", "basic_trooper", "red", princess, 1, "w"),
        unit("knight", "knight", "red", 20, 10),
        unit("foe", "trooper", "blue", 25, 1, "w"),
        aims=[{"kind": "reach", "player": "red", "units": ["princess"], "area": AREA}],
    )
    return GAME.estimate(Battle(begin).state)[0]


def test_whom_an_aim_names_goes_there_even_past_an_enemy():
    worths = [rescue(x) for x in (24, 20, 12, 6)]
    assert worths == sorted(worths)


def fight(knight: int) -> float:
    begin = setup(
        unit("princess", "basic_trooper", "red", 15, 1, "w"),
        unit("knight", "knight", "red", knight, 10),
        unit("foe", "trooper", "blue", 25, 10, "w"),
        aims=[{"kind": "reach", "player": "red", "units": ["princess"], "area": AREA}],
    )
    return GAME.estimate(Battle(begin).state)[0]


def test_the_others_go_for_the_enemy_and_not_for_a_place_that_is_not_theirs():
    assert fight(5) < fight(10) < fight(20)


def carry(holder: str, x: int) -> float:
    units = [unit("a", "archer", "red", 10, 4, "w"), unit("b", "archer", "red", 10, 8, "w")]
    units[0 if holder == "a" else 1]["x"] = x
    library = {"unit": [{"name": "porter", "base": "basic_trooper", "held": ["chest"], "worn": []}]}
    units[0 if holder == "a" else 1]["sheet"] = "porter"
    begin = setup(
        *units,
        unit("foe", "trooper", "blue", 25, 8, "w"),
        library=library,
        aims=[{"kind": "carry", "player": "red", "item": "chest", "area": AREA}],
    )
    return GAME.estimate(Battle(begin).state)[0]


def test_who_has_what_is_to_be_carried_brings_it():
    for holder in ("a", "b"):
        assert carry(holder, 18) < carry(holder, 9) < carry(holder, 4)


def armed(*actions: str) -> float:
    """What a battle is worth to red after its knight has moved some gear (BOW 2.3.2)."""
    begin = setup(unit("knight", "knight", "red", 5, 5), unit("foe", "trooper", "blue", 25, 5, "w"))
    state = Battle(begin).do("unit knight").state
    for action in map(GAME.parse_action, actions):
        state = action.apply(state)
    return GAME.estimate(state)[0]


def test_gear_counts_as_it_is_worn_and_held():
    stowed, dropped = armed("put sword held back"), armed("drop sword held")
    assert armed() > stowed > dropped
    assert armed() > armed("drop helmet worn") == armed("put helmet worn back")
    assert armed("drop helmet worn", "grab helmet 5,5 worn") == armed()

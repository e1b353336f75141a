"""A person at the keyboard, in games that are small enough to be told whole."""

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.bow.game import Bow
from brickphys.errors import InterruptedRunError, InvalidValueError
from brickphys.odds.law import BinomialLaw
from brickphys.odds.opposed import opposed
from brickphys.pirate_wars.game import PirateWars
from brickphys.rules.action_odds import action_odds
from brickphys.rules.events import Draw, Measurement
from brickphys.rules.game import advance, parse_move
from brickphys.rules.play import may_take_back, play
from brickphys.rules.players.bots import RandomBot, TakeBackError
from brickphys.rules.players.keyboard import Keyboard
from brickphys.rules.players.person import Person
from brickphys.rules.players.prompt import COMMANDS
from brickphys.rules.players.typed import Typed, menu, wrapped
from brickphys.rules.record import CHANCE, Ending, Step
from brickphys.rules.rolls import BrickRoll, DiceRoll, OpposedRoll
from brickphys.rules.sources import LawSource, ScriptSource, TypedSource
from tests.rules.blade_game import CARDS, Blade, Blades
from tests.rules.card_game import Cards, CardState
from tests.rules.contest_game import Always, Contest
from tests.rules.duel_game import Duel
from tests.rules.keys import keys
from tests.rules.pirate_game import Pirates
from tests.rules.report.squad_game import Squad
from tests.rules.token_game import TokenGame

LAW = BinomialLaw(Fraction(1, 4))


def sit(game, *lines, seats=(0,), others="random", chance=None, name=None):
    """Play a game in which all that is typed are these lines; return its record and all that was shown."""
    shown = []
    keyboard = Keyboard(keys(*lines), shown.append)
    players = [RandomBot() if others == "random" else others] * 2
    for seat in seats:
        players[seat] = Person(game, seat, LAW, keyboard)
    record = play(
        game,
        game.setups[name or next(iter(game.setups))],
        players,
        chance or LawSource(LAW, 3),
        root=3,
        watchers=[keyboard.watch],
    )
    return record, "\n".join(shown)


def in_the_duel(*lines):
    """Two persons at the duel of BOW, in the first turn of red, type these lines and leave."""
    lines = ("unit red_trooper", *lines, "quit")
    return sit(Bow(), *lines, seats=(0, 1), chance=ScriptSource(["6", "0"]), name="duel")


def texts(record):
    return [step.text for step in record.steps]


def test_numbers_and_words_are_typed():
    game = TokenGame()
    record, _ = sit(
        game, "2", "  to   left ", "take 1", "1", "1", "to right", seats=(0, 1), others=None
    )
    assert texts(record)[:6] == ["take 2", "to left", "take 1", "to left", "take 1", "to right"]
    assert record.ending is Ending.OVER


def test_enter_alone_lists_the_actions_anew_even_where_there_is_but_one():
    lines = ("2", "to left", "take 1", "to left", "", "take 1", "to right")
    record, shown = sit(TokenGame(), *lines, seats=(0, 1), others=None)
    assert texts(record)[4:6] == ["take 1", "to right"]
    assert shown.count("\n  take 1") == 2


def test_own_actions_are_acknowledged_with_the_actions_that_are_left():
    _, shown = in_the_duel("walk 5,4")
    assert "\nred trooper: walks to 5,4.\nred: which side does red trooper face after" in shown
    _, shown = in_the_duel("walk 5,4", "n")
    assert "\nred trooper: looks north.\nred: red trooper, 1 action left" in shown


@pytest.mark.parametrize("columns", [None, 60, 120])
def test_a_list_of_places_stands_beside_the_map_where_there_is_room(columns):
    """BOW: 75 studs to walk to, each with its number on the map; on a narrow screen or none the map stands above."""
    game, shown, typed = Bow(), [], keys("unit red_trooper", "do walk")
    keyboard = Keyboard(typed, shown.append, columns=lambda: columns)
    persons = [Person(game, seat, LAW, keyboard) for seat in (0, 1)]
    play(
        game,
        game.setups["duel"],
        persons,
        ScriptSource(["6", "0"]),
        root=3,
        watchers=[keyboard.watch],
    )
    heading, *rows = shown[-1].splitlines()
    assert heading.startswith("red: red trooper, 2 actions left")
    assert ("walk" in rows[0] and rows[0].strip() != "walk") is (columns == 120)
    drawn = rows if columns == 120 else shown[-2].splitlines()
    assert sum(f" {number} " in f" {row} " for number in range(1, 76) for row in drawn) >= 74
    assert max(map(len, rows)) <= (columns or 100)
    whole = "\n".join(shown)
    assert " A→ " in whole  # the unit and where it looks


@given(
    st.lists(st.text("abc-(),", min_size=1, max_size=12), min_size=1, max_size=20),
    st.integers(20, 60),
)
def test_a_wrapped_line_has_the_same_words_and_fits(words, columns):
    line = " ".join(words)
    lines = wrapped(line, columns).split("\n")
    assert " ".join(lines).split() == words
    assert all(len(one) <= columns for one in lines)
    assert all(one.startswith("  ") for one in lines[1:])


def test_a_wrapped_line_of_a_table_stays_in_its_column():
    about = "one two three four five six"
    assert wrapped(f"  save  {about}", 20).split("\n") == [
        "  save  one two",
        "        three four",
        "        five six",
    ]


def test_an_unknown_name_is_answered_in_short():
    """Pirate Wars: two ships have 31 minifigs."""
    game = PirateWars()
    setup = game.setups["duel"]
    players = [RandomBot()] * 2
    record = play(game, setup, players, LawSource(LAW, 3), root=3, max_steps=40)
    listed = {state: game.actions(state) for state in record.states}
    state = next(one for one, found in listed.items() if found and found[-1].text() == "done")
    read = Typed(game, state, game.actions(state), COMMANDS)
    for typed, told in (
        ("shoot liutenant scorpion", "unknown minifig 'liutenant': did you mean 'swift_lieutenant"),
        ("shoot zzz scorpion", "unknown minifig 'zzz': known: swift_captain, "),
        ("hop", "unknown action 'hop': choose from "),
        ("sav", "unknown action 'sav': did you mean 'save'?"),
    ):
        with pytest.raises(InvalidValueError) as error:
            read.action(typed)
        assert told in str(error.value)
        assert len(str(error.value)) < 300


def test_what_the_list_shows_is_an_action_with_or_without_its_heading():
    game = TokenGame()
    lines = ("right", "take 2", "left", "take 1", "right")
    record, _ = sit(game, *lines, seats=(0, 1), others=None)
    assert texts(record)[:4] == ["take 2", "to left", "take 1", "to right"]


def test_every_entry_of_a_list_of_bow_can_be_typed_as_it_stands_there():
    """A battle of one person who types what stands below the headings."""
    game, rng, shown = Bow(), np.random.default_rng(3), []
    typed = []

    def read():
        heading, numbered = "", []
        for line in shown[-1].splitlines()[1:]:
            entries = re.split(r"\s{2,}", line.strip())
            if not line.startswith("    ") and len(entries) == 1 and not entries[0][0].isdigit():
                heading = entries[0]
            else:
                numbered += [(heading, entry.partition(" ")[2]) for entry in entries]
        typed.append(numbered[rng.integers(len(numbered))][1])
        return typed[-1]

    def write(text):
        assert "unknown action" not in text, (typed[-1], text)
        assert "; got " not in text, (typed[-1], text)
        shown.append(text)

    keyboard = Keyboard(read, write)
    person = Person(game, 0, LAW, keyboard)
    play(
        game,
        game.setups["duel"],
        [person, RandomBot()],
        LawSource(LAW, 3),
        root=3,
        max_steps=150,
        watchers=[keyboard.watch],
    )
    assert {word.partition(" ")[0] for word in typed} & {"walk", "attack"}


def walks() -> Typed:
    """What is typed at the list of walks of red's trooper in the duel."""
    game = Bow()
    state = game.initial(game.setups["duel"])
    for text in ("6", "0", "unit red_trooper", "do walk"):
        state = advance(game, state, parse_move(game, state, text))
    return Typed(game, state, game.actions(state))


@pytest.mark.parametrize("typed", ["11,8", "walk 11,8"])
def test_a_stud_out_of_reach_says_so_with_and_without_the_heading(typed):
    """BOW 2.3.1: in a list of walks a stud alone is a walk, a legal one or not."""
    why = (
        "'walk 11,8' is illegal: red_trooper cannot reach 11,8 in 5 studs: "
        "the way there is 8 studs (BOW 2.3.1)"
    )
    with pytest.raises(InvalidValueError, match=re.escape(why)):
        walks().action(typed)


def test_words_that_the_list_shows_twice_are_asked_for():
    typed = Typed(Duel(), None, ())
    typed.texts, typed.actions = ["throw spear", "give spear", "end"], ("t", "g", "e")
    with pytest.raises(InvalidValueError, match="'spear' is ambiguous: throw spear, give spear"):
        typed.action("spear")


def test_what_is_taken_back_never_happened():
    game, script = TokenGame(), ScriptSource(["left"])
    lines = ("take 1", "undo", "take 2", "undo", "take 2", "to left", "take 2", "to right")
    record, _ = sit(game, *lines, seats=(0, 1), chance=script)
    straight, _ = sit(game, *lines[-4:], seats=(0, 1), chance=ScriptSource(["left"]))
    assert record == straight


def test_only_the_own_actions_since_the_last_roll_or_other_player_are_taken_back():
    game = TokenGame()
    lines = ("take 1", "to left", "take 1", "to left")
    record, shown = sit(game, "undo", *lines, "undo", "quit", seats=(0, 1), others=None)
    assert "nothing to take back: you have chosen nothing yet" in shown
    assert "nothing to take back: another player has acted since" in shown
    assert texts(record) == [*lines]
    record, shown = sit(Duel(), "strike", "undo", "quit", others=Always("strike"))
    assert "nothing to take back: a roll, a draw, an answer" in shown
    assert len(record.steps) == 4


@pytest.mark.parametrize("game", [TokenGame(), Cards()], ids=["first", "hidden"])
def test_a_bot_cannot_take_back_what_it_may_not(game):
    class Fickle(RandomBot):
        turns = 0

        def choose(self, view, actions, rng):
            self.turns += 1
            if game.hidden(None) and self.turns == 1:
                return actions[0]
            raise TakeBackError

    with pytest.raises(InvalidValueError, match=r"player \d has nothing to take back"):
        play(game, next(iter(game.setups.values())), [Fickle()] * 2, LawSource(LAW, 1), root=1)


def test_odds_are_those_of_the_law():
    record, shown = sit(Duel(), "odds", "odds lunge", "odds fly", "quit")
    success = 100 * float(opposed(2, 1, LAW).success)
    assert f"fewer health: {success:.1f} %" in shown
    assert re.search(r"\n  strike: 2 bricks against 1 .*\n +lower \d+\.\d %, equal ", shown)
    assert shown.count("\n  lunge: 3 bricks against 1 ") == 2
    assert "how many" not in shown
    assert "'fly' is neither strike nor lunge" in shown
    assert record.steps == ()


def test_forecasts_look_into_the_parts_of_a_choice():
    game = TokenGame()
    state = game.initial({"left": 1})
    found = list(action_odds(game, [state], game.actions(state), LAW))
    assert [forecast.text for forecast in found] == ["to left", "to right"]
    assert found[0].outcomes == {"left": Fraction(1, 2), "right": Fraction(1, 2)}


def test_the_outcomes_of_a_forecast_are_all_there_are():
    game = Duel()
    state = game.initial(game.setups["even"])
    for forecast in action_odds(game, [state], game.actions(state), LAW):
        assert sum(forecast.outcomes.values()) == 1
        ahead = sum(p for words, p in forecast.outcomes.items() if words.startswith("higher"))
        assert forecast.losses == {"health": ahead}


def test_news_of_a_hidden_game_are_what_the_player_may_know():
    record, shown = sit(Cards(), "3", "quit")
    first, _, third, _ = (step.text for step in record.steps[:4])
    assert f"one of 6 names, not listed here (card for player 0): {first}" in shown
    assert f"one of 4 names, not listed here (card for player 0): {third}" in shown
    assert shown.count("(card for player 1): (hidden)") == 2
    assert f"player 1: {record.steps[5].text}" in shown


def test_a_choice_that_is_hidden_until_all_have_chosen_is_no_news():
    game = Cards()
    record, shown = sit(game, "1", "quit", seats=(1,))
    step = record.steps[4]
    assert (step.actor, game.tell(record.steps[3].after, step, 1)) == (0, "player 0: (hidden)")
    assert "player 0: (hidden)" in shown
    assert game.tell(record.steps[3].after, step) == f"player 0: {step.text}"


def test_the_only_card_of_a_hand_is_hidden_too():
    game = Cards()
    state = CardState((5,), ((1,), (2,)), (3, 4), dealt=4)
    step = Step(0, 1, "1", game.apply(state, 1))
    assert game.tell(state, step, 1) == "player 0: (hidden)"
    assert game.tell(state, step, 0) == "player 0: 1"


def at_war(*lines, **options):
    """Two captains at the keyboard who have moved straight ahead, then these lines."""
    return sit(Pirates(), *["turn 0"] * 4, *lines, seats=(0, 1), **options)


def test_an_order_that_is_rolled_later_has_the_odds_of_its_game():
    _, shown = at_war("odds fire port ball", "odds fire starboard ball", "odds", "quit")
    assert "\n  fire port ball: 3 dice\n" in shown
    assert "fewer hulls: 70.4 %" in shown
    assert "fire starboard ball: 3 dice" not in shown


def test_a_secret_order_may_be_taken_back_until_the_other_player_acts():
    record, shown = at_war("fire port ball", "undo", "fire port shot", "ready", "undo", "quit")
    assert texts(record)[-2:] == ["fire port shot", "ready"]
    assert shown.count("nothing to take back") == 1


def test_what_is_shown_to_the_other_player_is_not_taken_back():
    game = Blade()
    state = Blades(
        CARDS[4:], (CARDS[:2], CARDS[2:4]), ranks=(2, 2), phase="commit", actions=1, owed=1
    )
    step = Step(0, "play a0", "play a0", game.apply(state, "play a0"))
    assert not may_take_back(game, state, step, 0)
    assert not may_take_back(game, state, step, 1)


def test_an_only_choice_that_showed_a_secret_is_not_taken_back_with_the_roll_before():
    game = Blade()
    state = Blades(
        CARDS[4:], (CARDS[:2], CARDS[2:4]), ranks=(2, 2), phase="commit", actions=1, owed=1
    )
    keyboard = Keyboard(input, print)
    keyboard.corrects = lambda _: True
    keyboard.watch(state, Step(CHANCE, 0, "0", state))
    keyboard.is_automatic = True
    keyboard.watch(state, Step(0, "play a0", "play a0", game.apply(state, "play a0")))
    keyboard.undo(game, [0])
    assert len(keyboard.steps) == 2


def test_a_choice_is_not_taken_back_over_an_only_choice_of_another_player():
    game = Duel()
    state = game.initial(game.setups["even"])
    keyboard = Keyboard(input, print)
    keyboard.watch(state, Step(0, "strike", "strike", state))
    keyboard.is_automatic = True
    keyboard.watch(state, Step(1, "strike", "strike", state))
    keyboard.undo(game, {0, 1})
    assert len(keyboard.steps) == 2


def test_a_look_at_something_hidden_is_not_taken_back():
    class Peek(Cards):
        """A state: a coin that nobody sees, and whether the first player has looked at it."""

        def observe(self, state, player):
            return (player, state[0] if state[1] and player == 0 else None)

        def alternative(self, state, player, rng):
            return state if state[1] and player == 0 else (int(rng.integers(2)), state[1])

        def apply(self, state, move):
            return (state[0], move == "look")

    game = Peek()
    looked, waited = Step(0, "look", "look", (1, True)), Step(0, "wait", "wait", (1, False))
    assert not may_take_back(game, (1, False), looked, 0)
    assert may_take_back(game, (1, False), waited, 0)


def test_odds_where_something_is_hidden_are_the_mean_over_what_it_may_be():
    game = Blade()
    state = Blades(CARDS[4:], (CARDS[:2], CARDS[2:4]), phase="choose", actions=1)
    worlds = [state._replace(ranks=(2, enemy)) for enemy in (1, 3)]
    singles = [action_odds(game, [world], ["melee"], LAW)[0] for world in worlds]
    (mean,) = action_odds(game, worlds, ["melee"], LAW)
    assert mean.losses["men"] == (singles[0].losses["men"] + singles[1].losses["men"]) / 2
    assert singles[0].losses != singles[1].losses
    assert sum(mean.outcomes.values()) == 1


def test_odds_of_a_chain_of_rolls_are_those_of_its_end():
    game = Blade()
    state = Blades((), (CARDS[:2], CARDS[2:4]), ranks=(1, 1), phase="attack", actions=2)
    law = game.chain_law(state, LAW)
    before = state._replace(phase="choose")

    class Sudden(Blade):
        def apply(self, state, move):
            return state._replace(phase="attack") if move == "melee" else super().apply(state, move)

    (found,) = action_odds(Sudden(), [before], ["melee"], LAW)
    lost = sum(chance for after, chance in law.items() if sum(after.men) < sum(state.men))
    assert found.losses == {"men": lost}
    assert found.outcomes["nothing lost"] == 1 - lost


def test_odds_look_through_one_roll_after_the_other():
    """A blow of the duel whose loss is rolled for with a die: 1 to 3 saves."""

    class Saved(Duel):
        def actor(self, state):
            return CHANCE if state.rolling == "save" else super().actor(state)

        def chance(self, state):
            return DiceRoll() if state.rolling == "save" else super().chance(state)

        def apply(self, state, move):
            if state.rolling == "save":
                hurt = (state.health[0], state.health[1] - 1) if move[0] > 3 else state.health
                return replace(state, rolling="-", mover=1, health=hurt)
            return replace(state, rolling="save" if not isinstance(move, str) else move)

    game = Saved()
    (found,) = action_odds(game, [game.initial(game.setups["even"])], ["strike"], LAW)
    assert found.losses == {"health": Fraction(1, 2)}
    assert "lower" in found.outcomes


def test_why_tells_every_reason():
    words = ("why to left", "to left", "why take 1", "why", "9", "1", "9", "quit")
    record, shown = sit(TokenGame(), *words, seats=(0, 1), others=None)
    assert shown.count("tokens 1: no 'to left' now") == 2
    assert "'take 1' is legal" in shown
    assert "9 is not between 1 and 2" in shown
    assert record.ending is Ending.INTERRUPTED


def test_why_tells_that_a_legal_action_would_be_wasted():
    class Wasteful(TokenGame):
        def waste(self, state, action):
            return "nobody counts it" if action == "take 1" else ""

    _, shown = sit(Wasteful(), "why take 1", "why 2", "quit")
    assert "'take 1' is legal, but it would be wasted: nobody counts it" in shown
    assert shown.endswith("'take 2' is legal")


def keyboard_of(game, *lines):
    """A keyboard with a place for games, the persons at it and what is shown, before these lines are typed."""
    shown, saved = [], []

    def save(name):
        if not name:
            raise InvalidValueError("name the file")
        saved.append((name, len(keyboard.steps)))
        return "saved"

    keyboard = Keyboard(keys(*lines), shown.append)
    keyboard.save = save
    keyboard.keep = lambda: saved.append(("kept", len(keyboard.steps)))
    persons = [Person(game, seat, LAW, keyboard) for seat in (0, 1)]
    return keyboard, persons, shown, saved


def play_at(game, *lines, **options):
    keyboard, persons, shown, saved = keyboard_of(game, *lines)
    for name, value in options.items():
        setattr(keyboard, name, value)
    setup = next(iter(game.setups.values()))
    play(game, setup, persons, ScriptSource(["left"]), root=1, watchers=[keyboard.watch])
    return "\n".join(shown), saved


@pytest.mark.parametrize("word", ["q", "EXIT", "quit now"])
def test_who_leaves_an_unsaved_game_is_told_so_once(word):
    shown, _ = play_at(TokenGame(), "take 1", word, "to left")
    assert (
        shown.count("the game is not saved: type save FILE to store it, or quit again to leave")
        == 1
    )
    assert "player 0: to left" in shown
    shown, _ = play_at(TokenGame(), "take 1", word, word, "to left")
    assert "player 0: to left" not in shown


@pytest.mark.parametrize(
    ("lines", "options"),
    [
        (["q"], {}),
        (["take 1", "save mine", "q"], {}),
        (["take 1", "q"], {"is_recorded": True}),
        (["take 1", "q"], {"save": None}),
    ],
)
def test_who_loses_nothing_leaves_at_once(lines, options):
    shown, _ = play_at(TokenGame(), *lines, "to left", **options)
    assert "not saved" not in shown
    assert "player 0: to left" not in shown


def test_a_game_is_kept_before_each_line_from_the_first_own_choice_on():
    _, saved = play_at(TokenGame(), "help", "take 1", "help", "save mine", "save", "to left", "")
    steps = [("kept", 1), ("kept", 1), ("mine", 1), ("kept", 2), ("kept", 2)]
    assert saved == steps


def test_a_capital_letter_of_a_unit_does_not_leave():
    shown, _ = play_at(TokenGame(), "Q", "take 1", "to left")
    assert "player 0: to left" in shown


def test_a_kept_game_is_saved_at_a_typed_roll_too():
    keyboard, _, shown, saved = keyboard_of(TokenGame(), "save mine", "2")
    source = TypedSource(keyboard.line, keyboard.write)
    assert source.answer(BrickRoll(2), ()) == 2
    assert (shown[-1], saved) == ("saved", [("mine", 0)])


def test_help_and_show_and_list():
    _, shown = sit(TokenGame(), "help", "show", "list", "quit")
    assert all(f"  {command}" in shown for command in COMMANDS)
    assert shown.count('[4,[0,0],0,0,""]') == 2
    assert shown.count("take\n    1  2") == 2


def test_a_hint_tells_the_best_plans_and_what_to_type():
    _, shown = sit(Squad(), "hint", "quit", name="only")
    told = """as the bot hard sees it, in points of 100 of your chance to win:
     best  a: goes 2
           type a 2
  as good  b: goes 2
           type b 2
     -5.0  a: goes 1
           type a 1"""
    assert told in shown


def test_what_a_hint_says_can_be_typed_as_it_is():
    _, shown = sit(Squad(), "hint", "quit", name="only")
    typed = shown.rpartition("type ")[2].splitlines()[0]
    record, _ = sit(Squad(), typed, "quit", name="only")
    assert texts(record) == ["a 1"]


def test_within_a_choice_a_hint_tells_what_is_left_of_the_best_plans():
    """BOW 2.4: red stands beside blue, and an attack is better than a walk away."""
    _, shown = in_the_duel("walk 7,4; e", "hint", "do attack", "hint")
    hints = shown.split("as the bot hard sees it")[1:]
    assert [hint.splitlines()[1].split()[0] for hint in hints] == ["best", "best"]
    attack = "  best  red trooper: attacks blue trooper with spear"
    assert all(attack in hint and "type attack blue_trooper spear" in hint for hint in hints)


def test_numbers_that_are_actions_themselves_are_not_counted():
    record, shown = sit(Contest(), "8")
    assert texts(record)[0] == "8"
    assert "\n  1\n  2\n  4\n  8" in shown


def test_a_number_in_a_list_of_numbers_is_the_value_and_no_place_in_the_list():
    """Pirate Wars: degrees stand on the map where the turns lead; others within reach are as legal."""
    record, shown = sit(
        PirateWars(), "45", "13", "quit", chance=ScriptSource(["1", "2"]), name="duel"
    )
    assert texts(record)[2] == "turn 45"
    assert re.search(r"\n  turn \(degrees: above 0 to port, .*\)\n    -90 +-75 ", shown)
    assert re.search(r"\.-75\.", shown)
    assert re.search(r"\.75\.", shown)


def test_tables_that_have_not_changed_are_not_shown_again_until_they_are_asked_for():
    """Pirate Wars: ships move and their table with them, the crews stay where they are."""
    _, shown = sit(PirateWars(), "45", "13", "quit", chance=ScriptSource(["1", "2"]), name="duel")
    assert shown.count("who is there") == 1
    assert shown.count("guns loaded") > 1
    _, shown = sit(PirateWars(), "45", "show", "quit", chance=ScriptSource(["1", "2"]), name="duel")
    assert shown.count("who is there") == 2


def test_the_end_is_told_to_those_who_did_not_see_it():
    game, shown = TokenGame(), []
    keyboard = Keyboard(iter(["1", "1"]).__next__, shown.append)
    person = Person(game, 0, LAW, keyboard)
    script = ScriptSource(["left"])
    play(game, {"left": 1}, [person, RandomBot()], script, root=1, watchers=[keyboard.watch])
    person.tell_news()
    assert shown[-1] == "one of left, right (the side that wins): left"
    count = len(shown)
    person.tell_news()
    assert len(shown) == count


def test_a_menu_puts_the_same_words_together_in_columns():
    words = [f"go {number},{number}" for number in range(12)] + ["end"]
    lines = list(menu(words, [""] * len(words), 40))
    assert lines[0] == "  go"
    assert lines[1].split() == ["1", "0,0", "2", "1,1", "3", "2,2"]
    assert lines[-1] == "  13 end"
    assert all(len(line) <= 40 for line in lines)


def test_a_menu_tells_what_an_action_is_for():
    assert list(menu(["go 1", "go 2", "end"], ["rest", "", "the end"])) == [
        "  go",
        "    1 - rest  2",
        "  end - the end",
    ]
    assert list(menu(["go 1,1", "go 2", "end"][::2], ["rest", ""])) == [
        "  1 go 1,1 - rest",
        "  2 end",
    ]


def test_odds_of_an_action_are_those_of_what_can_follow_it():
    _, shown = sit(Bow(), "odds", "quit", seats=(0, 1))
    found = re.search(r"no odds yet: choose first, such as (unit \w+); or type odds \1$", shown)
    assert found is not None
    _, ahead = sit(Bow(), f"odds {found[1]}", "quit", seats=(0, 1))
    _, there = sit(Bow(), found[1], "odds", "quit", seats=(0, 1))
    chances = [line for line in ahead.splitlines() if " %" in line]
    assert chances
    assert chances == [line for line in there.splitlines() if " %" in line]


def test_odds_of_what_leads_to_no_roll_say_so():
    game = TokenGame()
    _, shown = sit(game, "odds", "odds take 1", "quit")
    assert "none of these actions leads to a roll right away" in shown
    assert "no odds for 'take 1': neither it nor a choice right after it has a roll" in shown


def test_odds_of_what_leads_to_a_roll_that_is_not_its_own_name_that_roll():
    """The last token put aside ends the choices; then it is drawn which side wins."""

    class Apart(TokenGame):
        def settled(self, state):
            return state.hand == 0

    lines = ("take 2", "to left", "take 2", "odds to left", "quit")
    _, shown = sit(Apart(), *lines, seats=(0, 1))
    assert "no odds for 'to left': no roll is its own; what is rolled next is" in shown


def test_help_tells_how_one_turns_on_the_spot():
    _, shown = sit(Bow(), "?", "quit", seats=(0, 1))
    assert "to turn on the spot, walk to the stud on which the unit stands" in shown
    assert "here, 'played' after a unit says the same; marks have no other effect" in shown


@pytest.mark.parametrize(
    "event", [BrickRoll(3), OpposedRoll(3, 2), DiceRoll(2), Draw.uniform("left", "right")]
)
@pytest.mark.parametrize("word", ["help", "?"])
def test_a_typed_roll_has_its_own_help(event, word):
    lines, shown = iter([word, "quit"]), []
    with pytest.raises(InterruptedRunError, match="has left"):
        TypedSource(lambda: next(lines), shown.append).answer(event, ())
    asked, told, again = shown
    assert asked == again == event.question
    assert "type" in told
    assert "no answer" not in told


@pytest.mark.parametrize(
    ("event", "typed", "wanted"),
    [
        (BrickRoll(6), "7", "a number from 0 to 6;"),
        (BrickRoll(6), "1 2", "a number from 0 to 6;"),
        (OpposedRoll(2, 3), "4", "two numbers, 0 to 2 and 0 to 3, such as 1 2;"),
        (OpposedRoll(2, 0), "2", "two numbers, 0 to 2 and 0 to 0, such as 1 0;"),
        (DiceRoll(1, 6), "0", "a number from 1 to 6;"),
        (DiceRoll(3, 6), "1 2", "3 numbers from 1 to 6 with a blank between them;"),
        (Draw.uniform("left", "right"), "up", "one of these names;"),
    ],
)
def test_a_typed_roll_says_what_is_allowed(event, typed, wanted):
    lines, shown = iter([typed, "quit"]), []
    with pytest.raises(InterruptedRunError):
        TypedSource(lambda: next(lines), shown.append).answer(event, (0,))
    assert f"{typed!r} is not an answer to" in shown[1]
    assert f"Type {wanted}" in shown[1]


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ("1 2 3", "5 numbers needed, but 3 given."),
        ("1 2 3 4 x", "'1 2 3 4 x' must contain only numbers."),
        ("1 2 3 4 400", "jeep heading_deg: 400.0 is outside 0..360."),
    ],
)
def test_what_is_measured_is_asked_for_thing_by_thing_with_an_example(typed, fault):
    limits = (("x_studs", 0.0, 24.0), ("y_studs", 0.0, 20.0), ("heading_deg", 0.0, 360.0))
    quantities = tuple(
        (f"{thing} {name}", low, high)
        for thing, count in (("peter", 2), ("jeep", 3))
        for name, low, high in limits[:count]
    )
    lines, shown = iter([typed, "12 10 12 10 180"]), []
    event = Measurement(quantities, "the bodies come to rest")
    answer = TypedSource(lambda: next(lines), shown.append).answer(event, ())
    assert answer == (12.0, 10.0, 12.0, 10.0, 180.0)
    assert shown[0].splitlines() == [
        "the bodies come to rest: where?",
        "  peter: x_studs (0..24) y_studs (0..20)",
        "  jeep: x_studs (0..24) y_studs (0..20) heading_deg (0..360)",
        "Type 5 numbers in this order on one line, such as: 12 10 12 10 180.",
    ]
    assert shown[1].startswith(f"{fault} Type 5 numbers")


def test_what_has_happened_is_told_before_a_question():
    shown = []
    source = TypedSource(lambda: "2", shown.append, lambda: shown.append("so far"))
    source.answer(BrickRoll(2), ())
    assert shown == ["so far", "2 bricks: how many on a side?"]

"""Luck and choices of a game that was played: by hand where a roll is left, and adding up to the result everywhere."""

from dataclasses import replace
from fractions import Fraction
from math import fsum, sqrt

import pytest

from brickphys.odds.law import BinomialLaw
from brickphys.odds.law_file import default_law
from brickphys.rules.game import format_move
from brickphys.rules.plans import LEVELS, Plan
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.players.planner import Planner
from brickphys.rules.record import CHANCE, Ending, Record, Step
from brickphys.rules.registry import game
from brickphys.rules.report.analysis import Analyst, document
from brickphys.rules.sources import LawSource
from tests.rules.card_game import Cards
from tests.rules.duel_game import Duel
from tests.rules.report.squad_game import STEP, Squad, SquadState, Steppers
from tests.rules.token_game import TokenGame

P = Fraction(1, 4)
LAW = BinomialLaw(P)
EASY, FAIR = LEVELS["easy"], LEVELS["fair"]


def record_of(played, moves, setup):
    """The record of a game after some moves."""
    state, steps = played.initial(setup), []
    initial = state
    for move in moves:
        actor, text = played.actor(state), format_move(played, state, move)
        state = played.apply(state, move)
        steps.append(Step(actor, move, text, state))
    is_over = played.actor(state) < CHANCE
    ending = Ending.OVER if is_over else Ending.INTERRUPTED
    returns = tuple(played.returns(state)) if is_over else None
    names = ("random",) * played.players(state)
    return Record(
        played.name, played.version, setup, initial, tuple(steps), ending, returns, names, 1
    )


def fought(played, setup, name="random", root=3, law=LAW, **options):
    players = [bot(name, played, law)] * played.players(played.initial(setup))
    return play(played, setup, players, LawSource(law, root), root=root, **options)


LAST_BLOW = {"health": [1, 1], "attack": [1, 1], "dodge": [0, 0], "turns": 1}
"""A strike with one brick kills with P, a lunge with two unless both miss; else it is a draw."""
STRIKE, LUNGE = P, 1 - (1 - P) ** 2


@pytest.mark.parametrize("score", [0, 1])
def test_luck_and_cost_of_the_last_blow_are_those_found_by_hand(score):
    analysis = Analyst(Duel(), LAW, FAIR).analysis(
        record_of(Duel(), ["strike", (score, 0)], LAST_BLOW)
    )
    mean = float(STRIKE)
    assert analysis.worths == ((0.0, 0.0), (mean, -mean), (float(score), float(-score)))
    assert analysis.luck == ((0.0, 0.0), pytest.approx((score - mean, mean - score)))
    (choice,) = analysis.choices
    assert choice.cost == pytest.approx(float(LUNGE - STRIKE))
    assert (choice.done, choice.better, choice.player) == ("strike", "lunge", 0)
    first, second = analysis.balance(0), analysis.balance(1)
    assert first.luck == pytest.approx(score - mean) == -second.luck
    assert first.own == pytest.approx(mean) == -second.others
    assert (first.given_away, second.given_away) == (choice.cost, 0.0)
    best = Analyst(Duel(), LAW, FAIR).analysis(record_of(Duel(), ["lunge", (0, 0)], LAST_BLOW))
    assert [one.cost for one in best.choices] == [0.0]
    assert best.worst == []


GAMES = [
    (Duel(), "even", 40),
    (Cards(), None, 40),
    (TokenGame(), None, 40),
    (game("bow"), "duel", 36),
    (game("pirate_wars"), "duel", 24),
    (game("minifig"), "duel", 90),
    (game("blade_and_bow"), "marathon", 24),
    (game("campaign"), "ten_days", 30),
]


@pytest.mark.parametrize(
    ("played", "name", "steps"), GAMES, ids=lambda one: getattr(one, "name", "")
)
def test_start_luck_and_choices_add_up_to_the_end(played, name, steps):
    setup = played.setups[name or next(iter(played.setups))]
    record = fought(played, setup, law=default_law(), max_steps=steps)
    analysis = Analyst(played, default_law(), EASY).analysis(record)
    assert len(analysis.worths) == len(analysis.luck) + 1 == len(record.steps) + 1
    if record.returns is not None:
        assert analysis.worths[-1] == tuple(map(float, record.returns))
    for player in range(len(record.players)):
        one = analysis.balance(player)
        assert one.start + one.luck + one.own + one.others == pytest.approx(one.end, abs=1e-12)
        assert one.end == analysis.worths[-1][player]
    assert all(choice.cost >= 0 for choice in analysis.choices)
    assert all(-1 <= worth <= 1 for worths in analysis.worths for worth in worths)
    for luck, step in zip(analysis.luck, record.steps, strict=True):
        assert step.actor == CHANCE or not any(luck)


@pytest.mark.parametrize(
    ("played", "name"),
    [(played, name) for played, name, _ in GAMES[3:]],
    ids=lambda one: getattr(one, "name", ""),
)
def test_the_luck_of_a_roll_is_nothing_in_the_mean(played, name):
    """Some rolls of a game, with every outcome in place of what was rolled; no draws from a deck of 60 cards."""
    law, setup = default_law(), played.setups[name]
    record = fought(played, setup, law=law, max_steps=60)
    analyst = Analyst(played, law, EASY)
    laws = {
        number: played.chance(record.states[number]).law(law)
        for number, step in enumerate(record.steps)
        if step.actor == CHANCE
    }
    rolls = [number for number, one in laws.items() if len(one) < 20][:3]
    assert rolls
    for number in rolls:
        before = record.states[number]
        means = [0.0] * len(record.players)
        for outcome, chance in laws[number].items():
            last = Step(CHANCE, outcome, "", played.apply(before, outcome))
            alone = replace(
                record, initial=before, steps=(last,), ending=Ending.INTERRUPTED, returns=None
            )
            luck = analyst.analysis(alone).luck[0]
            means = [mean + float(chance) * one for mean, one in zip(means, luck, strict=True)]
        assert means == pytest.approx([0.0] * len(means), abs=1e-12)


def test_the_luck_of_many_random_games_is_nothing_in_the_mean():
    """400 games; the mean leaves four standard errors once in 16,000 times."""
    analyst, sums = Analyst(Duel(), LAW, EASY), []
    for root in range(400):
        record = fought(Duel(), Duel().setups["even"], root=root)
        sums.append(analyst.analysis(record).balance(0).luck)
    mean = fsum(sums) / len(sums)
    error = sqrt(fsum((one - mean) ** 2 for one in sums) / (len(sums) - 1) / len(sums))
    assert 0.01 < error < 0.1
    assert abs(mean) < 4 * error


@pytest.mark.parametrize("name", ["bow", "minifig", "pirate_wars"])
@pytest.mark.parametrize("root", range(4))
def test_rolls_before_the_first_choice_are_luck_to_the_last_one(name, root):
    """The chance to win at the start is that before all rolls for the order."""
    played = game(name)
    setup, law = played.setups["duel"], default_law()
    record = fought(played, setup, root=root, law=law, max_steps=8)
    analysis = Analyst(played, law, EASY).analysis(record)
    rolls = next(n for n, step in enumerate(record.steps) if step.actor != CHANCE)
    assert rolls > 1
    for player in range(2):
        changed = analysis.worths[rolls][player] - analysis.worths[0][player]
        assert fsum(one[player] for one in analysis.luck[:rolls]) == pytest.approx(
            changed, abs=1e-4
        )
        assert analysis.balance(player).start == pytest.approx(analysis.worths[0][player], abs=1e-4)


def costs(*moves):
    analysis = Analyst(Squad(), LAW, FAIR).analysis(record_of(Squad(), moves, {}))
    return [pytest.approx(one.cost, abs=1e-12) for one in analysis.choices], analysis


def test_units_that_move_later_do_not_count_against_those_that_move_first():
    found, _ = costs("b 2", "a 2", "end", "a 2", "b 2", "end", "heads")
    assert found == [0.0] * 4  # the end of a turn alone is no choice


@pytest.mark.parametrize(("rounds", "cost"), [(None, 2 * STEP), (1, 0.0)])
def test_units_that_may_move_later_in_the_round_are_not_missed_before(monkeypatch, rounds, cost):
    monkeypatch.setattr(Squad, "rounds", lambda *_: rounds)
    monkeypatch.setattr(Squad, "initial", lambda *_: SquadState(turns=4))
    found, _ = costs("end", "end", "a 2", "b 2", "end", "end", "heads")
    assert found == [cost, cost, 0.0, 0.0, 2 * STEP]


def test_a_worse_plan_costs_what_the_best_of_the_same_unit_is_worth_more():
    found, analysis = costs("b 1", "a 2", "end", "end", "tails")
    assert found == [STEP, 0.0, 2 * STEP]
    assert [(one.done, one.better) for one in analysis.worst] == [
        ("end - ends", "a: goes 2"),
        ("b: goes 1", "b: goes 2"),
    ]


def test_what_is_no_plan_is_judged_by_where_it_leads():
    """To stay is a legal action that the bot does not know."""
    found, analysis = costs("a 0", "b 2", "end")
    assert found == [2 * STEP, 0.0]
    assert analysis.choices[0].done == "a 0"


def planned_by(monkeypatch, plans):
    """Let bots have the plans that a function returns for a state."""
    monkeypatch.setattr(Steppers, "plans", lambda _self, state, _effort: plans(state))


def test_two_ways_for_the_same_purpose_are_told_by_their_actions(monkeypatch):
    ways = [Plan("a", "goes", (f"a {steps}",), steps * STEP) for steps in (2, 1)]
    holds = [Plan("", "holds", ("end",), 0.0)]
    planned_by(monkeypatch, lambda state: ways if "a" in state.units else holds)
    found, analysis = costs("a 1", "end")
    assert found[0] == pytest.approx(STEP)
    assert (analysis.choices[0].done, analysis.choices[0].better) == (
        "a: goes (a 1)",
        "a: goes (a 2)",
    )


@pytest.mark.parametrize(
    ("name", "setup"),
    [
        ("minifig", "duel"),
        pytest.param("bow", "duel", marks=pytest.mark.slow),
        pytest.param("pirate_wars", "duel", marks=pytest.mark.slow),
    ],
)
def test_a_bot_without_errors_gives_nothing_away_as_it_judges_itself(name, setup):
    judge = replace(FAIR, noise=0.0)
    played, law = game(name), default_law()
    players = [Planner(played, law, judge) for _ in range(2)]
    rolls = LawSource(law, 1)
    record = play(played, played.setups[setup], players, rolls, root=1, max_steps=60)
    analysis = Analyst(played, law, judge).analysis(record)
    assert any(choice.player >= 0 for choice in analysis.choices)
    assert [one for one in analysis.worst if one.cost > 0.01] == []


def test_a_plan_that_goes_on_where_others_may_begin_is_one_choice(monkeypatch):
    def plans(state):
        both = [Plan("", "all go", ("a 2", "b 2"), 4 * STEP)] if state.units == ("a", "b") else []
        return [*both, Plan("", "holds", ("end",), 0.0)]

    planned_by(monkeypatch, plans)
    found, analysis = costs("a 2", "b 2", "end", "a 2", "end")
    # all that go leave the turn to its end, whose coin is half a step for the enemy
    assert found == [0.0, pytest.approx(4 * STEP - 2 * STEP - STEP / 2), 0.0]
    first, second, _ = analysis.choices
    assert (first.first, first.stop, first.done) == (0, 3, "a 2; b 2 - all go")
    assert (second.first, second.done, second.better) == (3, "a 2", "a 2; b 2 - all go")


def test_what_begins_the_best_plan_costs_nothing_yet(monkeypatch):
    """The unit that goes first is judged by the plan that it begins, the next one by what it makes of it."""

    def plans(state):
        both = [Plan("", "all go", ("a 2", "b 2"), 4 * STEP)] if state.units == ("a", "b") else []
        rest = [Plan("b", "goes", ("b 2",), 2 * STEP)] if state.units == ("b",) else []
        return [*both, *rest, Plan("", "holds", ("end",), 0.0)]

    planned_by(monkeypatch, plans)
    assert costs("a 2", "b 1", "end")[0] == [0.0, pytest.approx(STEP)]
    assert costs("a 2")[0] == [0.0]


def test_a_choice_that_is_not_finished_has_no_cost():
    played, setup, law = game("bow"), game("bow").setups["duel"], default_law()
    record = fought(played, setup, law=law, root=9, max_steps=8)
    first = next(n for n, state in enumerate(record.states) if played.actor(state) >= 0)
    chosen = played.actions(record.states[first])[0]
    moves = [*(step.move for step in record.steps[:first]), chosen, played.parse_action("do walk")]
    analysis = Analyst(played, law, EASY).analysis(record_of(played, moves, setup))
    assert [one.cost for one in analysis.choices if one.stop == len(moves)] in ([0.0], [])


def test_what_one_unit_does_step_by_step_is_compared_as_a_whole(monkeypatch):
    """The bot knows only the whole crew, which goes with both feet."""

    def plans(state):
        return [Plan("crew", "goes", tuple(f"{unit} 2" for unit in state.units), 0.4)]

    planned_by(monkeypatch, plans)
    found, analysis = costs("b 1", "a 2", "end", "end")
    assert found[0] == pytest.approx(STEP)
    assert analysis.choices[0].done == "crew: b 1; a 2; end"


def test_a_unit_that_was_better_left_alone_is_compared_with_that(monkeypatch):
    """No plan knows the other unit, whose step is a step for the enemy."""

    def plans(state):
        goes = [Plan("a", "goes", ("a 2",), 2 * STEP)] if "a" in state.units else []
        return [*goes, Plan("", "holds", ("end",), 0.0)]

    planned_by(monkeypatch, plans)
    monkeypatch.setattr(Squad, "estimate", lambda _, state: (one := -STEP * state.steps[0], -one))
    found, analysis = costs("b 2", "a 2", "end", "end", "heads")
    assert found[0] == pytest.approx(2 * STEP)
    assert analysis.choices[0].better == "not to do it"


def test_a_toss_is_luck_and_the_steps_are_choices():
    _, analysis = costs("a 2", "end", "b 1", "end", "heads")
    red, blue = analysis.balance(0), analysis.balance(1)
    parts = (red.start, red.luck, red.own, red.others, red.end)
    # the coin is worth half a step from the first moment on, but only the toss itself knows it
    assert parts == pytest.approx((0.0, STEP / 2, 2 * STEP, -STEP / 2, 2 * STEP))
    assert red.own == pytest.approx(blue.others * -1)
    assert [roll.told for roll in analysis.rolls] == ["one of heads, tails: heads"]
    assert analysis.rolls[0].luck == pytest.approx((STEP / 2, -STEP / 2))


def test_rolls_before_the_first_choice_are_luck_and_belong_to_no_choice():
    played, setup = game("bow"), game("bow").setups["duel"]
    record = fought(played, setup, law=default_law(), max_steps=9)
    analysis = Analyst(played, default_law(), EASY).analysis(record)
    first = next(n for n, step in enumerate(record.steps) if step.actor >= 0)
    assert first > 0
    assert {*analysis.choosers[:first]} == {CHANCE}


def test_a_split_choice_is_judged_as_one_and_completed_in_words():
    played, setup = game("bow"), game("bow").setups["duel"]
    record = fought(played, setup, law=default_law(), max_steps=30)
    analysis = Analyst(played, default_law(), EASY).analysis(record)
    assert analysis.choices
    covered = [n for one in analysis.choices for n in range(one.first, one.stop)]
    assert len(covered) == len(set(covered))
    for one in analysis.worst:
        assert not one.better.split("; ")[-1].startswith("do ")


def test_progress_is_told_for_every_step_and_the_same_game_is_judged_the_same():
    told = []
    record = record_of(Squad(), ["a 2", "end", "end", "heads"], {})
    analyst = Analyst(Squad(), LAW, FAIR)
    first = analyst.analysis(record, lambda done, total: told.append((done, total)))
    assert told == [(done, 4) for done in range(5)]
    assert first == Analyst(Squad(), LAW, FAIR).analysis(record)


def test_the_document_has_shares_that_add_up():
    _, analysis = costs("a 2", "end", "b 1", "end", "heads")
    found = document(analysis, ["red", "blue"])
    assert found["bot"] == "fair"
    assert found["chances"][-1] == [0.5 + STEP, 0.5 - STEP]
    for one in found["players"]:
        parts = (one["start"], one["luck"], one["own_choices"], one["other_choices"])
        assert sum(parts) == pytest.approx(one["end"])
    assert found["worst"][0] == {
        "step": 2,
        "round": None,
        "player": "red",
        "done": "end - ends",
        "better": "b: goes 2",
        "cost": pytest.approx(STEP),
    }


def test_a_game_without_any_choice_has_no_judgement():
    record = record_of(Duel(), [], LAST_BLOW)
    analysis = Analyst(Duel(), LAW, EASY).analysis(record)
    assert (analysis.choices, analysis.worst, analysis.luckiest) == ((), [], [])
    assert analysis.balance(0).end == 0.0

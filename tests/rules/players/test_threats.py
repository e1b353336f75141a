"""Threats are the attacks that the rules allow after every move, and tell nothing that is hidden."""

import numpy as np
import pytest

from brickphys.minifig.ground import opponents
from brickphys.rules.players.preview import threats
from tests.rules.players.test_preview import asked_in, chosen


def attacks(one, state, is_moving):
    """Yield the attacks that may follow, also after moves with their turns, by listing all actions."""
    open_states, seen = [state], set()
    while open_states:
        now = open_states.pop()
        for action in {} if now in seen else one.actions(now):
            word, *words = one.format_action(action).split(" ")
            if word == "attack":
                yield words[0]
            elif (is_moving and word == "walk" and now.actions_left > 1) or word in ("do", "face"):
                open_states.append(one.apply(now, action))
        seen.add(now)


@pytest.mark.parametrize(("setup", "is_moving"), [("duel", True), ("skirmish", False)])
def test_units_threaten_whom_they_can_attack(setup, is_moving):
    one, choices = chosen("bow", setup)
    turns = [(state, move) for state, move in choices if one.chooses(move)]
    found = 0
    for state, move in turns[:: max(1, len(turns) // 6)]:
        unit = one.format_action(move).split(" ")[1]
        after, enemy = one.apply(state, move), 1 - one.actor(state)
        (threat,) = (each for each in one.threats(state, enemy) if each.name == unit)
        listed = {*attacks(one, after, is_moving)}
        told = {*threat.shoots, *threat.strikes}
        assert told == listed if is_moving else {*threat.shoots} <= listed <= told
        found += len(listed)
    assert found


def test_figures_threaten_whom_they_touch_after_a_move():
    one, choices = chosen("minifig", "duel", "greedy")
    touched = 0
    for state, move in choices:
        figure, text = state.active, one.format_action(move)
        if figure is None or not text.startswith("go "):
            continue
        names, enemy = state.setting.figures, 1 - one.actor(state)
        (threat,) = (each for each in one.threats(state, enemy) if each.name == names[figure].name)
        for action in one.actions(state):
            if one.format_action(action).startswith("go "):
                foes = {names[foe].name for foe in opponents(one.apply(state, action), figure)}
                assert foes <= {*threat.strikes}
                touched += len(foes)
    assert touched


def test_threats_know_nothing_that_is_hidden():
    one, choices = chosen("blade_and_bow", "plataea")
    for state, _ in choices[:: max(1, len(choices) // 8)]:
        other = one.alternative(state, one.actor(state), np.random.default_rng(1))
        assert threats(asked_in(one, state)) == threats(asked_in(one, other))

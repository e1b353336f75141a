"""A whole battle at the keyboard: it goes as the same battle of bots, and shows nothing that is hidden."""

import json
import re
from collections.abc import Sequence
from itertools import chain, count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from brickphys.blade_and_bow.deck import deck
from brickphys.blade_and_bow.state import State
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.record import Record
from brickphys.rules.sources import LawSource
from brickphys.rules.words import Action
from tests.blade_and_bow.game import GAME, LAW, setup, zeal
from tests.command_line import brickphys
from tests.installed_game import installed_game

ROOT = Path(__file__).parents[2]
QUESTIONS = ("odds", "list", "show", "why done", "help")
"""What the person asks besides, in turn."""


class Warlike:
    """Looks for a fight, always in the same way."""

    name = "random"

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, view: State, actions: Sequence[Action[State]], rng: Any) -> Action[State]:
        """Draw an action by its zeal."""
        (action,) = self._random.choices(actions, [zeal(view, action) for action in actions])
        return action


def fought(seed: int) -> Record:
    """Random Greeks, who hide their ranks, and Persians who look for a fight."""
    players = [bot("random", GAME, LAW), Warlike(seed)]
    return play(GAME, setup("marathon"), players, LawSource(LAW, seed), root=seed)


def secrets(record: Record) -> list[str]:
    """The cards that only the Greeks have ever seen; those whose names are no words of the rules."""
    held = {card for state in record.states for card in state.hands[0]}
    public = {card for s in record.states for card in (*s.hands[1], *s.discards)}
    names = (deck()[card].name for card in held - public)
    return [name for name in names if "_" in name]


@pytest.fixture(scope="module")
def battle() -> Record:
    """One in which somebody was lost, with cards and ranks that were hidden to the end."""
    return next(
        record
        for record in map(fought, count(30))
        if secrets(record)
        and any(record.final.losses)
        and not all(unit.seen for unit in record.final.units[:10])
    )


@pytest.fixture(scope="module")
def shown(battle: Record, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[Any]]:
    """All that the person is shown who types the choices of the Persians; the steps of the replay."""
    folder = tmp_path_factory.mktemp("keyboard")
    choices = [step.text for step in battle.steps if step.actor == 1]
    asked = [QUESTIONS[n // 20 % 5] if n % 20 == 10 else "" for n in range(len(choices))]
    lines = chain.from_iterable(zip(asked, choices, strict=True))
    info = folder / "info"
    info.mkdir()
    where = "brickphys.blade_and_bow.game:BladeAndBow"
    with installed_game(info, "blade_and_bow", where, ROOT):
        words = ("--bots", "random,person", "--seed", battle.root, "--replay", "battle.jsonl")
        typed = "".join(f"{line}\n" for line in lines if line)
        done = brickphys("play", "blade_and_bow", "marathon", *words, typed=typed, cwd=folder)
    assert done.returncode == 0, done.stderr
    rows = (folder / "battle.jsonl").read_text(encoding="utf-8").splitlines()
    return done.stdout, [json.loads(row) for row in rows[1:-1]]


@pytest.mark.slow
def test_the_battle_goes_as_that_of_bots(battle: Record, shown: tuple[str, list[Any]]) -> None:
    text, steps = shown
    assert [step["move"] for step in steps] == [step.text for step in battle.steps]
    assert any(f"in {battle.final.turn} rounds" in line for line in text.splitlines()[-4:])
    assert any(state.combat for state in battle.states)


@pytest.mark.slow
def test_cards_that_the_enemy_keeps_are_never_named(
    battle: Record, shown: tuple[str, list[Any]]
) -> None:
    for name in secrets(battle):
        assert name not in shown[0]
        assert name.replace("_", " ") not in shown[0]


@pytest.mark.slow
def test_ranks_are_shown_when_they_are_seen_and_no_sooner(
    battle: Record, shown: tuple[str, list[Any]]
) -> None:
    """In the first tables all Greek ranks are question marks, in the last those that nobody has seen."""
    rows = re.findall(
        r"^  \w  (\w+)\s+greeks\s+hoplite\s+\w+\s+\w+\s+(\S+)", shown[0], re.MULTILINE
    )
    units = [unit.name for unit in battle.initial.setting.units if unit.player == 0]
    assert rows[: len(units)] == [(name, "?") for name in units]
    last = dict(rows)
    for name, unit in zip(units, battle.final.units, strict=False):
        if not unit.seen:
            assert last[name] == "?"
    chosen = [step.text for step in battle.steps if step.text.startswith("ranks")]
    assert chosen
    assert not any(
        text in shown[0] for text in ("rank more (BB 14.2 Steps)", "ranks more (BB 14.2 Steps)")
    )

"""What golden files hold of a game: how many moves it has, and a whole game of bots, line by line."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from brickphys.odds.law import RollLaw
from brickphys.rules.checks.perft import perft
from brickphys.rules.game import AnyGame
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.record import CHANCE, Record, Setup
from brickphys.rules.sources import LawSource


def perft_lines(game: AnyGame, state: Any, depth: int, law: RollLaw) -> Iterator[str]:
    """A line for each depth: how many moves there are, where they lead, and how probable that is."""
    for row in perft(game, state, depth, law):
        counts = f"{row.depth} {row.nodes} {row.states} {row.chances} {row.over}"
        yield f"{counts} {row.mass} {row.over_mass}"


def fought(game: AnyGame, law: RollLaw, setup: Setup, *names: str, root: int = 11) -> Record:
    """A whole game of bots, a name for each player in turn."""
    count = game.players(game.initial(setup))
    bots = [bot(names[player % len(names)], game, law) for player in range(count)]
    return play(game, setup, bots, LawSource(law, root), root=root, max_steps=20_000)


def transcript(record: Record, about: str, most_steps: int | None = None) -> str:
    """A game, or its first steps: what it is about, a line for all that one does in a row, and how it ends."""
    players = record.initial.setting.players
    lines = [
        f"{'roll' if actor == CHANCE else players[actor]}: {'; '.join(step.text for step in steps)}"
        for actor, steps in groupby(record.steps[:most_steps], key=lambda step: step.actor)
    ]
    end = f"# {len(record.steps)} steps, {record.final.round} rounds, {record.returns}"
    return "\n".join([f"# {about}; seed {record.root}", *lines, end, ""])

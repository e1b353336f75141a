"""Episodes: the battles of a campaign that was played, each as a game of its own."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from brickphys.minifig.campaign.date import date_text
from brickphys.minifig.campaign.fight import battle_moves, battle_setup, battles
from brickphys.minifig.campaign.report import CampaignRecord
from brickphys.minifig.campaign.state import State
from brickphys.minifig.state.state import State as Battle
from brickphys.rules.moves import format_move
from brickphys.rules.record import OVER, Ending, Record, Step
from brickphys.rules.report.episode import Episode
from brickphys.rules.words import Action
from brickphys.text import spoken

_FOES = "policy"
"""Who plays the foes."""

_Steps = list[Step[Battle, Action[Any]]]


def episodes(record: CampaignRecord) -> Iterator[Episode]:
    """Yield the battles in their order; the last one may not be over."""
    begun, steps = record.initial, _Steps()
    for before, step in zip(record.states, record.steps, strict=False):
        if before.battle is not None:
            for battle, move, after in battle_moves(before.battle, step.move):
                text = format_move(battles(), battle, move)
                steps.append(Step(battles().actor(battle), move, text, after))
            if battles().actor(steps[-1].after) != OVER:
                continue
            yield _episode(record, begun, steps)
        begun, steps = step.after, _Steps()
    if begun.battle is not None:
        yield _episode(record, begun, steps)


def current_episode(record: CampaignRecord) -> Episode | None:
    """Return the battle that goes on at the end; None if none does."""
    states, battle = record.states, record.final.battle
    if battle is None:
        return None
    start = len(states) - 1
    while start and (before := states[start - 1].battle) and before.setting == battle.setting:
        start -= 1
    *_, last = episodes(replace(record, initial=states[start], steps=record.steps[start:]))
    return last


def _episode(record: CampaignRecord, begun: State, steps: _Steps) -> Episode:
    """Return the battle that has begun in a state, after its steps so far."""
    game, initial = battles(), begun.battle
    assert initial is not None
    final = steps[-1].after if steps else initial
    is_over = game.actor(final) == OVER
    within = Record(
        game=game.name,
        version=game.version,
        setup=battle_setup(begun, begun.foes),
        initial=initial,
        steps=tuple(steps),
        ending=Ending.OVER if is_over else Ending.INTERRUPTED,
        returns=tuple(game.returns(final)) if is_over else None,
        players=(*record.players, _FOES),
        root=record.root,
        address=record.address,
    )
    title = f"Day {begun.day}, {date_text(begun.day)}: the battle with the {spoken(begun.foes)}"
    return Episode(title, game, within)

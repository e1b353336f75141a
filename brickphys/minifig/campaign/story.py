"""Story: a campaign as text: its map, its party, its diary; its way over the land, and its battles.

Each battle of a campaign that was played is a game of its own.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from math import atan2, degrees
from typing import Any

from brickphys.geometry.polygon import Point
from brickphys.minifig.campaign.days import (
    Camp,
    CardDraw,
    March,
    MisadventureRoll,
    doubled,
    misadventure_key,
)
from brickphys.minifig.campaign.effects import Choose, TrialRoll, effect_text
from brickphys.minifig.campaign.state import (
    GRID,
    MILE,
    Bend,
    Direction,
    Member,
    Place,
    Square,
    SquareGround,
    State,
    date_text,
    season,
    tables,
)
from brickphys.minifig.campaign.trials import (
    PARTY,
    Answer,
    Verb,
    battle_moves,
    battle_setup,
    battles,
    trials,
)
from brickphys.minifig.sheets import charts
from brickphys.minifig.state import State as Battle
from brickphys.rules.game import format_move
from brickphys.rules.names import Names, Naming
from brickphys.rules.record import OVER, Ending, Episode, Record, Step
from brickphys.rules.report.char_map import CharMap, Ink, MapLayout, Rulers, Tone
from brickphys.rules.report.story import status_text
from brickphys.rules.report.trajectories import Frame, Track, Trajectories, moves
from brickphys.rules.scene import Piece, Scene
from brickphys.rules.words import Action
from brickphys.text import counted, spoken

CampaignStep = Step[State, Action[Any]]
CampaignRecord = Record[State, Action[Any]]

_SIGNS = {
    SquareGround.OPEN: ".",
    SquareGround.WOODS: "w",
    SquareGround.VILLAGE: "v",
    SquareGround.POND: "o",
    SquareGround.SHORE: "s",
    SquareGround.LAKE: "~",
}
_PARTY = "@"
_INKS: dict[str, Tone] = {
    _PARTY: PARTY,
    _SIGNS[SquareGround.OPEN]: Ink.QUIET,
    _SIGNS[SquareGround.WOODS]: Ink.PLANTS,
    **dict.fromkeys("o~|-+", Ink.WATER),
}
_LEGEND = "@ the party, . open land, w woods, v village, o pond, s shore, ~ lake, | - + river; north is up"
_DOES = {
    Answer.FIGHT: "fights",
    Answer.PARLEY: "parleys",
    Answer.EVADE: "goes round",
    Answer.HELP: "stays and helps",
    Answer.PASS: "passes by",
}
_GROUNDS = {
    SquareGround.OPEN: "open land",
    SquareGround.POND: "a pond",
    SquareGround.SHORE: "the shore of a lake",
    SquareGround.VILLAGE: "a village",
}


def campaign_status(view: State) -> str:
    """Return a campaign at one moment: the day, the map, the party; in a battle, the battle instead."""
    if view.battle is not None:
        return status_text(headline(view), battles().describe(view.battle), ())
    rows = [("", "kind", "arms", "experience", ""), *map(_member_row, view.party)]
    return status_text(headline(view), map_text(view), [rows])


def headline(state: State) -> str:
    """Return the day with its weather, card and watch, and where the party is, in a line; or how it has ended."""
    day = f"Day {state.day} of {state.setting.days}, {date_text(state.day)}"
    if state.result is not None:
        return f"{day}. {ending(state)}"
    watch = f"{state.watch.spoken}, {tables().watches[state.watch.value]}"
    parts = [f"{day} ({season(state.day).value}), {watch}: {state.weather.value}"]
    parts += [state.card] * bool(state.card)
    parts += [f"season {state.arcanum + 1} of the campaign"] * bool(state.arcanum)
    here = state.chart.squares.get(state.place)
    parts.append(f"at {_at(state.place)}" + (f" ({_square_text(here)})" if here else ""))
    if state.gone_tenths and state.heading:
        parts.append(f"{state.gone_tenths / MILE:g} miles on to the {state.heading.value}")
    parts += [f"{counted(state.delay, 'half-day')} lost"] * bool(state.delay)
    parts += [f"a battle with the {spoken(state.foes)}"] * bool(state.foes)
    return ", ".join(parts)


def map_text(state: State) -> CharMap:
    """Return the whole grids of 9 x 9 on which squares are known; the ruler names the first column of each."""
    (west, south), (east, north) = state.chart.grids
    columns, rows = range(west, east + 1), range(south, north + 1)
    rulers = Rulers(tuple(f"{y:>4} " for y in rows), tuple(map(str, columns)), every=GRID)
    return CharMap(
        MapLayout(
            signs=tuple(_sign(state, (x, y)) for y in rows for x in columns),
            rulers=rulers,
            notes=(f"     {_LEGEND}",),
            corner=(west, south),
            inks=_INKS,
        )
    )


def names(state: State) -> Names:
    """Return the names of the party, and in a battle of all that is in it."""
    party = {member.name: Naming(PARTY) for member in state.party}
    return party if state.battle is None else {**party, **battles().names(state.battle)}


def here(state: State) -> Point | None:
    """Return the square of the party, or in a battle the place of the figure that acts."""
    return state.place if state.battle is None else battles().here(state.battle)


def place_of(state: State, action: Action[Any]) -> Point | None:
    """Return the square towards which the party marches, or where an action of a battle leads."""
    if state.battle is not None:
        return battles().place_of(state.battle, action)
    return action.side.from_place(state.place) if isinstance(action, March) else None


def _sign(state: State, place: Place) -> str:
    square = state.chart.squares.get(place)
    if place == state.place:
        return _PARTY
    if square is None:
        return " "
    if square.river is None:
        return _SIGNS[square.ground]
    if square.river.bend is not Bend.STRAIGHT:
        return "+"
    return "|" if square.river.along.is_north_south else "-"


def _member_row(member: Member) -> tuple[str, ...]:
    colour = charts().colours[member.experience]
    notes = ["rides"] * member.horse + ["wounded"] * member.is_wounded
    arms = ", ".join(member.arms) or "none"
    level = f"{member.experience} ({colour})"
    return spoken(member.name), member.kind, arms, level, ", ".join(notes)


def step_text(before: State, step: CampaignStep) -> str:
    """Return a step as a line, or several: in a battle as the battle tells it, with all that the foes do then."""
    if before.battle is None:
        return _line(_clauses(before, step))
    told = [battles().tell(*pair) for pair in _battle_steps(before.battle, step.move)]
    return "\n".join(filter(None, [*told, _line(_clauses(before, step))]))


def _battle_steps(battle: Battle, move: Any) -> Iterator[tuple[Battle, Step[Battle, Action[Any]]]]:
    """Yield the steps of a battle that a move leads to, each after the state before it; see `battle_moves`."""
    game = battles()
    for before, one, after in battle_moves(battle, move):
        yield before, Step(game.actor(before), one, format_move(game, before, one), after)


def diary(record: CampaignRecord) -> Iterator[str]:
    """Yield the diary of a campaign: a line for each day, and how it ended."""
    pairs = zip(record.states, record.steps, strict=False)
    for day, steps in groupby(pairs, key=lambda pair: pair[0].day):
        entry = list(steps)
        last = next(
            (step.after for _, step in reversed(entry) if step.after.day == day), entry[-1][0]
        )
        told = _line(clause for before, step in entry for clause in _clauses(before, step))
        yield f"Day {day}, {date_text(day)}, {last.weather.value}. {told}".rstrip()
    final = record.final
    if record.ending is not Ending.OVER:
        yield f"Day {final.day}: the campaign goes on."
    else:
        yield ending(final)


def ending(state: State) -> str:
    """Return how a campaign has ended."""
    leader, days = spoken(state.setting.party[0].name), counted(state.day, "day")
    if state.result == 1:
        return f"After {days} {leader} is alive, with {counted(len(state.party) - 1, 'companion')}."
    return f"On day {state.day} the campaign is lost, {leader} {'lives' if state.leader_lives else 'is gone'}."


def _line(clauses: Iterable[str]) -> str:
    text = "; ".join(clauses)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _clauses(before: State, step: CampaignStep) -> Iterator[str]:
    """Yield what a step outside the moves of a battle comes to."""
    after, move = step.after, step.move
    if isinstance(before.first_pending, CardDraw):
        yield _card_clause(str(move))
    elif isinstance(move, Choose):
        yield f"the party {_DOES[move.answer]}"
    elif isinstance(move, March):
        yield f"marches {move.side.value}"
    elif isinstance(move, Camp):
        yield "camps"
    yield from _trial_clauses(before, step)
    yield from _battle_clauses(before, step)
    yield from _way_clauses(before, after)
    yield from _party_clauses(before, after)


def _card_clause(card: str) -> str:
    prompt = trials().prompts.get(card)
    if prompt is None:
        return f"{card} is drawn, and a new season of the campaign begins"
    return f"the {card}: {prompt.text[0].lower()}{prompt.text[1:].rstrip('.')}"


def _trial_clauses(before: State, step: CampaignStep) -> Iterator[str]:
    """Yield a misadventure, how a trial of bricks went, and half-days that are lost by it."""
    first, key, is_rolled = before.first_pending, "", False
    if isinstance(first, TrialRoll):
        key, is_rolled = first.key, True
        if key == before.weather.value:
            yield trials().keyed[key].text.rstrip(".")
        score, bricks = step.move, counted(trials().keyed[key].bricks, "brick")
        yield f"{score} of {bricks} on a side: it goes {'well' if score else 'badly'}"
    elif isinstance(step.move, Choose):
        key = f"{before.card}: {step.move.answer.value}"
    elif isinstance(first, MisadventureRoll) and (face := doubled(step.move)):
        key = misadventure_key(before.watch, face)
        yield f"{before.watch.spoken}: {trials().keyed[key].text.rstrip('.')}"
    if not key or (trials().keyed[key].bricks and not is_rolled):
        return
    trial = trials().keyed[key]
    for effect in trial.good if not is_rolled or step.move else trial.bad:
        if effect.startswith(Verb.DELAY.value):
            yield effect_text(effect)


def _battle_clauses(before: State, step: CampaignStep) -> Iterator[str]:
    if before.battle is None:
        if step.after.battle is not None:
            yield f"a battle with the {spoken(step.after.foes)} begins"
    elif step.after.battle is None:
        *_, (_, _, last) = battle_moves(before.battle, step.move)
        worth = battles().returns(last)[PARTY]
        how = "won" if worth > 0 else "lost" if worth < 0 else "broken off"
        yield f"the battle with the {spoken(before.foes)} is {how}"


def _way_clauses(before: State, after: State) -> Iterator[str]:
    """Yield the squares that were found, but for those of a lake beside the party, and a known one that it came to."""
    new = after.chart.squares.keys() - before.chart.squares.keys()
    for place in sorted(new):
        if after.chart.squares[place].ground is not SquareGround.LAKE:
            yield f"{_square_text(after.chart.squares[place])} at {_at(place)}"
    if after.place != before.place and after.place in before.chart.squares:
        yield f"to {_at(after.place)}"


def _square_text(square: Square) -> str:
    river = square.river
    if river is not None:
        bends = "" if river.bend is Bend.STRAIGHT else f" that bends {river.bend.value}"
        return f"a river to the {river.side.value}{bends}"
    return _GROUNDS.get(square.ground, square.ground.value)


def _party_clauses(before: State, after: State) -> Iterator[str]:
    """Yield who came, went, was wounded or healed, and who has new arms or a horse."""
    old, new = ({one.name: one for one in state.party} for state in (before, after))
    yield from (f"{spoken(name)} joins the party" for name in new if name not in old)
    yield from (f"{spoken(name)} is lost" for name in old if name not in new)
    for name in new:
        was, now = old.get(name), new[name]
        if was is None or was == now:
            continue
        if now.is_wounded != was.is_wounded:
            yield f"{spoken(name)} {'is wounded' if now.is_wounded else 'is well again'}"
        yield from (f"{arm} for {spoken(name)}" for arm in now.arms[len(was.arms) :])
        if now.horse and not was.horse:
            yield f"a horse for {spoken(name)}"


def _at(place: Place) -> str:
    return f"{place[0]},{place[1]}"


@dataclass(frozen=True)
class KnownLand:
    """A campaign at one moment on a field of whole grids, those that are known at its end.

    `low` and `high` are the lower left and the upper right square of the field.
    """

    state: State
    low: Place
    high: Place

    def point(self, place: Place) -> Point:
        """Return the middle of a square on the field, in squares."""
        return place[0] - self.low[0] + 0.5, place[1] - self.low[1] + 0.5


def place_name(state: KnownLand, place: Point) -> str:
    """Return the square of a place of the field, counted from the start of the party."""
    return f"{state.low[0] + int(place[0])},{state.low[1] + int(place[1])}"


_SHOULDERS = 0.36
"""Half the width of the party in pictures, in squares."""


def land_scene(land: KnownLand) -> Scene:
    """Return the known squares, and the party, which looks where it goes."""
    (width, length), setting = land.point(land.high), land.state.setting
    size = width + 0.5, length + 0.5
    return Scene(size, setting.players, setting.colours, partial(_pieces, land))


def _pieces(land: KnownLand) -> Iterator[Piece]:
    state = land.state
    for place, square in state.chart.squares.items():
        yield Piece(f"square {_at(place)}", "square", land.point(place), what=square)
    east, north = (state.heading or Direction.NORTH).step
    looks_deg, (leader,) = degrees(atan2(north, east)), state.setting.players
    at = land.point(state.place)
    yield Piece("party", "party", at, looks_deg, player=PARTY, label=leader, radius=_SHOULDERS)


def trajectories(record: CampaignRecord) -> Trajectories[KnownLand]:
    """Return a campaign that was played, as pictures and films show it: a frame for each day, with the way so far."""
    low, high = record.final.chart.grids
    final = KnownLand(record.final, low, high)
    setting = record.initial.setting
    stays = [(state.day, final.point(state.place)) for state in record.states]
    way = moves(stays)
    told = list(diary(record))
    ends = {state.day: state for state in record.states}
    frames = tuple(
        Frame(
            KnownLand(state, low, high),
            headline(state),
            text,
            0,
            tuple(place for number, place in way if number <= day),
            round=day,
        )
        for (day, state), text in zip(ends.items(), told, strict=False)
    )
    end = "" if record.final.leader_lives else "is lost"
    name = setting.players[0]
    track = Track(name, 0, False, moves([(0, way[0][1]), *stays]), end, record.final.day)
    return Trajectories(
        names=setting.players,
        played_by=record.players,
        colours=setting.colours,
        ending=told[-1],
        final=final,
        tracks=(track,),
        frames=frames,
        time="day",
    )


_FOES = "policy"
"""Who plays the foes."""

_Steps = list[Step[Battle, Action[Any]]]


def episodes(record: CampaignRecord) -> Iterator[Episode]:
    """Yield the battles in their order; the last one may not be over."""
    begun, steps = record.initial, _Steps()
    for before, step in zip(record.states, record.steps, strict=False):
        if before.battle is not None:
            steps += [within for _, within in _battle_steps(before.battle, step.move)]
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

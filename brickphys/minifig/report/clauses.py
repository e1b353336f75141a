"""Clauses: what figures, things and walls came to in a step, as parts of sentences with the sections of the book."""

from collections.abc import Iterator
from math import dist

from brickphys.minifig.report.status_text import place_text
from brickphys.minifig.state.state import State
from brickphys.rules.report.names import compass
from brickphys.text import counted, spoken


def figure_name(state: State, number: int) -> str:
    """Return the name of a figure as it is read."""
    return spoken(state.setting.figures[number].name)


def results(before: State, after: State) -> Iterator[str]:
    """Yield what came of a step: the order, what the active figure did, what became of others and of walls."""
    if after.order and not before.order:
        yield f"{spoken(after.setting.players[after.player])} begins (MF Rules)"
    actor = after.active if before.active is None else before.active
    if actor is not None:
        yield from _ways(before, after, actor)
        yield from _items(before, after, actor)
        yield from _reloads(before, after)
    for number in before.alive:
        if not after.figures[number].is_alive:
            yield f"{figure_name(before, number)} is eliminated"
    for spec, was, now in zip(before.setting.walls, before.walls, after.walls, strict=True):
        for _ in range(len(now) - len(was)):
            left = f"{len(spec.spans) - len(now)} of {counted(len(spec.spans), 'brick')}"
            yield f"a brick of {spoken(spec.name)} falls out: {left} left (MF Projectiles)"


def _ways(before: State, after: State, actor: int) -> Iterator[str]:
    """Yield how the active figure mounted, moved or dismounted."""
    was, now, things = before.figures[actor], after.figures[actor], before.setting.things
    where = f"{place_text(now.place_in)}, facing {compass(now.facing_deg)}"
    if now.horse is not None and was.horse is None:
        yield f"mounts {spoken(things[now.horse].name)} (MF Rules)"
    elif was.horse is not None and now.horse is None and now.is_alive:
        yield f"dismounts at {where} (MF Rules)"
    elif was.place_in != now.place_in:
        hauled = [
            spoken(things[number].name)
            for number in before.standing_things()
            if before.things[number].place_in != after.things[number].place_in
        ]
        far = f"{dist(was.place_in, now.place_in):.1f} in"
        deed = f"hauls {hauled[0]}" if hauled else "moves"
        yield f"{deed} {far} to {where} (MF Movement)"
    elif was.facing_deg != now.facing_deg:
        yield f"turns to face {compass(now.facing_deg)} (MF Movement)"


def _items(before: State, after: State, actor: int) -> Iterator[str]:
    """Yield what the active figure picked up and put down."""
    if before.items is after.items:
        return
    items = zip(before.setting.items, before.items, after.items, strict=True)
    for spec, was, now in items:
        if was.holder is None and now.holder == actor:
            yield f"picks up {spoken(spec.name)} (MF Picking Up Weapons)"
        elif was.holder == actor and now.at_in == after.figures[actor].place_in:
            yield f"puts down {spoken(spec.name)} (MF Picking Up Weapons)"


def _reloads(before: State, after: State) -> Iterator[str]:
    """Yield the weapons that are loaded now."""
    items = zip(before.setting.items, before.items, after.items, strict=True)
    things = zip(before.setting.things, before.things, after.things, strict=True)
    loaded = [spec.name for spec, was, now in items if now.is_loaded and not was.is_loaded]
    loaded += [spec.name for spec, was, now in things if now.is_loaded and not was.is_loaded]
    yield from (f"reloads {spoken(name)} (MF Reloading)" for name in loaded)

"""Crash output: what `collide --physics` reports and `collide --animate` films."""

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.output import drawing, note_written, print_table

if TYPE_CHECKING:
    from brickphys.geometry.polygon import Point
    from brickphys.vehicles.course import MoveResult
    from brickphys.vehicles.physics.outcome import Crash, Impact, ThingOutcome
    from brickphys.vehicles.scene import Scene

_IMPACT_COLUMNS = (
    "impact of",
    "with",
    "after,\nstuds",
    "at,\nstuds",
    "closing,\nm/s",
    "impulse,\nmN s",
    "delta-v of the\nfirst, m/s",
    "of the\nsecond, m/s",
    "energy lost,\nmJ",
)
_OUTCOME_COLUMNS = (
    "thing",
    "ends at,\nstuds",
    "heading,\ndegrees",
    "tilt,\ndegrees",
    "moved,\nstuds",
    "state",
    "nearest\nfree stud",
)


def crash_maker(scale_m_s: float | None, surface_name: str | None) -> "Callable[[Scene], Crash]":
    """Return the function that makes the move of a scene with bodies, on a surface by name (wood if None).

    Raises
    ------
    InvalidValueError
        If there is no such surface, or the scale is impossible.
    """
    from brickphys.throws.surfaces import surface
    from brickphys.vehicles.physics.blocks import SPEED_SCALE_M_S
    from brickphys.vehicles.physics.crash import check_scale, crash

    floor = surface("wood" if surface_name is None else surface_name).nominal
    scale = SPEED_SCALE_M_S if scale_m_s is None else check_scale(scale_m_s)
    return partial(crash, scale_m_s=scale, floor=floor)


def animate_crash(crash: "Crash", path: Path) -> None:
    """Film a crash into a .gif file."""
    from brickphys.plots.vehicles.crash_film import save_film

    with drawing() as advance:
        save_film(crash, path, partial(advance, "film"))
    note_written("film", path)


def crash_document(scene: "Scene", move: "MoveResult", crash: "Crash") -> dict[str, Any]:
    """Return a crash for JSON; lengths in studs, heights in plates, energies in millijoules."""
    from brickphys.vehicles.physics.differences import differences

    return {
        "speed_m_s": crash.speed_m_s,
        "travelled": crash.travelled_studs,
        "settled": crash.settled,
        "time_s": crash.time_s,
        "energy_mj": crash.energy_mj,
        "energy_lost_mj": crash.energy_lost_mj,
        "impacts": [_impact(impact) for impact in crash.impacts],
        "outcomes": [_outcome(outcome) for outcome in crash.outcomes],
        "riders": [_outcome(outcome) for outcome in crash.riders],
        "differences": [asdict(difference) for difference in differences(move, crash)],
        "thrown_to": {name: stud and list(stud) for name, stud in _thrown(scene, crash).items()},
    }


def _impact(impact: "Impact") -> dict[str, Any]:
    return {
        "first": impact.first,
        "second": impact.second,
        "time_s": impact.time_s,
        "travelled": impact.travelled_studs,
        "point": list(impact.point_studs),
        "height": impact.height_plates,
        "normal": list(impact.normal),
        "closing_speed_m_s": impact.closing_speed_m_s,
        "delta_v_m_s": list(impact.delta_v_m_s),
        "impulse_mn_s": impact.impulse_mn_s,
        "energy_lost_mj": impact.energy_lost_mj,
    }


def _outcome(outcome: "ThingOutcome") -> dict[str, Any]:
    return {
        "kind": outcome.type.value,
        "id": outcome.id,
        "x": outcome.end_studs[0],
        "y": outcome.end_studs[1],
        "heading_deg": outcome.heading_deg,
        "tilt_deg": outcome.tilt_deg,
        "moved": outcome.moved_studs,
        "was_hit": outcome.was_hit,
        "knocked_over": outcome.knocked_over,
        "left_field": outcome.left_field,
        "fell_off": outcome.fell_off,
        "settled": outcome.settled,
        "thrown_off": outcome.thrown_off,
    }


def _thrown(scene: "Scene", crash: "Crash") -> "dict[str, Point | None]":
    """Return the studs of the figures that were hit, and of the crew that was thrown off."""
    from brickphys.vehicles.physics.landing_spot import landing_spots
    from brickphys.vehicles.physics.outcome import standing
    from brickphys.vehicles.scene import ThingType

    units = [o for o in crash.outcomes if o.type is ThingType.UNIT and o.was_hit]
    crew = [rider for rider in crash.riders if rider.thrown_off]
    hit = {outcome.id: outcome.end_studs for outcome in (*units, *crew)}
    bottoms = {unit.id: unit.bottom_plates for unit in scene.units}
    return landing_spots(hit, scene.bounds, standing(crash), bottoms)


def print_crash(scene: "Scene", move: "MoveResult", crash: "Crash") -> None:
    """Print a crash as two tables, and a line for each difference between the rule and the bodies."""
    from brickphys.vehicles.physics.differences import differences
    from brickphys.vehicles.scene import ThingType

    if not crash.speed_m_s:
        echo(f"\nrigid bodies: {crash.mover_id} stands still")
        return
    echo(
        f"\nrigid bodies: {crash.mover_id} starts at {crash.speed_m_s:g} m/s and is driven for "
        f"{crash.travelled_studs:.3f} studs; first impacts take {crash.energy_lost_mj:.2f} of the "
        f"{crash.energy_mj:.2f} mJ of kinetic energy put in\n"
    )
    if crash.impacts:
        print_table(_IMPACT_COLUMNS, [_impact_row(impact) for impact in crash.impacts])
        echo()
    thrown = _thrown(scene, crash)
    told = [o for o in (*crash.outcomes, *crash.riders) if o.is_told]
    if told:
        print_table(_OUTCOME_COLUMNS, [_outcome_row(o, thrown) for o in told])
    if any(o.type is ThingType.UNIT and o.was_hit for o in crash.outcomes):
        echo(
            "\nPlaces after figures are struck differ by some studs with step and processor: docs/crash.md"
        )
    if found := differences(move, crash):
        echo("\nrule and rigid bodies differ:")
        echo("\n".join(f"  {each}" for each in found))


def _impact_row(impact: "Impact") -> tuple[str, ...]:
    travelled = impact.travelled_studs
    return (
        impact.first,
        impact.second,
        "" if travelled is None else f"{travelled:.3f}",
        "({:.2f}, {:.2f})".format(*impact.point_studs),
        f"{impact.closing_speed_m_s:.3f}",
        f"{impact.impulse_mn_s:.3f}",
        *(f"{change:.3f}" for change in impact.delta_v_m_s),
        f"{impact.energy_lost_mj:.3f}",
    )


def _outcome_row(outcome: "ThingOutcome", thrown: "dict[str, Point | None]") -> tuple[str, ...]:
    stud = thrown.get(outcome.id)
    return (
        outcome.id,
        "({:.2f}, {:.2f})".format(*outcome.end_studs),
        f"{round(outcome.heading_deg)}",
        f"{round(outcome.tilt_deg)}",
        f"{outcome.moved_studs:.2f}",
        outcome.state,
        "({:g}, {:g})".format(*stud) if stud else "",
    )

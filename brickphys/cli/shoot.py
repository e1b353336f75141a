"""Shoot: the odds that one shot hits a target on the table and knocks it over."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brickphys.cli.shared import options, output
from brickphys.cli.shared.output import echo
from brickphys.errors import InvalidValueError
from brickphys.projectiles.weapons import Weapon, weapon
from brickphys.text import percent, percent_range

if TYPE_CHECKING:
    from brickphys.projectiles.impact_law import ImpactLaw
    from brickphys.projectiles.live import LiveShot
    from brickphys.projectiles.shot import ShotLaw
    from brickphys.projectiles.standing import Standing

_FACING = {"front": 180.0, "side": 90.0, "rear": 0.0}
"""Facing of a target that turns a side to the shooter, who stands at its west."""
_PLOT_STEPS = 24


@click.command()
@options.weapon_option
@click.option("--range-in", type=float, required=True, help="Distance of the target in inches.")
@options.body_option
@click.option(
    "--side",
    type=click.Choice(list(_FACING)),
    default="front",
    help="Side of the target that faces the shooter; effects are averages over this side.",
)
@click.option("--speed-m-s", type=float, help="Mean speed at release (bow, crossbow, spear).")
@click.option(
    "--any", "any_speed", is_flag=True, help="Allow speeds above the limit for toys (EN 71-1)."
)
@click.option(
    "--law", "law_file", type=options.FILE, help="Impact law file.  [default: the shipped law]"
)
@click.option("--live", is_flag=True, help="Also shoot once in PyBullet.")
@options.plot_option("Draw the law over all ranges")
@options.force_option
@options.seed_option
@options.json_option
def shoot(
    weapon: str,
    range_in: float,
    body: str,
    side: str,
    speed_m_s: float | None,
    any_speed: bool,
    law_file: Path | None,
    live: bool,
    plot: Path | None,
    force: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    """Compute the chance that a shot hits a target (directly, after a bounce or rolling) and knocks it over.

    The scatter of the weapon is integrated exactly. The effects of hits were measured in PyBullet.

    \b
    Examples:
      brickphys shoot --weapon bow --range-in 24
      brickphys shoot --weapon big_catapult --range-in 48 --body rider --side side
      brickphys shoot --weapon bow --range-in 12 --body foot:wall2
      brickphys shoot --weapon bow --range-in 12 --live --seed 1
    """
    from brickphys.engines import client
    from brickphys.projectiles.live import live_shot
    from brickphys.projectiles.shot import FINE, MM_PER_INCH, check_range, shot_law

    output.check_plot(plot, force=force)
    output.check_apart({"--law": law_file}, {"--plot": plot})
    root = options.root_seed(seed)
    shooting = _weapon(weapon, speed_m_s, any_speed=any_speed)
    check_range(shooting, range_in * MM_PER_INCH)
    standing = _standing(body, range_in, side)
    if live:
        client.pybullet()
    if live and standing.target.wall_mm:
        raise InvalidValueError(f"--live: {body} stands behind a wall; only targets in the open")
    laws = _laws(law_file, standing)
    law = shot_law(shooting, (0.0, 0.0), [standing], 0, laws, FINE)
    shot = live_shot(shooting, standing, root) if live else None
    if plot:
        _draw(shooting, body, side, range_in, laws, plot)
    if as_json:
        output.print_json("shoot", _document(shooting, range_in, standing, law, shot, root))
    else:
        _print(shooting, range_in, standing, law, shot, root)


def _weapon(name: str, speed_m_s: float | None, *, any_speed: bool) -> "Weapon":

    found = weapon(name)
    if speed_m_s is None:
        return found
    if found.elevation_deg is not None:
        raise InvalidValueError(f"--speed-m-s: {name} sets its speed by the range")
    at_any = found.at_speed(speed_m_s, any_speed=True)
    try:
        return at_any if any_speed else found.at_speed(speed_m_s)
    except InvalidValueError as error:
        raise InvalidValueError(f"{error} (--any allows it)") from None


def _standing(body: str, range_in: float, side: str) -> "Standing":
    from brickphys.projectiles.shot import MM_PER_INCH
    from brickphys.projectiles.standing import Standing
    from brickphys.projectiles.target import target

    return Standing(target(body), range_in * MM_PER_INCH, 0.0, _FACING[side])


def _laws(law_file: Path | None, standing: "Standing") -> "dict[str, ImpactLaw]":
    from brickphys.projectiles.impact_law import read_law

    return {} if law_file is None else {standing.target.name: read_law(law_file)}


def _draw(
    weapon: "Weapon",
    body: str,
    side: str,
    marked_in: float,
    laws: "dict[str, ImpactLaw]",
    plot: Path,
) -> None:
    from matplotlib.figure import Figure

    from brickphys.plots.odds import draw_shots
    from brickphys.projectiles.shot import shot_law

    found = []
    steps = {weapon.range_in * step / _PLOT_STEPS for step in range(1, _PLOT_STEPS + 1)}
    for inches in sorted(steps | {marked_in}):
        try:
            law = shot_law(weapon, (0.0, 0.0), [_standing(body, inches, side)], 0, laws)
        except InvalidValueError:  # too near or too far for it
            continue
        found.append((inches, law))
    figure = Figure(figsize=(7, 4.2), layout="constrained")
    ax = figure.subplots()
    draw_shots(found, marked_in, ax)
    ax.set_title(f"{weapon.name} at {body}, {side}")
    output.save_plot(figure, plot)


def _document(
    weapon: "Weapon",
    range_in: float,
    standing: "Standing",
    law: "ShotLaw",
    shot: "LiveShot | None",
    root: int,
) -> dict[str, Any]:
    from dataclasses import asdict

    from brickphys.projectiles.shot import PHASES

    whole = law.knocked_by(0)
    hit = float(law.aim.hit[0])
    speeds = _speeds(law)
    return {
        "weapon": weapon.name,
        "projectile": weapon.projectile.name,
        "range_in": range_in,
        "body": standing.target.name,
        "wall_mm": standing.target.wall_mm,
        "side": standing.side(0.0, 0.0).value,
        **_release(weapon, standing),
        "hit": hit,
        "miss": law.aim.miss,
        "knocked": float(whole.share),
        "knocked_ci95": [float(whole.low), float(whole.high)],
        "phases": {
            how: {
                "hit": float(law.aim.by_phase[0, phase]),
                "speed_m_s": speeds[phase],
                "knocked": float(law.knocked.share[0, phase]),
                "knocked_ci95": [
                    float(law.knocked.low[0, phase]),
                    float(law.knocked.high[0, phase]),
                ],
            }
            for phase, how in enumerate(PHASES)
        },
        "live": None if shot is None else {**asdict(shot), "seed": root},
    }


def _release(weapon: "Weapon", standing: "Standing") -> dict[str, float]:
    """Return speed, energy and elevation of a shot without scatter."""
    from brickphys.projectiles.shot import sight

    target = standing.target
    aimed = sight(weapon, standing.distance_mm(0.0, 0.0), target.aim_mm)
    return {
        "speed_m_s": aimed.speed_m_s,
        "energy_j": weapon.projectile.energy_j(aimed.speed_m_s),
        "elevation_deg": aimed.elevation_deg,
        "drag_per_m": weapon.projectile.drag_per_m,
    }


def _speeds(law: "ShotLaw") -> list[float | None]:
    """Return the mean speed of the hits in each phase; None where there is none."""
    shares, speeds = law.aim.shares[0], law.aim.speed_m_s[0]
    return [
        float((share * speed).sum() / share.sum()) if share.sum() > 0 else None
        for share, speed in zip(shares, speeds, strict=True)
    ]


def _print(
    weapon: "Weapon",
    range_in: float,
    standing: "Standing",
    law: "ShotLaw",
    shot: "LiveShot | None",
    root: int,
) -> None:
    from brickphys.projectiles.shot import PHASES

    release, target = _release(weapon, standing), standing.target
    elevation = round(release["elevation_deg"], 1) + 0.0  # no -0.0
    behind = f" behind a wall of {target.wall_mm:g} mm" if target.wall_mm else ""
    echo(
        f"{weapon.name} at {target.about}{behind}, {range_in:g} in away, {standing.side(0.0, 0.0).value}: "
        f"{weapon.projectile.name} of {weapon.projectile.mass_g:g} g at {release['speed_m_s']:.2f} m/s "
        f"({1000 * release['energy_j']:.3g} mJ), elevation {elevation:.1f} degrees\n"
    )
    whole = law.knocked_by(0)
    rows = [
        (
            how,
            percent(law.aim.by_phase[0, phase]),
            "" if speed is None else f"{speed:.2f} m/s",
            percent(law.knocked.share[0, phase]),
            percent_range(law.knocked.low[0, phase], law.knocked.high[0, phase]),
        )
        for phase, (how, speed) in enumerate(zip(PHASES, _speeds(law), strict=True))
    ]
    rows.append(
        (
            "any",
            percent(float(law.aim.hit[0])),
            "",
            percent(float(whole.share)),
            percent_range(float(whole.low), float(whole.high)),
        )
    )
    output.print_table(("arrives", "hit", "speed", "knocked over", "95 % interval"), rows)
    if shot is not None:
        echo(f"\nlive, seed {root}: {_told(shot)}")


def _told(shot: "LiveShot") -> str:
    if shot.phase == "stopped":
        return "the projectile stops before the target"
    came = f"{shot.phase}, {shot.speed_m_s:.2f} m/s"
    if not shot.hit:
        return f"a miss ({came})"
    does = "knocked over" if shot.knocked else "hit, but it stands"
    return f"{does} ({came}, {shot.height_mm:.0f} mm high, {shot.aside_mm:+.0f} mm from the middle)"

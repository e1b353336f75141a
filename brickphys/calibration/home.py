"""Home: what bricks that were thrown and counted at home say, surface by surface.

An inference has the share of sides, friction, restitution and fit of a law, from the bricks of one surface.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from brickphys.calibration.combined_law import (
    check_law,
    combined_law,
    confidence_with,
    more_throws,
)
from brickphys.calibration.home_counts import HomeCounts, read_home_counts
from brickphys.calibration.inference import Inference, Inferred
from brickphys.calibration.posterior import share_posterior, side_hands, surface_posterior
from brickphys.calibration.response import Response, law_response
from brickphys.errors import InvalidValueError, unknown
from brickphys.interface import public
from brickphys.notes import NOTES, Progress, steps
from brickphys.odds.law import Law
from brickphys.odds.law_file import default_law, find_law, shipped_law_on
from brickphys.seeds import chosen_root, generator
from brickphys.text import counted
from brickphys.throws.conditions import SURFACES, Surface, is_surface_file, surface

PRIORS = ("surface", "broad")
MIN_HALF_WIDTH = 0.0001
_ADDRESS = 4


def check_aims(prior: str, half_width: float) -> None:
    """Raise InvalidValueError if the prior is unknown or the target half-width is outside its range."""
    if prior not in PRIORS:
        raise unknown("prior", prior, PRIORS)
    if not MIN_HALF_WIDTH <= half_width < 0.5:
        raise InvalidValueError(f"half-width {half_width:g} is outside {MIN_HALF_WIDTH:g} to 0.5")


def infer_surface(
    counts: HomeCounts,
    on: Surface,
    law: Law | None,
    response: Response | None,
    seed: int,
    *,
    prior: str = "surface",
    half_width: float = 0.01,
) -> Inference:
    """Return the results for bricks thrown on one surface.

    Raises InvalidValueError if the prior is unknown or the target outside its range.

    Parameters
    ----------
    law
        A law, compared if it is for that surface; None if there is none.
    response
        Shares of poses for the law's shape and throw conditions; None if there are none.
    prior
        ``"surface"``: friction and restitution are in the ranges of the surface; ``"broad"``: in those of the response
        surface.
    half_width
        Target for the half-width of the 95 % interval of p.
    """
    check_aims(prior, half_width)
    share = share_posterior(side_hands(counts))
    known = law if law is not None and law.surface.name == on.name else None
    ranges = on.of_impacts
    contact = None
    if response is not None:
        if prior == "broad":
            friction, restitution = response.ranges["friction"], response.ranges["restitution"]
            ranges = Surface("broad", friction, restitution, "the whole response surface")
        # the seed address depends on the surface, so results do not depend on other surfaces in the file
        rng = generator(seed, _ADDRESS, [*SURFACES, on.name].index(on.name))
        contact = surface_posterior(counts, response, ranges, share.rho, rng)
    return Inference(
        on.name,
        counts,
        share,
        ranges,
        contact,
        known,
        check_law(counts, share, known) if known else None,
        more_throws(counts, share, known, half_width),
    )


@public()
def infer(
    file: Path | str,
    surface: str | Path | None = None,
    *,
    law: Law | Path | str | None = None,
    prior: str = "surface",
    half_width: float = 0.01,
    throws: int | None = None,
    shape: str | Path | None = None,
    seed: int | None = None,
    workers: int = 1,
    progress: Progress | bool = True,
    combine: bool = False,
    command: str = "",
) -> Inferred:
    """Infer the chance of a side, friction and restitution from counted throws.

    Parameters
    ----------
    file
        CSV with one row per throw and the columns bricks and score; optional are surface and the poses.
    surface
        Surface of the throws if the file names none (None: wood); otherwise selects the hands on this surface.
    law
        The law to compare with: a name, a file or a law; None for the shipped law of each surface.
    prior
        ``"surface"``: friction and restitution are in the ranges of the surface; ``"broad"``: in those of the response
        surface.
    half_width
        Target for the half-width of the 95 % interval, for the number of further throws.
    throws
        Compute a new response surface from this many throws; None for the shipped one.
    shape
        The body file of the law, for its new response surface; None for bricks. Needs `throws`.
    seed
        Root seed; None draws one.
    workers
        Number of processes; the result does not depend on it. A script that asks for more than one needs the guard
        ``if __name__ == "__main__":``.
    progress
        Of the throws of a new response surface: True shows a bar at a terminal or in a notebook, after two seconds;
        False shows nothing. A function is called with the throws so far, and all of them.
    combine
        Whether to combine the law with the counts: `Inferred.combined`.
    command
        The command to store in the combined law.

    Raises
    ------
    InvalidValueError
        If law and counts cannot be combined; if a file has a fault, a name is unknown, or a number outside its range.
    """
    check_aims(prior, half_width)
    chosen = None if surface is None else surface_at_home(str(surface))
    own = None if chosen is None else chosen.name
    by_surface = hands_by_surface(read_home_counts(Path(file), own), own)
    laws = _laws(law, list(by_surface))
    first = next(iter(laws.values())) or default_law()
    if combine:
        check_combinable(first, by_surface)
    if shape is not None and throws is None:
        raise InvalidValueError(
            f"shape {shape}: a response surface for it needs throws, such as 1000000 (--throws)"
        )
    root = chosen_root(seed)
    with steps(progress, "response surface") as advance:
        body = None if shape is None else str(shape)
        response, alike = _response(laws, first, throws, body, root, workers, advance)
    found = [
        infer_surface(
            hands,
            chosen or surface_at_home(name),
            laws[name],
            alike[name],
            root,
            prior=prior,
            half_width=half_width,
        )
        for name, hands in by_surface.items()
    ]
    combined = confidence = None
    if combine:
        own_hands = by_surface[first.surface.name]
        combined = combined_law(first, own_hands, Path(file).name, command)
        share = next(one.share for one in found if one.surface == first.surface.name)
        confidence = confidence_with(first, own_hands, share)
    given = None if law is None else "a law" if isinstance(law, Law) else str(law)
    return Inferred(
        Path(file), tuple(found), laws, first, response, prior, root, combined, confidence, given
    )


def check_combinable(law: Law, by_surface: Mapping[str, HomeCounts]) -> None:
    """Raise InvalidValueError if law and counts cannot be combined."""
    if len(by_surface) > 1:
        raise InvalidValueError(
            f"a law is for one surface, the counts are for {', '.join(by_surface)}; choose one with surface (--surface)"
        )
    if law.surface.name not in by_surface:
        raise InvalidValueError(
            f"the law is for {law.surface.name}, the counts for {', '.join(by_surface)}; calibrate measures a law of "
            "their surface; name it with law (--law)"
        )
    if law.combined and law.combined.scores == by_surface[law.surface.name].scores():
        raise InvalidValueError(
            f"the law already contains these hands (of {law.combined.file}); they must not count twice"
        )


def surface_at_home(name: str) -> Surface:
    """Return the surface of a name, in whatever case, or of a surface file."""
    return surface(name if is_surface_file(name) else name.lower())


def hands_by_surface(counts: HomeCounts, name: str | None) -> dict[str, HomeCounts]:
    """Return the hands of each surface, or those of the given one."""
    if counts.surfaces is None:
        return {name or "wood": counts}
    hands = dict(counts.by_surface())
    if name is None:
        return hands
    if name not in hands:
        raise InvalidValueError(f"surface {name}: the file has hands on {', '.join(hands)} only")
    left_out = [
        f"{counted(other.hands, 'hand')} on {on}" for on, other in hands.items() if on != name
    ]
    if left_out:
        NOTES.info("surface %s leaves out %s", name, ", ".join(left_out))
    return {name: hands[name]}


def _laws(law: Law | Path | str | None, surfaces: Sequence[str]) -> dict[str, Law | None]:
    if law is not None:
        named = law if isinstance(law, Law) else find_law(law)
        return dict.fromkeys(surfaces, named)
    return {name: shipped_law_on(name) for name in surfaces}


def _response(
    laws: Mapping[str, Law | None],
    first: Law,
    throws: int | None,
    shape: str | None,
    root: int,
    workers: int,
    progress: Progress,
) -> tuple[Response | None, dict[str, Response | None]]:
    """Return the response surface, and by surfaces that or None where the law differs in more than the surface."""
    on_plane = (law for law in laws.values() if law is not None and law.surface.floor == "plane")
    thrown = next(on_plane, first)  # studs have no response surface
    if thrown.surface.floor == "plane":
        response = law_response(thrown, throws, root, workers, progress, shape=shape)
    elif throws is None:
        response = None
    else:
        raise InvalidValueError(
            f"throws (--throws): no response surface for the floor {thrown.surface.floor}"
        )
    return response, {on: response if _alike(law, thrown) else None for on, law in laws.items()}


def _alike(law: Law | None, other: Law) -> bool:
    """Return whether two laws differ in the surface alone; true for counts without a law."""
    return law is None or (
        (law.shape, law.conditions.preset, law.surface.floor)
        == (other.shape, other.conditions.preset, other.surface.floor)
    )

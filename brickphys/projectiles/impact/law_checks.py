"""Law checks: checks the file of an impact law by itself and against its body and projectile."""

from collections.abc import Iterator
from pathlib import Path

from brickphys.checks import TRUSTED, Check, stamp_check
from brickphys.errors import InvalidValueError, LawFileError
from brickphys.projectiles.bodies.catalogue import target
from brickphys.projectiles.impact.impact_law import ImpactLaw
from brickphys.projectiles.impact.law_file import read_law
from brickphys.projectiles.impact.measure import conditions, fixed_hits
from brickphys.projectiles.weapons import Projectile, weapons


def checks(path: Path) -> Iterator[Check]:
    """Yield what is found out about the file of an impact law."""
    read = "impact law: keys, bins, order of arrivals; counts, and their intervals computed again"
    try:
        law = read_law(path)
    except LawFileError as error:
        yield Check(read, str(error).removeprefix(f"{path}: "))
        return
    yield Check(read)
    yield Check("conditions are those of projectile and body", _condition_fault(law))
    yield _stamp_check(law)
    yield Check(f"{TRUSTED}: hits, knocked, unsettled, seed, versions, stamp, command")


def _stamp_check(law: ImpactLaw) -> Check:
    try:
        known = target(law.body), _thrown()[law.projectile]
    except (InvalidValueError, KeyError):
        return stamp_check(law.stamp)
    return stamp_check(law.stamp, again=lambda: fixed_hits(*known))


def _thrown() -> dict[str, Projectile]:
    return {weapon.projectile.name: weapon.projectile for weapon in weapons().values()}


def _condition_fault(law: ImpactLaw) -> str | None:
    thrown = _thrown()
    if law.projectile not in thrown:
        return f"projectile: {law.projectile!r} is not one of {', '.join(thrown)}"
    try:
        known = conditions(target(law.body), thrown[law.projectile])
    except InvalidValueError as error:
        return f"body: {error}"
    changed = [
        name for name in {**known, **law.conditions} if known.get(name) != law.conditions.get(name)
    ]
    return f"conditions: {', '.join(changed)} differ" if changed else None

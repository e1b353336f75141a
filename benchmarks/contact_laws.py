"""Contact laws that no engine has, for the study of `benchmarks.contact_physics`.

The throws are those of the reference. Its loop is compiled again, with other kernels in place of some that it calls, so
the reference itself has no part of these laws. Bounces and steps keep its iteration of Coulomb's law.

- **Restitution** may depend on the speed of approach.
- **Tangential restitution**: a corner that sticks in a bounce gets its tangential impulse once more, times the
  coefficient, up to the friction cone. A bounce that would gain energy by this has none.
- **Rolling and torsional resistance**: torques against the spin along the floor and about its normal. They are at most
  the normal force times a length.
- **Air**: drag and a torque, both proportional to the square of the speed.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import FunctionType
from typing import Any, NamedTuple

from benchmarks.reference import ReferenceEngine
from benchmarks.reference import throw_kernel as kernel_throw
from benchmarks.reference.contact_kernel import Contacts, prepare, push, resolve, start_cold
from benchmarks.reference.flight_kernel import Corners, energy_mm, floor_normal
from benchmarks.reference.throw_kernel import Workspace, contact_step
from brickphys.engines.compiled import Results, kernel_basins, kernel_body, kernel_settings
from brickphys.engines.kernels.scalar_kernel import squared
from brickphys.engines.kernels.tables import Basins, KernelBody, ThrowSettings
from brickphys.jit import entry, kernel, outer_kernel
from brickphys.shapes.body import Body
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.release import Floor
from brickphys.units import Array, Indices

REFERENCE_MM_S = 1000.0
"""Approach speed at which the restitution is the given one, if it is a power of the speed."""
MAX_RESTITUTION = 0.7
"""Limit of restitutions that depend on the speed, as for the engine."""
AIR_STEP_S = 0.002
"""Air acts at the end of pieces of flight that last at most this long."""


class Laws(NamedTuple):
    """Parameters of the laws; with the defaults the laws are those of the reference."""

    power: float = 0.0
    """The restitution is proportional to the approach speed to the power of minus this."""
    slow_mm_s: float = 0.0
    """The restitution is multiplied by v / (v + this) at an approach speed v."""
    tangential: float = 0.0
    """Tangential restitution."""
    rolling_mm: float = 0.0
    """Largest torque against rolling over the normal force."""
    torsion_mm: float = 0.0
    """Largest torque against a spin about the normal, over the normal force times the friction."""
    drag_per_mm: float = 0.0
    """Deceleration by air over the speed squared."""
    spin_drag: float = 0.0
    """Angular deceleration by air over the spin squared."""


NO_LAWS = Laws()


class LawWorkspace(NamedTuple):
    """Workspace of one thread, and the laws."""

    corners: Corners
    contacts: Contacts
    laws: Laws


@kernel
def restitution_at(laws: Laws, restitution: float, speed_mm_s: float) -> float:
    """Return the restitution at a speed of approach; `restitution` is that at `REFERENCE_MM_S`, or of fast impacts."""
    if laws.power != 0.0:
        faster = math.pow(REFERENCE_MM_S / speed_mm_s, laws.power)
        return min(restitution * faster, MAX_RESTITUTION)
    return restitution * speed_mm_s / (speed_mm_s + laws.slow_mm_s)


@kernel
def _return_slip(
    solid: KernelBody, motion: Array, contacts: Contacts, number: int, share: float, friction: float
) -> None:
    """Apply `share` of all tangential impulses once more, each up to its friction cone."""
    for i in range(number):
        px, py, pz = contacts.impulse[i, 0], contacts.impulse[i, 1], contacts.impulse[i, 2]
        size = math.sqrt(px * px + py * py)
        if size > 0.0:
            more = min(abs(share), max(friction * pz / size - 1.0, 0.0))
            more = math.copysign(more, share)
            push(solid, motion, contacts.lever, i, more * px, more * py, 0.0)


@kernel
def _resist(
    solid: KernelBody, motion: Array, axis: tuple[float, float, float], limit: float
) -> None:
    """Apply an angular impulse of at most `limit` against the spin about a unit vector of the body frame."""
    x, y, z = axis
    a, b, c = solid.per_inertia
    along = x * motion[10] + y * motion[11] + z * motion[12]
    stopping = abs(along) / (x * x * a + y * y * b + z * z * c)
    impulse = -math.copysign(min(limit, stopping), along)
    motion[10] += impulse * x * a
    motion[11] += impulse * y * b
    motion[12] += impulse * z * c


@kernel
def _brake(solid: KernelBody, laws: Laws, friction: float, motion: Array, normal: float) -> None:
    """Resist rolling and spinning on the floor, during a normal impulse."""
    x, y, z = floor_normal(motion)
    _resist(solid, motion, (x, y, z), laws.torsion_mm * friction * normal)
    own = x * motion[10] + y * motion[11] + z * motion[12]
    rx, ry, rz = motion[10] - own * x, motion[11] - own * y, motion[12] - own * z
    size = math.sqrt(rx * rx + ry * ry + rz * rz)
    if size > 0.0:
        _resist(solid, motion, (rx / size, ry / size, rz / size), laws.rolling_mm * normal)


@kernel
def bounce(solid: KernelBody, settings: ThrowSettings, motion: Array, work: LawWorkspace) -> None:
    """Apply the impulses of all corners that touch; see `kernel_throw.bounce`."""
    contacts, corners, laws, number = work.contacts, work.corners, work.laws, 0
    for i in range(corners.number[0]):
        k = corners.near[i]
        if corners.height[k] <= solid.touch:
            up, target = corners.rise[k], 0.0
            if up < -settings.bounce:
                target = -restitution_at(laws, settings.restitution, -up) * up
            contacts.corner[number] = k
            contacts.target[number] = target
            number += 1
    before = energy_mm(solid, motion, 0.0)
    prepare(solid, motion, contacts, number)
    start_cold(contacts, number)
    resolve(solid, motion, contacts, number, settings.friction, 1e-3 * settings.bounce)
    _return_slip(solid, motion, contacts, number, laws.tangential, settings.friction)
    if laws.tangential > 0.0 and energy_mm(solid, motion, 0.0) > before:
        _return_slip(solid, motion, contacts, number, -laws.tangential, settings.friction)
    normal = 0.0
    for i in range(number):
        normal += contacts.impulse[i, 2]
    _brake(solid, laws, settings.friction, motion, normal)


@kernel
def _step(
    solid: KernelBody, settings: ThrowSettings, motion: Array, work: LawWorkspace, longest: float
) -> float:
    """Advance by one step with corners on the floor, resisted as the normal impulse of the last step tells."""
    contacts, normal = work.contacts, 0.0
    for i in range(len(contacts.before)):
        if contacts.before[i] < 0:
            break
        normal += contacts.impulse[i, 2]
    _brake(solid, work.laws, settings.friction, motion, normal)
    return contact_step(solid, settings, motion, Workspace(work.corners, contacts), longest)


@kernel
def _slow_by_air(laws: Laws, motion: Array, time_s: float) -> None:
    """Reduce speed and spin as a drag proportional to their squares does, without other forces."""
    speed = math.sqrt(squared(motion[7]) + squared(motion[8]) + squared(motion[9]))
    spin = math.sqrt(squared(motion[10]) + squared(motion[11]) + squared(motion[12]))
    for k in range(7, 10):
        motion[k] /= 1.0 + laws.drag_per_mm * speed * time_s
    for k in range(10, 13):
        motion[k] /= 1.0 + laws.spin_drag * spin * time_s


def _with(compiled: Any, **others: Any) -> Callable[..., Any]:
    """Return the Python function of a kernel, which calls other functions by the names that it uses."""
    function = compiled.py_func
    return FunctionType(function.__code__, {**function.__globals__, **others}, function.__name__)


_advance_without_air = outer_kernel(_with(kernel_throw._advance, bounce=bounce, contact_step=_step))


@outer_kernel
def _advance(
    solid: KernelBody,
    settings: ThrowSettings,
    motion: Array,
    work: LawWorkspace,
    left: float,
    stuck: bool,
) -> float:
    """Bounce, make a step on the floor, or fly for a while; return the time of it."""
    laws = work.laws
    if laws.drag_per_mm > 0.0 or laws.spin_drag > 0.0:
        left = min(left, AIR_STEP_S)
    spent: float = _advance_without_air(solid, settings, motion, work, left, stuck)
    _slow_by_air(laws, motion, spent)
    return spent


_throw = outer_kernel(_with(kernel_throw.throw, _advance=_advance))
_throw_each = outer_kernel(_with(kernel_throw.throw_each, throw=_throw))


@partial(entry, allocates=False)
def throw_all(
    solid: tuple[Any, ...],
    basins: tuple[Any, ...],
    settings: tuple[Any, ...],
    work: tuple[Any, ...],
    laws: tuple[Any, ...],
    motions: Array,
    ends: Indices,
    measures: Array,
) -> None:
    """Throw n bodies, one after the other; see `kernel_throw.throw_all`."""
    body, tables, chosen = KernelBody(*solid), Basins(*basins), ThrowSettings(*settings)
    corners, contacts = work
    space = LawWorkspace(Corners(*corners), Contacts(*contacts), Laws(*laws))
    _throw_each(body, tables, chosen, space, motions, ends, measures)


@dataclass(frozen=True)
class LawEngine(ReferenceEngine):
    """The reference with other contact laws; one thread."""

    laws: Laws = NO_LAWS

    def _throw(
        self, body: Body, contact: ContactCoefficients, floor: Floor, results: Results
    ) -> None:
        solid, basins = kernel_body(body, self.settings.touch_share), kernel_basins(body)
        settings = kernel_settings(contact, self.settings)
        work = tuple(map(tuple, kernel_throw.workspace(len(solid.x))))
        tables = tuple(solid), tuple(basins), tuple(settings)
        throw_all(*tables, work, tuple(self.laws), *results)

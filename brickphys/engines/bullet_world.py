"""Bullet world: the bodies of hands of bricks on a floor in PyBullet, with an interface in mm and m/s; its settings.

The floor is an exact plane, with studs or walls. Bullet sees an impact when a brick is already in the floor, by at most
its way in a step, and a brick that slides flat stands on one corner at a time while the others fall. So bricks are
moved out of what they are in (`lift`), and keep their velocities. A bounce brings a brick out again; what stays in
contact is moved. It gets back no more than the height that it fell below the floor.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from brickphys import units
from brickphys.engines.bodies import MAX_PARTS, compound
from brickphys.engines.client import Client, floor_coefficients, own_coefficients, states_of
from brickphys.engines.engine import HandSettings, StepSettings, check_parts
from brickphys.errors import InvalidValueError
from brickphys.shapes.body import Body
from brickphys.throws.conditions import BRICK_ON_BRICK, ContactCoefficients
from brickphys.throws.flight import States
from brickphys.throws.release import STUD_HEIGHT_MM, STUD_RADIUS_MM, Floor


@dataclass(frozen=True)
class BulletSettings(HandSettings, StepSettings):
    """Settings of the integration; the defaults come from the convergence study."""

    step_s: float = 1 / 4000
    iterations: int = 50
    stud_iterations: int = 20
    """Iterations of the contact solver in every step, and those on studs. A brick that strikes several studs at once
    can gain energy from more."""
    erp: float = 0.0
    """Share of a penetration that is pushed out in a step."""
    margin_mm: float = 0.001
    """Outward growth of hulls with sharp edges; others grow from their core by the edge radius."""
    breaking_mm: float = 0.00125
    """Distance within which a contact point exists; a large distance reduces restitution."""
    check_s: float = 0.008
    """Time between two checks whether a hand is decided, at rest, or in flight."""
    flights: bool = True
    """Whether to compute flights in closed form; else step them."""
    sunk_mm: float = 0.005
    """A brick that is deeper than this in the floor or in another brick, and does not leave it, is moved out."""
    hands: int = 512
    """Hands in a world, for single bricks."""

    @property
    def check_steps(self) -> int:
        """Time steps between two checks."""
        return max(1, round(self.check_s / self.step_s))


_PASSES = 8
"""Passes through the contacts of a pile; the error of a brick between two others halves in each."""


@dataclass(frozen=True)
class BrickContact:
    """A contact of a brick with the floor or with another brick of its hand."""

    bricks: tuple[tuple[int, int] | None, tuple[int, int] | None]
    """Row of the hand and number of the brick, of both bodies; None for the floor."""
    point_mm: units.Array
    normal: units.Array
    """Place, and unit vector from the second body to the first, shape (3,)."""
    depth_mm: float
    """How deep they are in each other; negative if they are apart."""

    def signed(self) -> list[tuple[tuple[int, int], float]]:
        """Return the bricks, each with 1 if the normal points to it, else -1."""
        return [
            (brick, sign)
            for brick, sign in zip(self.bricks, (1.0, -1.0), strict=True)
            if brick is not None
        ]


def lift(touches: list[BrickContact], states: States, time_s: float) -> units.Array:
    """Return how far to move bricks in mm, shape (m, k, 3), for states of shape (m, k).

    Contacts that will part by themselves within `time_s` are left alone.
    """
    shift = np.zeros_like(states.position_mm)
    lasting = [touch for touch in touches if _parting_mm(touch, states, time_s) < touch.depth_mm]
    lasting.sort(key=lambda touch: (-touch.depth_mm, *touch.point_mm.tolist()))
    for _ in range(_PASSES):
        for touch in lasting:
            bricks = touch.signed()
            done = sum(sign * float(touch.normal @ shift[brick]) for brick, sign in bricks)
            for brick, sign in bricks:
                shift[brick] += sign * max(0.0, touch.depth_mm - done) / len(bricks) * touch.normal
    return shift


def _parting_mm(touch: BrickContact, states: States, time_s: float) -> float:
    """Return how far the bodies part at a contact within a time, negative if they approach."""
    speed = 0.0
    for brick, sign in touch.signed():
        arm = touch.point_mm - states.position_mm[brick]
        velocity = 1000.0 * states.velocity_m_s[brick] + np.cross(states.spin_rad_s[brick], arm)
        speed += sign * float(touch.normal @ velocity)
    return speed * time_s


FLOOR_GROUP = 1
"""Bit of the floor in Bullet's collision filter."""
_TILE = 4
"""Studs along a side of a tile. A compound of PyBullet has at most 16 shapes, and few bodies are faster than many."""
_TILE_MM = _TILE * units.STUD_MM
_TILES_SINGLE = 8
"""Tiles along a side under single bricks, which are moved back to the middle by whole periods."""
_REACH_MM, _CHECK_MM = 30.0, 50.0
"""Distance from the middle at which a single brick is moved back, and largest distance that it is assumed to travel
between two checks (6 m/s)."""


class BulletFloor:
    """The bodies of a floor.

    Single bricks have a fixed square of studs and are kept near its middle. Bricks of a hand spread too far for that:
    tiles of studs are laid where they may touch the floor next, see `lay`. Raises InvalidValueError if a single body
    could reach beyond the studs.

    Attributes
    ----------
    reach_mm
        A hand whose middle is farther than this from the origin must be moved back by whole periods.
    edge_mm
        Distance of the edge of the studs from the origin.
    """

    def __init__(
        self,
        client: Client,
        floor: Floor,
        contact: ContactCoefficients,
        bricks: int,
        radius_mm: float,
    ) -> None:
        self._client, self._contact = client, contact
        self._moves = floor.studs and bricks > 1
        self._tiles: dict[tuple[int, int], int] = {}
        self._plane((0.0, 0.0, 1.0), (0.0, 0.0, -STUD_HEIGHT_MM if floor.studs else 0.0))
        fixed = floor.studs and bricks == 1
        self.edge_mm = _TILES_SINGLE * _TILE_MM / 2 if fixed else np.inf
        self.reach_mm = _REACH_MM if fixed else np.inf
        if fixed and self.reach_mm + _CHECK_MM + radius_mm > self.edge_mm:
            raise InvalidValueError(
                f"a body that reaches {radius_mm:.0f} mm from its centre of mass is too large for studs "
                f"(at most {self.edge_mm - self.reach_mm - _CHECK_MM:.0f} mm)"
            )
        if floor.studs:
            self._forms = self._tile_forms()
        if fixed:
            side = range(-_TILES_SINGLE // 2, _TILES_SINGLE // 2)
            for tile in itertools.product(side, side):
                self._tiles[tile] = self._tile(tile)
        if floor.inside_mm is not None:
            half = floor.inside_mm / 2
            for x, y in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)):
                self._plane((x, y, 0.0), (-x * half, -y * half, 0.0))

    def lay(self, places_mm: units.Array, reach_mm: units.Array) -> None:
        """Lay tiles under bricks of hands; tiles that are no longer needed are moved there first.

        `reach_mm` is the largest distance from the centres of mass, shape (m, 3), that any point of the brick may reach
        until tiles are laid again.
        """
        if not self._moves:
            return
        needed = set(_tiles_under(places_mm, reach_mm))
        idle = [tile for tile in self._tiles if tile not in needed]
        for tile in sorted(needed - self._tiles.keys()):
            if idle:
                body = self._tiles.pop(idle.pop())
                self._client.resetBasePositionAndOrientation(
                    body, [length / units.MM_PER_UNIT for length in _middle_mm(tile)], (0, 0, 0, 1)
                )
                self._tiles[tile] = body
            else:
                self._tiles[tile] = self._tile(tile)

    def _plane(self, normal: units.Triple, point_mm: units.Triple) -> None:
        shape = self._client.createCollisionShape(self._client.GEOM_PLANE, planeNormal=normal)
        self._body(shape, point_mm)

    def _tile(self, tile: tuple[int, int]) -> int:
        shape, unseen = self._forms  # maximal coordinates: nine times faster for many fixed bodies
        form = {"baseVisualShapeIndex": unseen, "useMaximalCoordinates": True}
        return self._body(shape, _middle_mm(tile), **form)

    def _body(self, shape: int, point_mm: units.Triple, **form: Any) -> int:
        coefficients = floor_coefficients(self._contact, BRICK_ON_BRICK)
        return self._client.add_floor(
            shape, point_mm, coefficients, FLOOR_GROUP, ~FLOOR_GROUP, **form
        )

    def _tile_forms(self) -> tuple[int, int]:
        offsets = units.STUD_MM * (np.arange(_TILE) - (_TILE - 1) / 2)
        count = _TILE * _TILE
        tile: int = self._client.createCollisionShapeArray(
            shapeTypes=[self._client.GEOM_CYLINDER] * count,
            radii=[STUD_RADIUS_MM / units.MM_PER_UNIT] * count,
            lengths=[STUD_HEIGHT_MM / units.MM_PER_UNIT] * count,
            collisionFramePositions=[
                [x / units.MM_PER_UNIT, y / units.MM_PER_UNIT, 0.0]
                for x, y in itertools.product(offsets, offsets)
            ],
        )
        # the visual shape is not rendered; to make one of cylinders takes longer than everything else
        unseen: int = self._client.createVisualShape(
            self._client.GEOM_BOX, halfExtents=[0.1, 0.1, 0.1]
        )
        return tile, unseen


def _tiles_under(places_mm: units.Array, reach_mm: units.Array) -> Iterator[tuple[int, int]]:
    """Yield column and row of every tile that a brick may touch; tile (0, 0) begins at the origin."""
    low = places_mm[:, 2] <= reach_mm
    ends = np.stack(
        [places_mm[low, :2] - reach_mm[low, None], places_mm[low, :2] + reach_mm[low, None]]
    )
    for (x0, y0), (x1, y1) in zip(*np.floor(ends / _TILE_MM).astype(int).tolist(), strict=True):
        yield from itertools.product(range(x0, x1 + 1), range(y0, y1 + 1))


def _middle_mm(tile: tuple[int, int]) -> units.Triple:
    """Return the middle of a tile, whose studs end at height 0."""
    column, row = tile
    return (column + 0.5) * _TILE_MM, (row + 0.5) * _TILE_MM, -STUD_HEIGHT_MM / 2


_SINGLE_GROUP = 2
MAX_GROUPS = 29
"""Bullet's collision filter has 32 bits; one is for the floor, two are unused."""
_CLIENT_BRICKS = 32
"""Bricks in a client. All are in the same place, and Bullet compares each pair of them in every step."""


def clients_needed(shape: tuple[int, ...], floor: Floor) -> int:
    """Return the number of clients for n hands of k bricks, `shape` (n, k); on studs hands share the floor's bodies."""
    hands, bricks = shape
    return 1 if floor.studs else min(hands, math.ceil(hands * bricks / _CLIENT_BRICKS))


class BulletWorld:
    """The bodies of n hands of k bricks; `shape` is (n, k), `clients` are `clients_needed` worlds of PyBullet."""

    def __init__(
        self,
        clients: Sequence[Client],
        body: Body,
        contact: ContactCoefficients,
        floor: Floor,
        shape: tuple[int, ...],
        settings: BulletSettings,
    ) -> None:
        hands, bricks = shape
        self._clients, self._body = clients, body
        self._period_mm = floor.period_mm
        self._origin_mm = np.zeros((hands, 3))  # of each hand, in whole periods of the floor
        # index of the client of each hand
        self._of_hand = [len(clients) * hand // hands for hand in range(hands)]
        self._left = np.bincount(self._of_hand)
        self._floors, forms = [], []
        for client in clients:
            iterations = settings.stud_iterations if floor.studs else settings.iterations
            client.setGravity(0, 0, -units.GRAVITY_UNITS_S2)
            client.configure(
                settings.step_s,
                iterations,
                settings.breaking_mm,
                settings.bounce_m_s,
                settings.erp,
            )
            self._floors.append(BulletFloor(client, floor, contact, bricks, body.radius_mm))
            compound = floor.studs and body.parts
            forms.append(self._compound(client) if compound else self._hull(client))
        self._bricks = [
            [
                self._add_brick(clients[of], forms[of], settings, self._group(hand, bricks))
                for _ in range(bricks)
            ]
            for hand, of in enumerate(self._of_hand)
        ]
        self._places = {  # hand and number of a brick, by its client and body
            (of, brick): (hand, i)
            for hand, of in enumerate(self._of_hand)
            for i, brick in enumerate(self._bricks[hand])
        }

    def _hull(self, client: Client) -> int:
        """Return the collision shape of the core of the convex hull; its margin adds the rounded edges."""
        form: int = client.createCollisionShape(
            client.GEOM_MESH, vertices=(self._body.vertices_mm / units.MM_PER_UNIT).tolist()
        )
        return form

    def _compound(self, client: Client) -> int:
        """Return the collision shape of the parts of the body, for studs between studs and inside an open brick."""
        parts, radius_mm = self._body.parts, self._body.edge_radius_mm
        if len(parts) > MAX_PARTS:
            raise InvalidValueError(
                f"{self._body.name} has {len(parts)} parts; on studs the bullet engine takes at most {MAX_PARTS}"
            )
        check_parts(self._body)
        return compound(client, parts, radius_mm)

    @staticmethod
    def _group(hand: int, bricks: int) -> tuple[int, int]:
        """Return collision group and mask: single bricks collide with the floor only, others with their hand too."""
        if bricks == 1:
            return _SINGLE_GROUP, FLOOR_GROUP
        group = 1 << (hand + 1)
        return group, group | FLOOR_GROUP

    def _add_brick(
        self,
        client: Client,
        form: int,
        settings: BulletSettings,
        filters: tuple[int, int],
    ) -> int:
        body = self._body
        brick: int = client.createMultiBody(body.mass_g, form)
        client.set_free(
            brick,
            own_coefficients(BRICK_ON_BRICK),
            body.inertia_g_mm2,
            max(settings.margin_mm, body.edge_radius_mm),
            client.ACTIVATION_STATE_DISABLE_SLEEPING,
        )
        client.set_groups(brick, *filters)
        return brick

    def _client(self, hand: int) -> Client:
        return self._clients[self._of_hand[hand]]

    def _used(self) -> list[Client]:
        """Return the clients that have hands left."""
        return [client for client, left in zip(self._clients, self._left, strict=True) if left]

    def put(self, hand: int, states: States, only: Sequence[int] | None = None) -> None:
        """Set the states of the bricks of one hand, or of the bricks `only`; `states` has shape (k,)."""
        if only is None and self._period_mm is not None:
            periods = np.round(states.position_mm[:, :2].mean(axis=0) / self._period_mm)
            self._origin_mm[hand, :2] = self._period_mm * periods
        position = ((states.position_mm - self._origin_mm[hand]) / units.MM_PER_UNIT).tolist()
        velocity = (states.velocity_m_s * units.UNITS_PER_M).tolist()
        quaternion, spin = states.quaternion.tolist(), states.spin_rad_s.tolist()
        client = self._client(hand)
        for i in range(len(states)) if only is None else only:
            brick = self._bricks[hand][i]
            client.resetBasePositionAndOrientation(brick, position[i], quaternion[i])
            client.resetBaseVelocity(brick, velocity[i], spin[i])

    def get(self, hands: list[int]) -> States:
        """Return the states of the bricks of some hands, shape (len(hands), k)."""
        bricks = [(self._client(hand), brick) for hand in hands for brick in self._bricks[hand]]
        found = states_of(bricks).map(lambda x: x.reshape(len(hands), -1, x.shape[-1]))
        return replace(found, position_mm=found.position_mm + self._origin_mm[hands][:, None])

    def touches(self, hands: units.Indices, sunk_mm: float) -> list[BrickContact]:
        """Return all contacts of those of some hands, shape (m,), that have one deeper than `sunk_mm`."""
        points: dict[int, list[Any]] = {hand: [] for hand in hands.tolist()}
        for of, client in enumerate(self._clients):
            for point in client.getContactPoints():
                hand, _ = self._places.get((of, point[1])) or self._places[of, point[2]]
                if hand in points:
                    points[hand].append(point)
        return [
            self._touch(row, hand, point)
            for row, hand in enumerate(points)
            if min((point[8] for point in points[hand]), default=0.0) < -sunk_mm / units.MM_PER_UNIT
            for point in points[hand]
        ]

    def _touch(self, row: int, hand: int, point: Any) -> BrickContact:
        places = [self._places.get((self._of_hand[hand], body)) for body in point[1:3]]
        first, second = [place and (row, place[1]) for place in places]
        place_mm = units.MM_PER_UNIT * np.array(point[5]) + self._origin_mm[hand]
        return BrickContact(
            (first, second), place_mm, np.array(point[7]), -units.MM_PER_UNIT * point[8]
        )

    def off_centre(self, hands: units.Indices, states: States) -> units.Mask:
        """Return which hands, shape (m,), must be moved back to the middle of the studs."""
        middle = states.position_mm.mean(axis=1) - self._origin_mm[hands]
        return np.asarray(np.abs(middle[:, :2]).max(axis=1) > self._floors[0].reach_mm)

    def beyond_studs(self, hands: units.Indices, states: States) -> units.Mask:
        """Return which hands, shape (m,), have a brick that reaches beyond the studs."""
        place = np.abs(states.position_mm[..., :2] - self._origin_mm[hands][:, None, :2])
        return np.asarray(place.max(axis=(1, 2)) + self._body.radius_mm > self._floors[0].edge_mm)

    def remove(self, hand: int) -> None:
        """Deactivate the bricks of a hand: they sleep and do not collide."""
        client = self._client(hand)
        self._left[self._of_hand[hand]] -= 1
        for brick in self._bricks[hand]:
            client.set_groups(brick, 0, 0)
            client.activate(brick, client.ACTIVATION_STATE_SLEEP)

    def lay_floor(self, hands: units.Indices, states: States, time_s: float) -> None:
        """Lay the floor wherever some hands, shape (m,), may touch it within `time_s`.

        An impact may give a brick the energy of another. Its speed then stays below twice the largest of the hand.
        """
        body, spin = self._body, np.linalg.norm(states.spin_rad_s, axis=-1)
        speed = np.linalg.norm(states.velocity_m_s, axis=-1) + spin * body.radius_mm / 1000
        fastest = np.broadcast_to(speed.max(axis=1, keepdims=True), speed.shape)
        distance_mm = 1000 * time_s * (2 * fastest + units.GRAVITY_M_S2 * time_s)
        places = states.position_mm - self._origin_mm[hands][:, None]
        for ground in self._floors:
            ground.lay(places.reshape(-1, 3), (distance_mm + body.radius_mm).ravel())

    def find_contacts(self, hands: units.Indices) -> None:
        """Let Bullet find the contacts of some hands, shape (m,), where they are now."""
        for client in {self._client(hand) for hand in hands.tolist()}:
            client.performCollisionDetection()

    def step(self, times: int) -> None:
        """Advance the world by `times` time steps."""
        for client in self._used():
            for _ in range(times):
                client.stepSimulation()

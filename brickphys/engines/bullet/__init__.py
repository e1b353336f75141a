"""Bullet: the reference engine, PyBullet on any floor, and distances between prisms in PyBullet.

- `engine`: throws of hands in groups of worlds.
- `settings`: its time step, contact solver and stopping rules.
- `world`: the bodies of hands in a PyBullet world.
- `floor`: the floor of such a world.
- `landing`: poses in which it finds all corners that touch the floor, and flat bounces in closed form.
- `lift`: bricks moved out of the floor and of each other.
- `prisms`: distances between prisms.
"""

from brickphys.engines.bullet.engine import BulletEngine

__all__ = ["BulletEngine"]

"""Projectiles: shots and catapult stones on the table, from release to the figure that falls.

- `bodies/`: what can be hit: figures, riders and dogs in true measure.
- `weapons`: bow, crossbow, spear and catapults, from ``weapons.toml``.
"""

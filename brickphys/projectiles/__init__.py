"""Projectiles: shots and catapult stones on the table, from release to the figure that falls.

- `bodies/`: what can be hit: figures, riders and dogs in true measure.
- `flight`: paths with drag, bounces and rolling.
- `aim/`: the aim law: who is met first, how and where, with the scatter integrated over the table.
- `impact/`: the impact law: what a hit does, measured in PyBullet.
- `shot`: the law of a shot: aim law times impact law.
- `live`: one shot in PyBullet.
- `weapons`: bow, crossbow, spear and catapults, from ``weapons.toml``.
"""

"""Projectiles: shots and catapult stones on the table, from release to the figure that falls.

- `weapons`: bow, crossbow, spear and catapults, from ``weapons.toml``.
- `flight`: paths with drag, bounces and rolling.
- `target`: what can be hit in true measure, with mass properties: figures, riders, dogs, walls; from ``targets.toml``.
- `standing`: targets on the table, and what a shooter sees of them.
- `shot`: the law of a shot: who is met first, how and where, with the scatter integrated, times the impact law.
- `aim_kernel`: the shares of a shot's azimuths that each target takes, compiled.
- `impact_law`: shares of targets knocked over by speed, fall, side and place of the hit; as JSON, and those that ship.
- `impact_schema`: keys and types of these files.
- `measure`: hits in PyBullet, the measurement of an impact law, and what `brickphys verify` finds out about one.
- `live`: one shot in PyBullet.
"""

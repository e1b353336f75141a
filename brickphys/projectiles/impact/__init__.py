"""Impact: what a hit does, measured in PyBullet: knocked over or not.

- `strikes`: hits of a projectile all over a target, drawn by address and shot.
- `impact_law`: shares of targets knocked over by speed, fall, side and place of the hit, with intervals.
- `law_file`: these laws as JSON, and those that ship.
- `law_checks`: what `brickphys verify` finds out about one.
- `law_schema`: keys and types of these files.
- `measure`: the measurement of a law, and of all that ship.
"""

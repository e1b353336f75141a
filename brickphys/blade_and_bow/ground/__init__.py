"""Ground: sides, zones and ways of units on the map.

- `arcs`: front, flanks and rear of a unit, and its arc of fire.
- `distance`: directional points.
- `zones`: weak and strong zones of control.
- `sight`: lines of sight.
- `steps`: steps that walls, closed squares and special rules leave.
- `marches`: how long ways are that units may go.
- `room`: where a displaced unit can go.
- `ways`: where a unit can move, and how.
- `knowledge`: ranks that the enemy comes to see.
"""

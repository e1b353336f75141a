"""Pictures of Blade & Bow battles.

- `ground`: the squares of the map with their terrain, slopes, walls and camps.
- `counter`: units as counters in the colours of their players, and leaders.
- `sheet`: kinds of units and cards.
- `painter`: all of it.
"""

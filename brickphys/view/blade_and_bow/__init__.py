"""Blade & Bow in three dimensions.

- `builder`: the units as blocks of figures, and the leaders.
- `ground`: the map with its hills, woods, walls and camps.
"""

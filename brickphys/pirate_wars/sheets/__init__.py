"""Sheets of Pirate Wars.

- `minifigs`: roles, weapons and cannons.
- `charts`: the numbers of sailing, of tasks and of critical hits.
- `damage_chart`: the chart on which hits are crossed off.
- `ship_sheet`: a ship: its numbers, its places and its guns.
- `catalogue`: the ships that ship, from the files in ``data``.
"""

"""Aims: ways to win besides being the last side.

- `aims`: reach an area, carry a thing there, hold it; or a limit of rounds.
- `aims_schema`: how an aim is written; a game adds its areas.
- `aim_reader`: the aims of a setup, and why one could never be met.
- `circle`: a circle as an area, and units in it; `circle_reader`: aims with such areas.
"""

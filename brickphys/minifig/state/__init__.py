"""State of Minifig battles.

- `setting`: what never changes during a battle: table, zones, walls, figures, things, items, aims, options.
- `pieces`: a figure, a thing and an item at one moment.
- `wall`: the bricks of a piece of wall, and what stands of it.
- `state`: a battle at one moment.
"""

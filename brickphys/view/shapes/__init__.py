"""Shapes: what things look like.

- `solids`: prisms, boards, studs and grids.
- `built`: the models that are built of pieces, thrown bodies, and things of pieces of our own.
- `gear`: what figures hold.
- `figure`: figures with what they hold.
- `tree`: trees.
"""

"""Exact odds of Blade & Bow.

- `clash`: the dice of a melee with their re-rolls, as a dynamic programme.
- `costs`: what hits cost the player of a unit.
"""

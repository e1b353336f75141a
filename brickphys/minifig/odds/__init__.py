"""Exact odds of Minifig battles, for the command `odds`.

- `volley`: shots at figures that stand alone.
- `attack`: an attack of one on another, hand-to-hand or by a shot, and all pairs of several.
- `tables`: what the command `odds` offers.
"""

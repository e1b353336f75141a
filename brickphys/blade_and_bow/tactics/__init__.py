"""Tactics: what bots weigh before they give orders.

- `fights`: what fights cost both sides on the mean.
- `reach`, `prospects`: the squares that units can strike after a move; what each army could strike, and what for.
- `marches`, `orders`: where units move; the plans of an impulse.
- `answers`, `stations`: answers in fights and turns; places before the battle and after a rout.
"""

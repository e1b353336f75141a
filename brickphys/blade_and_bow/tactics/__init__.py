"""Tactics: what bots weigh before they give orders.

- `fights`: what fights cost both sides on the mean.
- `reach`, `prospects`: the squares that units can strike after a move; what each army could strike, and what for.
- `marches`, `hand`, `orders`: where units move; cards; the plans of an impulse.
- `choices`: what is asked, or begins, and what a plan for it brings.
- `answers`, `stations`: answers in fights and turns; places before the battle and after a rout.
"""

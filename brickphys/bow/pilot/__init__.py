"""Pilot: how bots drive; no rule.

- `routes`: in how many rounds a vehicle comes from any pose to what it wants.
- `drives`: what a pilot can make of its turn: speed, turns, the compulsory move, and what that hits.
"""

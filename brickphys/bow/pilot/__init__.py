"""Pilot: how bots drive; no rule.

- `routes`: in how many rounds a vehicle comes from any pose to what it wants.
- `drives`: what a pilot can make of its turn: speed, turns, the compulsory move, and what that hits.
- `errands`: rounds to the aim of a carrier aboard, or to where an enemy's carrier will be.
- `poses`: what it is worth for a vehicle and its crew to be somewhere.
- `plans`: the plans of pilots, gunners and passengers, and of those who get on.
- `conduct`: counts of what units, vehicles and their crews did in a played game.
"""

"""Command: cards, morale, leaders, formations, moves and rallies.

- `words`: the arguments of actions that are not names.
"""

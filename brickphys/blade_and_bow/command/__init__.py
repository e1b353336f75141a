"""Command: cards, morale, leaders, formations, moves and rallies.

- `words`: the arguments of actions that are not names, and the base of actions that are legal if they are listed.
"""

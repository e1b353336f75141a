"""Rules: what every game shares.

- `chance`: who answers when a game asks for a brick roll: a law, a script, a person (`ChanceSource`).
"""

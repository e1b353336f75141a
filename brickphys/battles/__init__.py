"""Battles: starts games from names of players, setups and laws, and tells their results.

- `battle`: a game that was played or played back, as people see it.
- `start`: where a game begins, who answers its chance events, and where games are kept for a person.
- `players`: the players by their names, and who won, in a line and as JSON.
- `ongoing_game`: a game that people play choice by choice.
- `lesson`: a guided first game, step by step.
- `table`: such a game on several machines: seats, offers, a clock.
- `mail`, `mail_deck`, `mail_seat`: a game in one file that goes to and fro: rolls, hidden cards, who sits here.
- `tournament`: who plays whom, round by round, and how all stand.
- `pettingzoo_env`: any game as a PettingZoo environment (extra `pettingzoo`).
"""

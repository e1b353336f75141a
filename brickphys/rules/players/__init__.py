"""Players: bots and persons.

- `bots`: programs: random, greedy, look-ahead.
- `search`: what each action is worth, within a budget.
- `person`: a player at a keyboard; `menu` lists the actions.
"""

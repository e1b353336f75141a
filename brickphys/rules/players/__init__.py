"""Players: bots and persons.

- `bots`: programs: random, greedy, look-ahead.
- `search`: what each action is worth, within a budget.
- `teller`: shows somebody at the keyboard what happens.
- `person`: a player at a keyboard; `menu` lists the actions.
"""

"""Players: bots and persons.

- `bots`: programs: random, greedy, look-ahead.
- `search`: what each action is worth, within a budget.
- `keyboard`: the keyboard and the screen that persons share, and who sits there.
- `teller`: shows somebody at the keyboard what happens.
- `person`: a player at a keyboard; `menu` lists the actions.
"""

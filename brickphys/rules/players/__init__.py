"""Players: bots and persons.

- `bots`: programs: random, greedy, look-ahead.
- `search`: what each action is worth, within a budget.
- `keyboard`: the keyboard and the screen that persons share, and who sits there.
- `teller`: shows somebody at the keyboard what happens.
- `person`: a player at a keyboard; `asked`: one choice, how it is shown; `answers`: answers
  on it; `menu` lists the actions.
- `plan`: an action that is typed before who does it is chosen.
- `choices`: the actions of one choice as things to click.
- `marked_map`: the map with the numbers of the list; `typed`: the action that was typed, or why there is none.
- `spectator`: somebody who steps through a game that was played.
"""

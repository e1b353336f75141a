"""Players: bots and persons.

- `bots`: programs: random, the levels that plan, and two that search single choices.
- `planner`: the bots that plan a turn.
- `plan_search`: what plans are worth if both sides go on with their best ones.
- `search`: what each action is worth, within a budget.
- `advice`: the plans of a player who is to act, for hints and for the analysis of games.
- `worth`: what a state is worth by a weighted sum of features.
- `keyboard`: the keyboard and the screen that persons share, who sits there, and what happens as it is shown there.
- `orders`: one goal for several units: who of them does what.
- `person`: a player at a keyboard, the answers to what it asks, and actions typed before who does them is chosen.
- `prompt`: one choice, its map and its actions as things to click.
- `preview`: what an action would do: where pieces end, what they meet, what is rolled.
- `typed`: the numbered list of actions, and the action that was typed, or why there is none.
- `spectator`: somebody who steps through a game that was played.
"""

"""Report: a battle as text.

- `battle_map`: the squares in characters; `status_text`: the battle at one moment.
- `places`: the names in play, and where actions lead.
- `dice_text`: what was rolled; `clauses`: what a step has changed; `story`: a whole battle.
- `trajectories`: the ways of its units.
- `prompt`: what a player is asked for; `sheets`: the kinds of units; `card_text`: the cards.
"""

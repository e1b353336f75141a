"""Plans: what each figure of a side may do in its turn, for players who think.

- `chances`: how likely blows and shots eliminate others, by a law of bricks.
- `paths`: how far figures walk round walls and water, and whose view walls cross.
- `outlook`: what a side reckons with: worths of figures, chances, reach.
- `prospects`: the places where a figure may end its round, and what it does and risks there.
- `ideas`: what a figure may do besides moving: shoot, reload, besiege, fetch.
- `lanes`: who stands in the way of a shot of the own side, and what it gains if they step aside.
- `dangers`: whom figures could attack in their next turn.
- `turn`: the best of each figure, and the style of the turn.
- `thinker`: the plans, as the players of all games choose from them.
"""

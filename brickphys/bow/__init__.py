"""BOW, the Bricks Only Wargame 1.3.

- `game`: the game of the contract in `rules`.
- `notation`: a state as one line of text.
- `scenario_report`: a battle before it begins, for the command `scenario`.
- `army_list`: an army by its sheets, for the command `army`.
- `evaluation`: what a battle is worth to each player, for bots.

Its rooms, each of which may import those before it (`setup`, `report` and `odds` not each other):

- `field`: the studs, and what can be reached and seen on them.
- `sheets`: what units and vehicles can do, carry and cost.
- `state`: a battle at one moment, and what never changes in it.
- `actions`: what units do, and what happens to them.
- `driving`: what vehicles do, and what happens to them and to those who are in their way.
- `turns`: whose turn it is, rounds, and who has won.
- `setup`: where a battle begins.
- `report`: a battle as text and as values for pictures.
- `odds`: exact odds, for the command of that name.
"""

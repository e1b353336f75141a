"""Battles: games are played by clicking, and watched.

- `page`: a game is set up, opened, or goes on; the picture, the choices and all other buttons.
- `setup`: the fields of a new game.
- `picture`: a game in three dimensions, and the tables of its units.
- `question`: what the game asks of a person; `inputs`: what the person clicks or types.
- `saving`: the game of a tab, which goes on when its page is loaded again.
- `replay`: a game that was played.
"""

"""Battles: games are played by clicking, and watched.

- `play_page`: the page of a tab: a game is set up, opened, or goes on.
- `page`: one game with its state, which answers clicks on units and marks.
- `setup`: the fields of a new game.
- `picture`: a game in three dimensions, and the tables of its units.
- `question`: what the game asks of a person; `inputs`: what a click beside the marks means as words.
- `ordering`: one goal for several units: who is chosen, and what each would do.
- `preview`: what would come of a choice, as it is drawn; the question before own men are lost.
- `danger`: what enemies could attack in their next turn.
- `lesson`: what a lesson says above the choices.
- `saving`: the game of a tab, which goes on when its page is loaded again.
- `table_page`: a seat at a table, or the place of who watches; `shared`: a table while pages look at it.
- `tournament_page`: a tournament at tables, and all its boards.
- `replay`: a game that was played; `judging`: the analysis of its luck and choices.
"""

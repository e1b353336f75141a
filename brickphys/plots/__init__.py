"""Plots: functions that draw values on axes.

Games:

- `games/`: the painters of the games, their figures and their sheets.
- `painter`: what a game draws itself: its pieces on its field, with caption and legend.
- `battle`: a game before it begins, and after it; `film`: its frames, in which only what has changed is drawn.
- `analysis`: the chance to win over a game that was played.
- `labels`: names on the field, and things in a picture as values.
- `colors`: colours of players and of the palette.

Physics and chance:

- `throws`: throws and their poses; `law`: measured laws; `validation`: simulated throws beside others.
- `vehicles`: compulsory moves and sectors; wrong answers of another program.
- `physics_film`: a throw, and a compulsory move with rigid bodies, as frames of an animated GIF.
- `odds`: the odds of attacks and rolls; hits over the range.
- `batch`: the results of a study, the worth of units, the ranks of armies.

Shared:

- `paper`: pages in true size, and the card of odds; `army`: an army on such pages.
- `solid`: surfaces with colours; `studio`: pictures of them with shadows.
- `camera`: where a camera stands.
- `charts`: colours, frames and texts of charts; `gif`: animated GIFs, and words on their frames.
"""

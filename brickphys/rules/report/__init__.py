"""Reports: games as texts, and as values from which pictures are drawn.

- `parts`: what a game may supply for the commands that show it, and the exact odds of a roll that it offers.
- `story`: the turns of a game that was played, under headings of its rounds, how it ended, and its status at a moment.
- `char_map`: a map in characters, on which choices may be marked, and text whose parts have tones.
- `trajectories`: the ways of units over the field, their losses, and the frames of a film.
- `analysis`: the chance to win after every step of a game that was played, and what luck and choices have changed;
  `judgements`: what each choice has cost.
- `sheets`: description sheets, what the price of a unit is made of, and armies with their attacks and footprints.
"""

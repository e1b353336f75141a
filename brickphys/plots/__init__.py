"""Plots: functions that draw values on axes.

Games, each drawn by a painter of its own (`bow/`, `minifig/`, `pirate_wars/`, `blade_and_bow/`):

- `painter`: what a game draws itself.
- `stage`: its field as a picture with caption and legend; `field`: axes and squares.
- `trajectories`: a game that was played, as a picture; `film`: its frames; `scenario`: a game before it begins.
- `pieces`: figures, vehicles and objects; `areas`, `labels`: names on the field; `colors`: of players and the palette.
- `marks`: things in a picture as values; `animation`: frames, of which only what has changed is drawn; `stamps`: words
  that are drawn once and copied into frames.

Physics and chance:

- `calibration/`: throws, laws and their comparison with reality.
- `vehicles/`: compulsory moves, sectors and crashes.
- `shots`: hits and knocked-over targets over the range.
- `odds`: the success of every attack against every defence; the scores of a roll.
- `comparison`: several attacks side by side.
- `paper/`: cards and pages to print in true size.
- `odds_report`: the exact odds of a game's rolls.
- `batch`: the results of a study; `worth`: what units turn out to be worth beside their prices;
  `ranks`: armies that met in pairs.

Shared:

- `render/`: pictures of solid things with shadows.
- `charts`: colours and frames of the pictures of numbers; `glyphs`: names that any font can show; `gif`: animated GIFs.
"""

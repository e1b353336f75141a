"""Plots: functions that draw values on axes.

Games, each drawn by a painter of its own (`plots/bow/`):

- `painter`: what a game draws itself.
- `stage`: its field as a picture with caption and legend; `field`: axes and squares.
- `trajectories`: a game that was played, as a picture and as a film; `scenario`: a game before it begins.
- `pieces`: figures, vehicles and objects; `areas`, `labels`: names on the field; `colors`: of players and the palette.

Physics and chance:

- `scene`: a compulsory move on the field; `sectors`: those of a vehicle.
- `crash_film`: a compulsory move with bodies as an animated GIF; `gif`: animated GIFs.
- `odds`: the success of every attack against every defence.
- `law`: a measured law: its poses, its scores, its uncertainty.
- `infer`: results of bricks thrown at home.
- `tornado`: how far each cause moves the chance of a side.
- `throws`: the flight of one brick, and the share of many settling down.
- `tosses`: simulated against real tosses, their chances, and the fit between them.
- `rolls`: published rolls of prisms and coins beside simulated ones.
- `agreement`: shares of the same throws by several engines.
- `batch`: the results of a study; `worth`: what units turn out to be worth beside their prices.
- `charts`: colours and frames of the pictures of numbers; `glyphs`: names that any font can show.
"""

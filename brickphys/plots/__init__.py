"""Plots: functions that draw values on axes and return what they drew.

- `agreement`: what several engines say of the same throws.
- `scene`: a compulsory move on the field; `sectors`: those of a vehicle; `glyphs`: names that any font can show.
- `field`: a battlefield; `pieces`, `areas`: what is on it; `colors`, `labels`: theirs; `scenario`, `course`: battles.
- `sheet`: a description sheet as a plate with studs.
- `crash_film`: a compulsory move with bodies as an animated GIF.
- `odds`: the success of every attack against every defence.
- `law`: a measured law: its poses, its scores, its doubts.
- `infer`: what bricks thrown at home say.
- `tornado`: how far each cause moves the chance of a side.
- `worth`: what units turn out to be worth beside their prices.
- `throws`: one brick on its way, and the share of many settling down.
- `tosses`: simulated against real tosses, their chances, and the fit between them.
- `rolls`: published rolls of prisms and coins beside simulated ones.
"""

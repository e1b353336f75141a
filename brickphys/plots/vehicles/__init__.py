"""Plots of vehicles.

- `scene`: a compulsory move on the field.
- `sectors`: the sectors of a vehicle.
- `crash_film`: a compulsory move with bodies as frames of an animated GIF.
"""

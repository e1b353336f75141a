"""Experiments: real throws of other bodies than bricks, beside simulated ones.

A tracked cube:

- `toss_tracks`: the file of tracked tosses of a cube, and the start of each, fitted to its flight.
- `toss_radius`: the edge radius of the cube, from heights alone.
- `tosses`: the tosses, simulated from their starts with noise.
- `toss_fit`: friction and restitution that predict the faces best.
- `toss_comparison`: how well the engine predicts the tosses; accuracy, log loss and calibration of predicted faces.

Counted rolls:

- `rolls`: published counts of prisms, coins and cylinders, the solids that were rolled, and the surface that fits best.
- `roll_comparison`: published beside simulated shares.
- `body_counts`: a file of counted rolls of any bodies, with their meshes.
- `body_comparison`: these beside what engines and simpler models predict.
"""

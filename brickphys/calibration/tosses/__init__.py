"""Tosses: tracked tosses of a real cube, simulated again.

- `toss_file`: the file of a track.
- `toss_starts`: the start of each toss, fitted to its flight.
- `toss_radius`: the edge radius of the cube, from heights alone.
- `tosses`: the tosses, simulated from their starts with noise.
- `toss_fit`: friction and restitution that predict the faces best.
- `toss_scores`: accuracy, log loss and calibration of predicted faces.
- `toss_comparison`: how well the engine predicts the tosses.
"""

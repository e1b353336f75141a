"""Calibration: from throws to laws, and from real tosses to trust.

- `throwers`: worker processes that throw cells in chunks and hand the counts back in order.
- `tally`: what became of the bricks, as counts that add up.
- `drop`: one shape under one condition, counted.
- `calibrate`: throw until the chance of a side is known, and write it down as a law.
- `systematic`: how far that chance moves over what is not known.
- `live`: a chance source that throws every roll in the engine.
- `toss_file`, `tosses`, `toss_comparison`, `toss_fit`: tracked real tosses, simulated and compared.
"""

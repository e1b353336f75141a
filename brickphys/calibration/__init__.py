"""Calibration: from throws to laws, and from real tosses to trust.

- `workers`: processes that do jobs and hand the results back in order.
- `throwers`: cells cut into chunks, thrown by workers.
- `tally`: what became of the bricks, as counts that add up.
- `drop`: one shape under one condition, counted.
- `calibrate`: throw until the chance of a side is known, and write it down as a law.
- `systematic`: how far that chance moves over what is not known.
- `agreement`: several engines throw the same things, and are compared.
- `live`: a chance source that throws every roll in the engine.
- `toss_file`, `toss_starts`, `tosses`, `toss_comparison`, `toss_scores`, `toss_fit`: tracked real tosses, simulated and
  compared.
- `rolls`, `roll_fit`, `roll_comparison`: published rolls of prisms and coins, likewise.
"""

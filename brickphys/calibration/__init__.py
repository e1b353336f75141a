"""Calibration: from throws to laws, and from real tosses to trust.

- `throwers`: cells cut into chunks, thrown by workers.
- `tally`: what became of the bricks, as counts that add up.
- `drop`: one shape under one condition, counted.
- `calibrate`: throw until the chance of a side is known, and write it down as a law.
- `systematic`: how far that chance moves over what is not known.
- `agreement`: several engines throw the same things, and are compared.
- `live`: a chance source that throws every roll in the engine.
- `csv_file`: rows that a person or a tracker wrote, every fault named.
- `home_counts`: bricks that somebody threw at home and counted.
- `hands`, `posterior`: what hands say of the chance of a side, when bricks of one hand may be alike.
- `response_design`, `response`: the shares of poses over all that is not known, thrown and fitted.
- `surface_posterior`: what counts say of friction and restitution.
- `law_check`: whether a law fits counts, and how many more would settle it.
- `combined_law`: a law and counts as one law.
- `inference`: all that counts say of one surface.
- `sensitivity`: which of all that is not known decides the chance of a side.
- `toss_file`, `toss_starts`, `tosses`, `toss_comparison`, `toss_scores`, `toss_fit`: tracked real tosses, simulated and
  compared.
- `rolls`, `roll_fit`, `roll_comparison`: published rolls of prisms and coins, likewise.
"""

"""Calibration: throws are counted and become laws; simulations are compared with real throws.

Throws and laws:

- `throwers`: cells cut into chunks, thrown by worker processes; counts of poses and scores, with intervals.
- `live`: a chance source that throws every roll of a game in an engine; each hand as it fell.
- `throw`: one shape thrown under one condition, by names and numbers, as people see it; in what a shape can rest.
- `predict`: how a body will stop, written down before anybody counts.
- `plan`: what a calibration throws, and how much work that is.
- `calibrate`: throws until the interval of p is narrow enough, and makes a law; the law that some throws make.
- `response_design`: what is uncertain of a thrown brick, and bricks thrown at many points of these causes.
- `response`: the shares of poses as a function of all uncertain causes.
- `systematic`: the range of p over all causes, engines and contact laws, and the shift by each.
- `sensitivity`: Sobol' indices of the causes, and their ranking.
- `law_stamp`: the sources from which a law is computed.
- `law_origin`: what a law file says of body, table, throw and command, compared with those that are known.
- `agreement`: the same throws by several engines, compared.

Counts of bricks thrown at home, and measurements:

- `home_counts`: the file of counts; CSV files with the place of every fault.
- `posterior`: posteriors of p, of the correlation between bricks of a hand, and of friction and restitution.
- `combined_law`: tests of a law against counts, the further throws needed, and the law that follows from both.
- `home`: all results for one surface, and for a file of counts; `inference`: these for people and programs.
- `measure/`: measurements of one table and one hand, and their law.

- `experiments/`: published and counted throws of other bodies, compared with simulated ones.
"""

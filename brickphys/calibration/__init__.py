"""Calibration: throws are counted and become laws; simulations are compared with real throws.

Throws and laws:

- `throwers`: cells cut into chunks, thrown by worker processes.
- `tally`: counts of poses and scores, with intervals.
- `drop`: one shape thrown under one condition.
- `throw`, `poses`: the same by names and numbers, as people see it; in what a shape can rest.
- `plan`: what a calibration throws, and how much work that is.
- `calibrate`: throws until the interval of p is narrow enough, and makes a law.
- `live_count`: throws that are counted while somebody watches.
- `law_of_throws`: the law that some throws of single bodies make.
- `causes`: what is uncertain of a thrown brick: table, mould, edges and throw.
- `systematic`: the range of p over all causes and contact models, and the shift by each.
- `law_stamp`: the sources from which a law is computed.
- `law_origin`: what a law file says of body, table, throw and command, compared with those that are known.
- `agreement`: the same throws by several engines, compared.
- `live`: a chance source that throws every roll in an engine.

Counts of bricks thrown at home:

- `csv_file`: CSV files with the place of every fault.
- `home_counts`: the file of counts.
- `hands`: the likelihood of hands, with correlation between bricks of a hand.
- `posterior`: posteriors of p and of that correlation.
- `surface_posterior`: posterior of friction and restitution.
- `law_check`: tests of a law against counts, and the number of further throws needed.
- `combined_law`: the law that follows from a law and counts.
- `inference`: all results for one surface; `home`: those for a file of counts, as people see them.
- `sensitivity`: Sobol' indices of the causes.

- `response/`: the shares of poses as a function of all uncertain causes.
- `measure/`: measurements of one table and one hand, and their law.

Real throws:

- `tosses/`: tracked tosses of a cube.
- `rolls/`: published rolls of prisms, coins and cylinders.
"""

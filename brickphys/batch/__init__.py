"""Batches: a study described in one file, run on one machine or many, stored, resumed and reported.

- `study`: a study file, read and checked, and the cells of its design.
- `kinds`: what a study can be about: throws, compulsory moves, games.
- `run`: the runs of a study, done in worker processes.
- `store`: the folder of a batch.
- `report`: tables, plots and pages of the results.
- `value`: values of units, fitted to battles with drawn armies.
- `results`: a study that was run, as people see it, and its report.
- `studies/`: the study files that ship.
"""

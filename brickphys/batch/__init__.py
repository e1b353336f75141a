"""Batches: a study described in one file, run on one machine or many, stored, resumed and reported.

- `spec`: a study as it was read from its file and checked; `schema`: the form of the file, its cells and its faults.
- `kinds/`: what a study can be about: throws, compulsory moves, games, bots against each other.
- `chunk`: runs of a cell that one process does together; `plan`: which runs come next; `runner`: does them.
- `dask`: an executor with the workers of a Dask scheduler; the local one is `brickphys.workers.LocalExecutor`.
- `store`: the folder of a batch; `shard`: a file with rows; `journal`: the study, the list of shards and the runs done.
- `report/`: tables, plots and pages of the results.
- `ladder`: bots against each other as a study, and their standings.
- `unit_values`: values of units, fitted to battles with drawn armies, and the order of armies.
- `results`: a study that was run, as people see it, its report, and one of its games played again.
- `studies/`: the study files that ship.
"""

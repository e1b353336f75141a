"""Runs of a study.

- `runner`: does the missing runs of a study until every cell has enough.
- `chunk`: runs of a cell that one process does together, and their rows.
- `plan`: which runs come next.
- `target`: how many runs a cell needs.
- `dask`: an executor with the workers of a Dask scheduler; the local one is `brickphys.workers.LocalExecutor`.
- `dask_task`: what a worker of Dask does for it.
- `again`: a game of a study of battles, played once more.
- `dry_run`: the cost of a study, estimated by a few runs.
"""

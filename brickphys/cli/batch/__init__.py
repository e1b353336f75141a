"""The commands of `batch`.

- `group`: run, status, report, studies.
- `rank`: the order of armies that met in pairs.
- `replay`: one game of a study, played again.
- `studies`: worth of units, pairs of cells.
- `status`, `sql`: their output.
"""

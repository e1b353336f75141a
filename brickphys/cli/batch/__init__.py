"""The commands of `batch`.

- `group`: run, status, report, studies.
- `rank`: the order of armies that met in pairs.
- `studies`: worth of units, pairs of cells.
- `status`, `sql`: their output.
"""

"""Batches: a study described in one file, run on one machine or many, stored, resumed and reported.

- `spec`: a study file, read and checked; `spec_schema` is its schema, `spec_faults` what can be wrong with it,
  `design` makes its cells.
- `kind`: what a study can be about; `drops`, `scenes` and `battles` are the kinds, `registry` finds them.
- `chunk`: runs that are done together, in some process.
- `dask`: the workers of a Dask scheduler; those of this machine are `brickphys.workers.LocalExecutor`.
- `runner`: a study run until every cell has what it needs. `probe`: what it would cost.
- `store`: the folder of a batch, with its `manifest`, `journal`, `ledger` and `shard` files, and the `lock` of
  who runs it; `harm`: what in it is not as it was told.
- `table`: what the cells come to; `frames`: every run, for Arrow, pandas and SQL.
- `panel`, `report`, `report_text`: pictures as values, and the page that tells all of it.
- `armies`, `worth`, `worth_fit`: what units of drawn armies turn out to be worth; `pairs`: cells run by run.
"""

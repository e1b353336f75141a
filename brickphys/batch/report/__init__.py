"""Results of a batch.

- `table`: a row for each cell, the numbers of runs, and both as texts; bots over all seats, pairs of cells, stamps.
- `plot_data`: its plots as values.
- `report`: one page, as Markdown and HTML, with its pictures, and checks of the folder.
- `sql`: all runs, for Arrow and pandas, and questions to DuckDB.
"""

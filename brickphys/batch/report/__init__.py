"""Results of a batch.

- `table`: a row for each cell, and the numbers of runs.
- `text`: the table as texts for people.
- `plot_data`: its plots as values.
- `report`: one page, as Markdown and HTML.
- `files`: that page and its pictures, written into a folder.
- `frames`: all runs, for Arrow and pandas; `sql`: questions to DuckDB.
- `bot_wins`: how often a bot wins over all its seats.
- `paired_comparison`: how often the same run has different results in two cells.
- `checks`: what was found out about the folder of a batch.
- `stamps`: by what rows were computed, where that was not the same for all.
"""

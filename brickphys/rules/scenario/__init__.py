"""Scenario files: the start of a game as TOML with a title, a text, a map in characters and tables of its setup.

- `scenario`: a scenario that was read, with the place in its file of each part of the setup.
- `schema`: the form of a file and of a sign of its legend, which a game extends.
- `scenario_file`: reads and writes files in the format of a game (`ScenarioFormat`).
- `table_file`: reads files without a map, whose tables are those of a setup.
- `map_reader`: the things on a map, and the rectangles that they take.
- `shipped`: the scenarios that ship with a game, by name.
- `map_writer`: writes maps with a ruler and a legend.
"""

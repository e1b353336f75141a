"""Setup of Minifig battles: where one begins.

- `setup_schema`: the form of a setup, and of a scenario file.
- `ranks`: entries that stand for several in a row.
- `setup_reader`: the first state of a setup, and every fault of meaning.
- `roster`: who survived a battle, for the next one.
- `scenario_file`: the scenarios that ship, and those in files.
- `walls`: pieces of wall off the table or on each other; `battle_draw`: battles that are drawn for studies.
"""

"""Setup of Pirate Wars: where a battle begins.

- `setup_schema`: the form of a setup, and of a scenario file.
- `crew_list`: the crew of a ship at the start, and its places.
- `setup_reader`: the first state of a setup, and every fault of meaning.
- `scenario_file`: the scenarios that ship, and those in files.
- `duel_draw`: duels that are drawn for studies.
"""

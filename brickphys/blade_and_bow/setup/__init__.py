"""Setup: where a battle begins.

- `setup_schema`: the form of a setup; `setup_reader`: its first state, and every fault of meaning.
- `special_reader`: what the special rules of a scenario name.
- `scenario_file`: scenarios that ship and files of them; `scenario_format`: their form, and the signs of their maps.
- `variant`: battles that ship with other choices of their reconstruction, for studies.
"""

"""Where a battle begins: setups, scenario files, and random armies.

- `setup`: the first state of a setup, which is read once.
- `setup_schema`: the form of a setup; `setup_reader`, `field_reader`, `aim_reader`: what its parts mean.
- `scenario_file`: scenarios that ship and files of them; `scenario_schema`: their form; `scenario_format`: what the
  signs of their maps mean.
- `scenario_check`: whether the battle of a scenario can begin, and its aims can be met.
- `random_armies`: two armies drawn by their cost, in lines that face each other; `random_armies_schema`: the options.
"""

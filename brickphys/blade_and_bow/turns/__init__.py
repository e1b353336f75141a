"""Turns: the setup, the phases of a turn, and who has won.

- `setup_choices`: ranks, places of leaders and camps, shield walls before the battle.
- `initiative`: the dice for the initiative.
- `path`: the die for the goat path of Thermopylae.
- `reinforcements`: where and when the Spartans come to Mycale.
- `rout_management`: units that return, rout checks, leaders that come back.
- `victory`: who has won, and the die for the end.
- `rounds`: the phases in order, impulses that players spend in turn, and what follows by itself.
- `action_types`: all types of actions and of what can be pending, and what a player chooses from.
- `state_problems`: checks of a state that was read from text.
"""

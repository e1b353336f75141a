"""Battles: games are played by clicking, and watched.

- `play_page`: a game is set up, opened, or goes on; `set_up`: the fields of a new one;
  `rule_fields`: the options of its rules; `scenario_words`: what its scenario is about, and how it is won.
- `table_page`: a game that is played, with `seen_game`: its picture, shown by a `live_player`; `question`: what it asks
  of a person, with a `choice_list`; `inputs`: what is clicked or typed; `clicked`: what a click beside the marks means;
  `what_to_do` and `how_to_play`: hints; `status_tables`: health, gear and the like; `leaving`: the question before it
  is left; `compiling`: why it takes long at first.
- `kept_game`: the game of a tab, which goes on where a page is loaded again; `game_store`: where it is kept.
- `replay_page`: a game that was played (`played_game`); `named_replay`: one that was played here, by its address.
"""

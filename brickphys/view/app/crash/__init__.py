"""Crash: parts of the crash view.

- `thing_fields`, `move_fields`: what stands in a scene, and how it moves.
- `fault_words`: what is wrong with a scene, in the words of these fields.
- `scene_tables`: hits and losses as tables.
- `crash_panel`: starts a crash and shows it; `crash_run`: a crash in a process of its own.
"""

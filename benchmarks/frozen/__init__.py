"""Frozen: what users and programs see, recorded as digests, so that a change of the sources that changes it is seen.

- `cases`: what is recorded: help texts, commands, games that are played, states, pictures, studies.
- `contract`: all that the cases need of brickphys: its public names, and its command line.
- `record`: digests of the cases, compared, and shown as differences of text.
- `commands.txt`: the calls of the command line. `digests.txt`: the record. `accepted.txt`: differences that are meant.
"""

"""Sheets: the counters, the cards and the charts, from the files in ``data``.

- `counters`: kinds of units and the values of their two sides.
- `cards`: the action deck, and the effects of its cards.
- `charts`: dice, morale, points, terrain, the turn track, grades of victory.
"""

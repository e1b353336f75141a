"""Regatta: a small game on the bases that brickphys offers; docs/games.md has its rules."""

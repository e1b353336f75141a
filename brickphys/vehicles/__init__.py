"""Vehicles: exact sweeps of footprints over the field, front, side and rear sectors, and crashes as bodies."""

"""Batches: a study described in one file, run on one machine or many, stored, resumed and reported."""

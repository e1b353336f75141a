"""Measure: friction, restitution and throw of one table and one hand, and the law that follows.

- `measured`: numbers with their errors, as distributions.
- `tilt`: friction from the angles at which a brick slides.
- `drop`: restitution from heights of rebound, or from times between impacts.
- `clicks`: times of impacts in a sound file.
- `film`: height, speed and spin of filmed throws.
- `film_file`: the CSV file of positions by frame.
- `measurement_file`: the TOML file of all measurements.
- `measured_posterior`: posterior of all causes and of p, from measurements and counts.
- `measured_base`: what that law is made from besides them.
- `measured_law`: the law that follows from that posterior; `own_law`: both from the files, as people see them.
"""

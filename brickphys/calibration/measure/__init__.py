"""Measure: friction, restitution and throw of one table and one hand, and the law that follows.

- `measured`: numbers with their errors, as distributions; friction from the angles at which a brick slides.
- `drop`: restitution from heights of rebound, or from times between impacts in a sound file.
- `brick`: lengths of the bricks by caliper, and their mass, which checks them.
- `film`: height, speed and spin of filmed throws, and the CSV file of positions by frame.
- `photo`: the poses of thrown bricks in a photo of a tray; `photo_counts`: photos as rows of counts, and to check.
- `measurement_file`: the TOML file of all measurements.
- `measured_posterior`: posterior of all causes and of p, from measurements and counts.
- `measured_law`: the law that follows from that posterior, and both from the files, as people see them.
"""

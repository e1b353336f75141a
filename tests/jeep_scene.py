"""A scene in tests: a jeep goes straight ahead on an empty field."""

JEEP = """
[field]
width = 48
height = 32
[move]
vehicle = "jeep"
[[vehicle]]
id = "jeep"
x = 10.0
y = 16.0
heading_deg = 0.0
length = 10.0
width = 6.0
speed = 2
"""

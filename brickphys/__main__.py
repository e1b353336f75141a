"""``python -m brickphys`` is the command `brickphys`."""

from brickphys.cli.main import main

main()

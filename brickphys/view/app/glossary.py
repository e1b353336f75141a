"""Glossary: what the terms of a page mean."""

from html import escape

from nicegui import ui

_MEANINGS = {
    "Law": "The chance that a brick scores, measured with many throws, and how uncertain it is.",
    "Pose": (
        "How a body lies at rest: a brick on a side, with its studs up or its studs down. Leaning: against "
        "another one or on the edge of its studs. Unsettled: it still moved when the simulation ended."
    ),
    "Barrier": (
        "The height to which the centre of mass has to rise before the body can tip over into another pose. "
        "Energy is drawn as the height that it could lift the body to. Once it is below the barrier, the pose "
        "is decided."
    ),
    "95 % interval": (
        "Of 100 such series of throws about 95 have an interval that contains the chance that endless throws "
        "would show. A share has Wilson's interval, which holds for few throws, too; the difference of two "
        "shares has Newcombe's."
    ),
    "90 % range": (
        "Where the chance lies for 90 % of tables and hands like these: their friction, bounce and way of "
        "throwing differ, and no number of simulated throws makes that smaller."
    ),
    "Percentage points": "The difference of two chances: from 30 % to 33 % are 3 percentage points.",
    "Friction": (
        "The force along the table that stops a sliding body, as a share of the force that presses it down."
    ),
    "Restitution": (
        "The speed after a bounce as a share of the speed before: 0 for clay, 1 for a perfect ball."
    ),
    "Throw": (
        "Hand: as people throw dice. Drop: let fall, without a push. Cup: poured out of a cup just above the "
        "table."
    ),
    "Seed": (
        "A number that fixes all chance: the same seed gives the same throws, or the same rolls, again."
    ),
    "Bot": (
        "A player that is a program. Random does anything that is legal. Greedy does what has the best odds now. "
        "Lookahead thinks some moves ahead."
    ),
    "Replay": "A file with all that was chosen and rolled in a game.",
    "Alone or with others": (
        "Bricks that are thrown together hit each other, so a brick among them has another chance to stop on a side "
        "than one that is thrown alone."
    ),
    "Score": "How many of the bricks thrown stop on a side.",
    "Success": "The attack scores more than the defence; the damage is the difference.",
    "p-value": (
        "How often rolls would differ at least this much from the law if the law is right. Below 5 % is a "
        "reason to doubt it."
    ),
    "Move": (
        "A compulsory move: a vehicle with speed must go on, five studs for a point of its speed, or along the "
        "course that is given. Figures do not stop it; walls and vehicles do."
    ),
    "Sectors": (
        "The side on which a vehicle is hit: front, rear, left or right. Quadrant: by the direction to the "
        "mover's centre, with limits at 45 and 135 degrees. Corner: with limits through its corners. Contact: "
        "by the face that is touched."
    ),
    "Bricks to resist": (
        "How many bricks the thing that is hit rolls against the hit: the speed of the mover. If it is a "
        "vehicle, both roll, and their speeds are added in a hit from the front and subtracted in one from the "
        "rear."
    ),
    "Lashed": "Tied to the vehicle that moves: they go as one body.",
    "Drift": "The vehicle goes in a direction other than the one that it looks in.",
    "Pivot": "The point about which a vehicle turns, seen from its centre.",
    "Tilt": "By how much a thing is tipped over in the end; 90 degrees lies flat.",
    "Cell": "One combination of the values that a study varies; it has many runs.",
    "Run": "One throw, scene or battle of a study, with a seed of its own.",
}


def glossary(*terms: str) -> None:
    """Add the explanations of terms of a page."""
    entries = "".join(
        f"<dt>{escape(term)}</dt><dd>{escape(_MEANINGS[term])}</dd>" for term in terms
    )
    ui.html(
        f"<details><summary>Terms of this page</summary><dl>{entries}</dl></details>",
        sanitize=False,
    ).classes("brickphys-terms")

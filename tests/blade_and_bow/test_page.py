"""The page of the game shows what ships: kinds of units, terrain, the turn track, what is typed; its scenario reads."""

import re
from pathlib import Path

import pytest

from brickphys.blade_and_bow.deck import EffectVerb, deck
from brickphys.blade_and_bow.notation import ACTION_TYPES
from brickphys.blade_and_bow.scenario import SCENARIOS, parse_scenario
from brickphys.blade_and_bow.setup import begin
from brickphys.blade_and_bow.sheets import Counter, TerrainEffects, charts, counters
from brickphys.text import counted

PAGE = (Path(__file__).parents[2] / "docs" / "blade-and-bow.md").read_text(encoding="utf-8")


WORDS = PAGE.split("## What is typed")[1].split("\n## ")[0]
TYPED = re.findall(r"^\| (`.*?) \|", WORDS, flags=re.M)
"""The first cells of the table of what is typed."""


def counter_row(kind: Counter) -> str:
    """The row of a kind of unit."""
    good, bad = kind.good, kind.disrupted
    cells = (
        f"`{kind.name}`",
        f"{kind.size.value}, {kind.density.value}",
        f"{good.movement}, {bad.movement}",
        f"{counted(good.missile_dice, 'die', 'dice')} to {good.missile_range} points"
        if good.missile_dice
        else "",
        f"{good.missile_defence}, {bad.missile_defence}",
        " ".join(map(str, good.fear)),
    )
    return f"| {' | '.join(cells)} |"


def terrain_row(ground: TerrainEffects) -> str:
    """The row of a kind of ground."""
    cells = (
        f"`{ground.sign}`",
        ground.name.replace("_", " "),
        "yes" if ground.blocks else "",
        "nobody enters" if ground.closed else "halts" if ground.stops else "",
        ", ".join(ground.disrupts),
        f"{ground.cover} more" if ground.cover else "",
        f"{ground.melee_dice} more" if ground.melee_dice else "",
    )
    return f"| {' | '.join(cells)} |"


@pytest.mark.parametrize("kind", counters().values(), ids=lambda kind: kind.name)
def test_each_kind_of_unit_has_its_row(kind: Counter) -> None:
    assert counter_row(kind) in PAGE


@pytest.mark.parametrize("ground", charts().terrain.values(), ids=lambda ground: ground.name)
def test_each_terrain_has_its_row(ground: TerrainEffects) -> None:
    assert terrain_row(ground) in PAGE


def test_turn_track_is_told():
    marks = dict(enumerate(charts().ends, 1))
    row = f"| mark | {' | '.join(str(marks[turn]) for turn in range(6, 13))} |"
    assert row in PAGE


def test_every_battle_is_told():
    fair = {name for name in SCENARIOS if name.endswith("_fair")}
    assert all(f"| `{name}` (14." in PAGE for name in set(SCENARIOS) - fair)
    assert all(f"`{name}` is " in PAGE for name in fair)


def test_every_verb_of_cards_is_told_with_how_many_cards_have_it():
    cards = [card.effect.verb for card in deck() if card.effect]
    for verb in EffectVerb:
        assert re.search(rf"^\| `{verb.value}` \| {cards.count(verb)} \|", PAGE, flags=re.M)


def test_what_is_typed_is_read_and_every_word_is_in_the_table():
    known = {each.word: each for each in ACTION_TYPES}
    typed = [text for cell in TYPED for text in re.findall("`(.+?)`", cell)]
    for text in typed:
        word, *arguments = text.replace("CARD", "a_card").replace("UNIT", "a_unit").split()
        assert known[word].parse(arguments).word == word
    assert {word for word in known if not re.search(rf"`{word}\b", WORDS)} == set()


def test_example_is_a_scenario_without_fault():
    (example,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, flags=re.M | re.S)
    state = begin(parse_scenario(example, "blade-and-bow.md"))
    assert set(state.setting.unit_numbers) == {"hoplite_1", "hoplite_2", "spears"}

"""Conduct: what is counted in a battle that was played."""

from fractions import Fraction

from brickphys.blade_and_bow.conduct import NAMES
from brickphys.blade_and_bow.game import BladeAndBow
from brickphys.blade_and_bow.scenario import scenario_report
from brickphys.odds.law import BinomialLaw
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.sources import LawSource

GAME, LAW = BladeAndBow(), BinomialLaw(Fraction(0))


def test_what_was_done_is_counted():
    setup = scenario_report("marathon").setup
    record = play(GAME, setup, [RandomBot(), RandomBot()], LawSource(LAW, 1), root=1, max_steps=400)
    each = [GAME.conduct(record, player) for player in (0, 1)]
    found = {name: each[0][name] + each[1][name] for name in NAMES}
    texts = [step.text for step in record.steps]
    assert tuple(each[0]) == tuple(each[1]) == NAMES
    assert each[0]["moves"] == sum(
        step.text.startswith("go ") and step.actor == 0 for step in record.steps
    )
    assert found["moves"] == sum(text.startswith("go ") for text in texts)
    assert found["formations"] == sum(text.startswith("form ") for text in texts)
    assert found["leaders_with_archers"] == sum(
        record.initial.setting.units[
            state.at[state.setting.square_numbers[step.move.square]]
        ].counter.name
        == "archers"
        for state, step in zip(record.states, record.steps, strict=False)
        if step.text.startswith("station ")
    )
    assert found["moves"] > 0

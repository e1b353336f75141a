"""The data that are ours: cards, weather and misadventures, what they do, and who is met."""

import pytest

from brickphys.minifig.campaign.state import Weather, data, tables
from brickphys.minifig.campaign.trials import Answer, Verb, battle_setup, battles, trials
from brickphys.minifig.sheets import charts
from tests.minifig.campaign.quest import quest, setup


def test_every_card_has_a_prompt_and_every_weather_a_speed():
    assert set(trials().prompts) == set(tables().lower)
    assert set(trials().percent) == set(Weather)
    assert all(len(rows) == 10 for rows in trials().misadventures.values())


def test_effects_are_of_the_closed_set():
    known = {
        Verb.BATTLE: trials().foes,
        Verb.ARMS: charts().arms,
        Verb.RECRUIT: trials().recruits,
        Verb.DELAY: {"1", "2"},
    }
    used = set()
    for trial in trials().keyed.values():
        assert 0 <= trial.bricks <= 6
        assert trial.bricks or not trial.bad
        for effect in (*trial.good, *trial.bad):
            verb, _, thing = effect.partition(" ")
            used.add(Verb(verb))
            assert thing in known.get(Verb(verb), {""}), effect
    assert used == set(Verb)
    assert {answer for prompt in trials().prompts.values() for answer in prompt.answers} == set(
        Answer
    )


def test_every_foe_and_recruit_can_be_in_a_battle():
    """A campaign of each recruit alone, against each group of foes."""
    for name, one in trials().recruits.items():
        table = {"name": name, "kind": one.kind, "arms": list(one.arms), "horse": one.horse}
        state = quest(given=setup(party=[table]))
        for foes, met in trials().foes.items():
            battle = battles().begin(battle_setup(state, foes))
            assert battle.strength == (1, len(met))


@pytest.mark.parametrize("when", ["day", "night"])
def test_each_misadventure_has_the_key_of_its_face(when):
    rows = data("effects")["misadventure"][when]
    assert set(rows) == {str(face) for face in range(1, 11)}
    for face, row in rows.items():
        found = trials().keyed[f"{when}: {face}"]
        assert (found.text, found.bricks) == (row["text"], row.get("bricks", 0))
        assert [list(found.good), list(found.bad)] == [row.get("good", []), row.get("bad", [])]

"""Report: sheets and games as texts, and as values that pictures are drawn from."""

from brickphys.rules.record import CHANCE
from brickphys.rules.report.char_map import text_map
from brickphys.rules.report.parts import Parts
from brickphys.rules.report.sheets import SheetList
from brickphys.rules.report.story import ending_text, letters, status_text
from brickphys.rules.report.trajectories import Frame, Track, Trajectories, moves
from brickphys.rules.setup import lookup
from regatta.setup import SHEETS


class Reports(Parts):
    pictures = "regatta.painter:RegattaPainter"

    def sheets(self, source=None):
        named = SHEETS.values() if source is None else [lookup("sheet", source, SHEETS)]
        return SheetList(tuple(named))

    def describe(self, view):
        (width, length), names = view.setting.size, view.setting.players
        signs, marks = ["."] * (width * length), letters(range(len(names)), "", "@")
        for column, row, mark in zip(view.columns, view.setting.rows, marks, strict=True):
            signs[row * width + column] = mark
        hands = (" ".join(map(str, hand)) for hand in view.hands)
        table = [("", "boat", "cards"), *zip(marks, names, hands, strict=True)]
        return status_text(f"Round {view.round}", text_map(width, signs, {}), [table])

    def trajectories(self, record, viewer=None):
        names, steps = record.initial.setting.players, record.steps
        states = [record.initial, *(step.after for step in steps if step.actor == CHANCE)]
        ways = [[(state.round, at(state, boat)) for state in states] for boat in range(len(names))]
        tracks = (Track(name, boat, True, moves(ways[boat])) for boat, name in enumerate(names))
        frames = tuple(Frame(state, f"Round {state.round}", "") for state in states)
        won = [name for name, worth in zip(names, record.returns or (), strict=False) if worth > 0]
        ending = ending_text(record, record.final.round, won, "")
        return Trajectories(names, record.players, ending, record.final, tuple(tracks), frames)


def at(state, boat):
    return state.columns[boat] + 0.5, state.setting.rows[boat] + 0.5

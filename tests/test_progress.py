"""Progress is shown where a person watches, once the work takes long, and nowhere else."""

import sys
from types import SimpleNamespace

from brickphys import notes
from brickphys.notes import stages, steps


def work(callback, times=3):
    for done in range(1, times + 1):
        callback("singles", done, times)


def test_nothing_is_shown_where_nobody_watches(capfd):
    with stages(True) as advance:
        work(advance)
    assert capfd.readouterr() == ("", "")


def test_a_callback_of_the_caller_gets_every_step():
    heard = []
    with stages(lambda *told: heard.append(told)) as advance:
        work(advance, 2)
    assert heard == [("singles", 1, 2), ("singles", 2, 2)]
    heard.clear()
    with steps(lambda *told: heard.append(told), "runs") as step:
        step(1, 2)
    assert heard == [(1, 2)]


class Screen:
    """A terminal of which all is kept."""

    encoding = "utf-8"
    shown = ""

    def isatty(self):
        return True

    def write(self, text):
        self.shown += text
        return len(text)

    def flush(self):
        pass


def test_a_terminal_shows_a_bar_once_the_work_takes_long(monkeypatch):
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with stages(True) as advance:
        work(advance)
    assert screen.shown == ""  # it was done at once
    monkeypatch.setattr(notes, "AFTER_S", 0.0)
    with stages(False) as advance:
        work(advance)
    assert screen.shown == ""
    with steps(True, "response surface") as step:
        step(3, 7)
    assert "response surface" in screen.shown
    assert "3 of 7 throws" in screen.shown


def test_a_notebook_shows_one_line_that_changes(monkeypatch):
    shown = []

    def update(data, raw):
        shown.append(("update", data["text/plain"]))

    line = SimpleNamespace(update=update)

    def display(data, raw, display_id):
        shown.append(("new", data["text/plain"]))
        return line

    shell = SimpleNamespace(kernel=None)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=display))
    with stages(True, "runs") as advance:
        work(advance)
    assert shown == []
    monkeypatch.setattr(notes, "AFTER_S", 0.0)
    monkeypatch.setattr(notes, "_EVERY_S", 0.0)
    with stages(True, "runs") as advance:
        work(advance, 2)
    assert shown == [("new", "singles: 1 of 2 runs"), ("update", "singles: 2 of 2 runs")]

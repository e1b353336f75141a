"""Axes of a figure that can be drawn without a screen."""

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure


@pytest.fixture
def ax():
    figure = Figure(layout="constrained")
    FigureCanvasAgg(figure)
    return figure.subplots()

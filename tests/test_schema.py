"""Faults of form: a value of a field with a description is told what it should be, whatever its docstring says."""

import pytest
from pydantic import ConfigDict, Field

from brickphys.errors import InvalidValueError
from brickphys.schema import Strict, validated


class Told(Strict):
    size: int | list[int] = Field(0, description="a number, or two of them (BOW A.4).")


class Documented(Strict):
    model_config = ConfigDict(use_attribute_docstrings=True)

    size: int = 0
    """How large it is, without a full stop"""


def test_a_description_says_what_a_value_should_be():
    with pytest.raises(InvalidValueError, match=r"^me: size: 'x' should be a number, or two of"):
        validated(Told, {"size": "x"}, "me")


def test_a_docstring_says_what_a_key_means_and_not_what_its_value_should_be():
    with pytest.raises(InvalidValueError, match=r"^me: size: 'x' should be a valid integer$"):
        validated(Documented, {"size": "x"}, "me")

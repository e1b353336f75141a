"""Signed: differences as text."""


def signed(number: float, digits: int) -> str:
    """Write a difference with its sign: ``+1.5``, ``-0.2``; what is rounded to zero has none: ``0.0``."""
    text = f"{number:+.{digits}f}"
    return text if float(text) else text[1:]

"""Damage to files: bytes flipped, ends cut off, lines lost, doubled or swapped."""

LINES = ("flip", "cut", "lose", "double", "swap")
"""What may happen to a file of lines."""


def flipped(content: bytes, where: int) -> bytes:
    """Return a content with one bit changed."""
    at = where % len(content)
    return content[:at] + bytes([content[at] ^ (1 << where % 8)]) + content[at + 1 :]


def damaged_lines(content: bytes, how: str, where: int) -> bytes:
    """Return a file of lines after one accident; where it happens is a number of any size."""
    if how == "flip":
        return flipped(content, where)
    if how == "cut":
        return content[: where % len(content)]
    lines = content.splitlines(keepends=True)
    at, other = where % len(lines), where // len(lines) % len(lines)
    if how == "lose":
        return b"".join(lines[:at] + lines[at + 1 :])
    if how == "double":
        return b"".join(lines[: at + 1] + lines[at:])
    lines[at], lines[other] = lines[other], lines[at]
    return b"".join(lines)

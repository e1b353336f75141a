"""Lab: parts of the throw lab.

- `lab_throw`: what is thrown, as a value.
- `own_things`: bodies and tables that a visitor has defined.
- `throw_fields`: what is asked.
- `interval_chart`: how the interval closes.
"""

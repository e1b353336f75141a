"""Pictures in true size, to be printed.

- `page`: figures whose unit is a millimetre, sizes of paper, the ruler that checks a print.
- `shelves`: rectangles side by side on pages.
- `odds_card`: the odds of one law as a card for the table.
- `army_page`: an army on pages: `army_card`s, and the `footprints` of what is large.
"""

"""The colours of pictures: those of Okabe and Ito [1]_, told apart with any kind of colour vision and in grey print.

Colour never says something alone: what has a colour also has a word, a shape or a line style of its own. Fills are
tints of the same hues, light enough for black text (contrast at least 12:1).

.. [1] M. Okabe and K. Ito, "Color Universal Design: how to make figures and presentations that are friendly to
   colorblind people", 2008.
"""

from __future__ import annotations

INK = "#1a1a1a"
FAINT = "#6b6b6b"
"""Secondary text and lines; 5:1 against white."""
LINE = "#4d4d4d"
PAPER = "#ffffff"
SHADE = "#f2f2f2"
"""Headers of boxes."""

ORANGE = "#e69f00"
SKY = "#56b4e9"
GREEN = "#009e73"
YELLOW = "#f0e442"
BLUE = "#0072b2"
VERMILLION = "#d55e00"
PURPLE = "#cc79a7"

TINTS = {
    ORANGE: "#fdf1d7",
    SKY: "#e3f2fc",
    GREEN: "#dcf2eb",
    YELLOW: "#fdfbdc",
    BLUE: "#dbe9f3",
    VERMILLION: "#fae3d4",
    PURPLE: "#f8e9f1",
}

SANS = "Helvetica,Arial,sans-serif"
MONO = "Menlo,DejaVu Sans Mono,Liberation Mono,monospace"
SIZE = 11
"""Points of text in boxes."""
SMALL = 9
"""Points of text on edges and in remarks."""

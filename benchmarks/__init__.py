"""The cost of analysis: growing programs, phase by phase, next to other tools where they are installed.

Each run measures everything anew and reuses no earlier result.
"""

import os

os.environ["BUFFERIZE_NO_CACHE"] = "1"

"""What analysis costs: growing programs, phase by phase, beside peers where they are installed.

What is measured is found out, never taken from an earlier run.
"""

import os

os.environ["BUFFERIZE_NO_CACHE"] = "1"

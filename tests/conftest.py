"""Settings of all tests."""

from hypothesis import settings

# How long an example takes depends on what else the machine does; speed is measured in `benchmarks/`.
settings.register_profile("no deadlines", deadline=None)
settings.load_profile("no deadlines")

"""Two lengths of the property tests: short by default, long with ``HYPOTHESIS_PROFILE=long`` in the environment."""

import os

from hypothesis import settings

settings.register_profile("short", max_examples=60, deadline=None)
settings.register_profile("long", max_examples=1500, deadline=None)
settings.load_profile("long" if os.environ.get("HYPOTHESIS_PROFILE") == "long" else "short")

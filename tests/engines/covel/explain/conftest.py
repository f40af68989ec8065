"""Random tests here have no deadline: a slow machine is no mistake of the code."""

from hypothesis import settings

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")

"""What holds for every test: hypothesis tries the same examples each time, so a failure is never a matter of luck."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("fixed", derandomize=True, database=None, deadline=None, max_examples=50)
settings.load_profile("fixed")

"""The small story, for tests that bend one thing of it at a time."""

import pytest
from small_story import Story


@pytest.fixture
def story() -> Story:
    """The small story."""
    return Story()

"""The centre of the window: two requests side by side, as aligned segments, as prose, and as text."""

"""The window. The only room with Qt."""

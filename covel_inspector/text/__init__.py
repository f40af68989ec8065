"""Strings and nothing else: UTF-16 and code points, units of reading, anchored differences, folding."""

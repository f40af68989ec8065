"""Explains what the other rooms build: why a lorebook entry is in or out, what of a plugin was sent, where a body's
values are from, and what in files and rows asks for trouble. Pure: values in, values out.
"""

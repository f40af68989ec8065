"""Lint: rules that look for trouble in requests, bodies, lorebooks and plugins.

Each finding has a place, a reason and a remedy. The rules work on the common nouns; what needs an engine's own files
and rows, the source finds itself.
"""

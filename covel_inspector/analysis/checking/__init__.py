"""Checks for continuous integration: rules from a file, run over a story, with what broke each."""

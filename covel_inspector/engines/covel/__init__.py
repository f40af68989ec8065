"""Covel: its database, its folders, its assembler rebuilt, and the way back from a recorded request."""

"""The embedded assembler: params in, assembled context and segment tree out. Pure.

Follows the reference on the assembler. ``assemble(params, pack)`` is in :mod:`.build`.
"""

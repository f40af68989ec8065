"""Compaction of history: when it runs, how much it may write, what the default strategy does, and what is stored.

Follows the reference on the assembler, section 16, and on the runtime, section 5. No model is called: replies are
given.
"""

"""The engine's request budget rebuilt: estimate, pruning, cuts, and compaction. Pure."""

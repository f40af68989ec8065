"""Works on the nouns of `domain` alone: tokens, pairing of segments, prefixes. Pure, and no engine is known."""

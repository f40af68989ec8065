"""One folder an engine. They never import each other; the rest of the house knows them as a `Source`."""

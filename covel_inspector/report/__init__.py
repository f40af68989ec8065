"""What analysis finds, as text, JSON and Markdown; and the catalogue that turns sentences into a language."""

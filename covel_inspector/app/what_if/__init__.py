"""Trying out what a request would be: changes by hand, drafts, editors. The story database is never written."""

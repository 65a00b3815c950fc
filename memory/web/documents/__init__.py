"""One document: read, edited, its facts."""

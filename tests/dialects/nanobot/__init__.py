"""A nanobot with its SQLite memory: a database made from the description, a bot writing to it, a reader of its own."""

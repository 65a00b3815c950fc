"""Pages that only a nanobot has."""

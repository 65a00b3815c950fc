"""Commands that only a nanobot has."""

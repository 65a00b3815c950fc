"""The commands that only a GolemCore has."""

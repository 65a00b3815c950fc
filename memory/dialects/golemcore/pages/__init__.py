"""Pages that only a GolemCore has."""

"""Pages that only a DiscoClaw has."""

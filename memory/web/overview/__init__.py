"""A bot at a glance."""

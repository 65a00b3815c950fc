"""Versions of a text: their lines compared, shown, and merged."""

"""Calls that bots made."""

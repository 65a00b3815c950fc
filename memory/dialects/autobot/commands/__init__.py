"""The commands that only an Autobot has."""

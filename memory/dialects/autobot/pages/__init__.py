"""The pages that only an Autobot has."""

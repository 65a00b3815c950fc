"""The days of a bot, and one day."""

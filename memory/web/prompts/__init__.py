"""What the bot reads."""

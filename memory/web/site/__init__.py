"""The site: bots, people, logging in, settings."""

"""The API at /api/v1/: a bot's memory for programs that have a token. One module for each group of operations."""

"""The API's tokens."""

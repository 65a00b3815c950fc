"""Facts with attributes in one table."""

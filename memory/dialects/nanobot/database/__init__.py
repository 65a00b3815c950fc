"""A nanobot's database as documents: a vault whose files are scopes and whose lines are rows."""

"""The sessions of a bot on the desk: where they lie, what they say, and what people and jobs do to them."""

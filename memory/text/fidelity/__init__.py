"""Whether what a language model made of facts still says what they said."""

"""What a text costs a language model."""

"""Old memory made smaller: by rules, by a language model, chat by chat."""

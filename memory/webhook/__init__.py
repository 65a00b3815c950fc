"""What bots report: the webhook, its signatures and secrets, each delivery once, what is captured of a turn or held until
somebody accepts it, an answer in the bot's place."""

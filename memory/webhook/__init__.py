"""What bots report: the webhook, its signatures and secrets, each delivery once, an answer in the bot's place."""

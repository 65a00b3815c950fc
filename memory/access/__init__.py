"""Who may come in: people, login links, sessions, tokens, rates; and secrets at rest."""

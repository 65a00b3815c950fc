"""The words of memory as plain types: tier, kind, document, fact, turn, prompt, plan, change; and what a dialect is."""

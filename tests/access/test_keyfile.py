from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest
from cryptography.fernet import Fernet

from memory.access import encryption, keyfile


def test_key_is_made_once_and_only_its_owner_may_read_it(tmp_path):
    numbers = count()
    keys = {keyfile.read_or_make(tmp_path / "key", lambda: f"key {next(numbers)}") for _ in range(3)}
    assert keys == {"key 0"}
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_key_is_the_same_for_all_who_start_together(tmp_path):
    numbers = count()
    with ThreadPoolExecutor(8) as pool:
        keys = set(
            pool.map(lambda _: keyfile.read_or_make(tmp_path / "key", lambda: f"key {next(numbers)}"), range(40))
        )
    assert len(keys) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_empty_key_file_is_an_error_and_stays(tmp_path):
    (tmp_path / "key").write_text("\n")
    with pytest.raises(OSError, match="empty"):
        keyfile.read_or_make(tmp_path / "key", lambda: "new")
    assert (tmp_path / "key").read_text() == "\n"


def test_sealed_secret_opens_again_and_does_not_show(settings, tmp_path):
    settings.KENOWEB_HOME = tmp_path
    sealed = encryption.seal(b"whsec_abc")
    assert b"whsec_abc" not in sealed
    assert encryption.unseal(sealed) == encryption.unseal(memoryview(sealed)) == b"whsec_abc"
    assert stat.S_IMODE((tmp_path / "seal_key").stat().st_mode) == 0o600


def test_sealed_secret_needs_its_own_key(settings, tmp_path):
    settings.KENOWEB_HOME = tmp_path
    sealed = encryption.seal(b"whsec_abc")
    (tmp_path / "seal_key").write_bytes(Fernet.generate_key())
    with pytest.raises(encryption.BrokenSeal, match="another key"):
        encryption.unseal(sealed)
    (tmp_path / "seal_key").write_text("no key")
    with pytest.raises(encryption.BrokenSeal, match="The seal_key file in KENOWEB_HOME doesn’t contain a key"):
        encryption.unseal(sealed)

from __future__ import annotations

import json
import os
import zipfile

import pytest

from memory.domain.changes import digest
from memory.models import ChangeSet


@pytest.fixture
def made(terminal, tmp_path):
    target = tmp_path / "out.zip"
    terminal.json("export", target)
    return target


def rewrite(path, change) -> None:
    """The same zip with other contents: `change` gets and gives name -> bytes."""
    with zipfile.ZipFile(path) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in change(contents).items():
            archive.writestr(name, data)


def manifest(contents: dict) -> dict:
    return json.loads(contents["manifest.json"])


def test_export_holds_everything_with_its_hashes(terminal, tmp_path):
    data = terminal.json("export", tmp_path / "out.zip")
    assert data == {"files": 7, "bytes": sum(map(len, terminal.tree().values())), "left_out": []}
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        listed = {one["path"]: one["sha256"] for one in json.loads(archive.read("manifest.json"))["files"]}
        assert archive.testzip() is None
    assert listed == {path: digest(text) for path, text in terminal.tree().items()}
    assert (tmp_path / "out.zip").stat().st_mode & 0o077 == 0


def test_export_leaves_out_what_cannot_be_read_and_names_it(terminal, tmp_path):
    whole = terminal.tree()
    (terminal.root / "2026-01-05.md").symlink_to("/etc/passwd")
    (terminal.root / "2026-01-06.md").symlink_to("gone.md")
    os.mkfifo(terminal.root / "2026-01-07.md")
    data = terminal.json("export", tmp_path / "out.zip")
    left = ["2026-01-05.md", "2026-01-06.md", "2026-01-07.md"]
    assert (data["files"], [one["path"] for one in data["left_out"]]) == (7, left)
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        told = json.loads(archive.read("manifest.json"))
        assert {name for name in archive.namelist() if name != "manifest.json"} == {f"memory/{path}" for path in whole}
    assert told["left_out"] == data["left_out"]
    assert (
        "2026-01-05.md is a link to a place outside the memory directory."
        in terminal("export", tmp_path / "out.zip").out
    )
    assert terminal.json("import", tmp_path / "out.zip")["unchanged"] == 7


def test_import_brings_back_what_differs(terminal, made):
    before = terminal.tree()
    (terminal.root / "MEMORY.md").write_text("- other\n")
    (terminal.root / "2026-01-02.md").unlink()
    data = terminal.json("import", made)
    assert (data["files"], data["unchanged"]) == (2, 5)
    assert sorted(data["written"]) == ["2026-01-02.md", "MEMORY.md"]
    assert terminal.tree() == before
    terminal.json("undo", data["change_set"])
    assert terminal.read("MEMORY.md") == "- other\n"


def test_import_dry_run_writes_nothing(terminal, made):
    (terminal.root / "MEMORY.md").write_text("- other\n")
    before = terminal.tree()
    data = terminal.json("import", made, "--dry-run")
    assert (data["files"], data["change_set"]) == (1, None)
    assert terminal.tree() == before


def test_import_into_an_empty_bot(terminal, made, tmp_path):
    (tmp_path / "new" / "memory").mkdir(parents=True)
    slug = terminal.json("add-bot", tmp_path / "new" / "memory", "--dialect", "kenobot")["slug"]
    assert terminal.json("import", made, "--bot", slug)["files"] == 7
    copied = {
        str(path.relative_to(tmp_path / "new" / "memory")): path.read_bytes()
        for path in (tmp_path / "new" / "memory").rglob("*.md")
    }
    assert copied == terminal.tree()


def tampered(contents):
    return {**contents, "memory/MEMORY.md": b"tampered"}


def without_a_document(contents):
    return {name: data for name, data in contents.items() if name != "memory/MEMORY.md"}


def without_manifest(contents):
    return {name: data for name, data in contents.items() if name != "manifest.json"}


def other_format(contents):
    return {**contents, "manifest.json": b'{"format": "another"}'}


def deep_manifest(contents):
    return {**contents, "manifest.json": b"[" * 100_000}


def twice_the_same(contents):
    found = manifest(contents)
    return {**contents, "manifest.json": json.dumps({**found, "files": found["files"] * 2}).encode()}


def strange_entries(contents):
    return {**contents, "manifest.json": json.dumps({**manifest(contents), "files": [3]}).encode()}


@pytest.mark.parametrize(
    "change",
    [tampered, without_a_document, without_manifest, other_format, deep_manifest, twice_the_same, strange_entries],
)
def test_import_of_a_broken_export_writes_nothing(terminal, made, change):
    (terminal.root / "2026-01-02.md").unlink()
    before = terminal.tree()
    rewrite(made, change)
    terminal.refused("import", made)
    assert terminal.tree() == before
    assert not ChangeSet.objects.filter(kind="import").exists()


def test_import_leaves_the_root_alone_that_a_path_points_out_of(terminal, made, tmp_path):
    def out(contents):
        entry = {"path": "../../evil.md", "sha256": digest(b"x")}
        return {
            **contents,
            "memory/../../evil.md": b"x",
            "manifest.json": json.dumps({**manifest(contents), "files": [entry]}).encode(),
        }

    rewrite(made, out)
    data = terminal.json("import", made)
    assert data["files"] == 0
    assert data["skipped"][0]["path"] == "../../evil.md"
    assert not list(tmp_path.rglob("evil.md"))


def test_import_of_what_is_no_zip_is_refused(terminal, tmp_path):
    (tmp_path / "x.zip").write_text("no zip")
    terminal.refused("import", tmp_path / "x.zip")
    terminal.refused("import", tmp_path / "missing.zip")


def test_export_over_what_is_no_zip_is_refused(terminal, tmp_path):
    terminal.refused("export", terminal.root / "MEMORY.md")
    terminal.refused("export", tmp_path / "missing" / "out.zip")
    terminal.json("export", tmp_path / "out.zip")
    terminal.json("export", tmp_path / "out.zip")

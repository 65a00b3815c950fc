"""What somebody might hand in at the doors to lead us astray: exports made by hand, directories that are none of a bot's."""

from __future__ import annotations

import contextlib
import json
import stat
import zipfile

import pytest

from memory import registry
from memory.domain.changes import digest
from memory.domain.errors import Refusal
from memory.models import Bot
from memory.registry import export_zip, import_zip
from tests.journal.conftest import ANA

DATA = b"- x\n"


def manifest(paths, **more):
    files = [{"path": path, "sha256": digest(DATA)} for path in paths]
    return json.dumps({"format": export_zip.FORMAT, "dialect": "kenobot", "files": files, **more})


def made(folder, names, index, mode=stat.S_IFREG | 0o644):
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        for name in names:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            archive.writestr(info, DATA)
        archive.writestr("manifest.json", index)
    return folder / "a.zip"


OUTSIDE = [
    ("../x.md", "memory/../x.md"),
    ("/etc/x.md", "memory//etc/x.md"),
    ("chats/../../x/MEMORY.md", "memory/chats/../../x/MEMORY.md"),
    ("@sessions/../x.jsonl", "sessions/../x.jsonl"),
    ("@evil/MEMORY.md", "evil/MEMORY.md"),
    ("chats/%00/MEMORY.md", "memory/chats/\0/MEMORY.md"),
    ("%2e%2e/x.md", "memory/../x.md"),
    ("working/../../x.md", "memory/working/../../x.md"),
]


@pytest.mark.parametrize(("path", "name"), OUTSIDE)
def test_import_writes_nothing_outside(desk, tmp_path, path, name):
    before = {one for one in tmp_path.rglob("*") if one.name != "a.zip"}
    source = made(tmp_path, [name], manifest([path]))
    with contextlib.suppress(Refusal):
        assert import_zip.bring_in(desk.bot, source, ANA).written == ()
    assert {one for one in tmp_path.rglob("*") if one.name != "a.zip"} == before


@pytest.mark.parametrize("path", ["working/.kenoweb-1.md", "chats/.kenoweb-1/MEMORY.md"])
def test_import_names_no_hidden_name_as_new(desk, tmp_path, path):
    source = made(tmp_path, [f"memory/{path}", "memory/MEMORY.md"], manifest([path, "MEMORY.md"]))
    assert {item.path: item.state for item in import_zip.examine(desk.bot, source)} == {
        path: import_zip.State.LEFT_OUT,
        "MEMORY.md": import_zip.State.NEW,
    }
    assert import_zip.bring_in(desk.bot, source, ANA).written == ("MEMORY.md",)


@pytest.mark.parametrize(
    "paths",
    [["MEMORY.md", "MEMORY.md"], ["MEMORY.md", "MEMORY%2emd"], ["MEMORY.md", "@memory/MEMORY.md"], [""], ["%zz"]],
)
def test_import_refuses_a_manifest_that_names_one_document_twice_or_none(desk, tmp_path, paths):
    with pytest.raises(Refusal):
        import_zip.bring_in(desk.bot, made(tmp_path, ["memory/MEMORY.md"], manifest(paths)), ANA)
    assert desk.tree() == {}


def test_import_takes_a_link_in_a_zip_for_text(desk, tmp_path):
    source = made(tmp_path, ["memory/MEMORY.md"], manifest(["MEMORY.md"]), stat.S_IFLNK | 0o777)
    import_zip.bring_in(desk.bot, source, ANA)
    assert not (desk.root / "MEMORY.md").is_symlink()
    assert desk.read("MEMORY.md") == DATA


@pytest.mark.parametrize("index", ["[]", "null", "{", "[" * 100_000, '{"format": 1}', manifest([], files="x")])
def test_import_refuses_what_is_no_manifest(desk, tmp_path, index):
    with pytest.raises(Refusal, match="Nothing was written"):
        import_zip.bring_in(desk.bot, made(tmp_path, [], index), ANA)


def test_import_stops_at_a_document_that_unpacks_endlessly(desk, tmp_path, monkeypatch):
    monkeypatch.setattr(import_zip, "LARGEST_FILE", 1000)
    data = b"\0" * 100_000
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("memory/MEMORY.md", data)
        archive.writestr("manifest.json", manifest([], files=[{"path": "MEMORY.md", "sha256": digest(data)}]))
    with pytest.raises(Refusal, match="too large"):
        import_zip.bring_in(desk.bot, tmp_path / "a.zip", ANA)
    assert desk.tree() == {}


def bomb(folder, documents, index=None):
    """An export whose documents, all zeros, are a thousand times smaller as they are sent."""
    with zipfile.ZipFile(folder / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in documents.items():
            archive.writestr(f"memory/{path}", data)
        files = [{"path": path, "sha256": digest(data)} for path, data in documents.items()]
        archive.writestr("manifest.json", manifest([], files=files) if index is None else index)
    return folder / "a.zip"


def test_import_refuses_more_than_memory_has_room_for(desk, tmp_path, monkeypatch):
    monkeypatch.setattr(import_zip, "LARGEST_WRITTEN", 250_000)
    data = b"\0" * 100_000
    source = bomb(tmp_path, {f"2026-01-0{day}.md": data for day in (1, 2, 3)})
    with pytest.raises(Refusal, match="too large"):
        import_zip.examine(desk.bot, source)


def test_import_does_not_unfold_a_manifest_of_nothing_but_brackets(desk, tmp_path):
    source = bomb(tmp_path, {}, b"[" + b"[]," * (20 << 20) + b"0]")
    with pytest.raises(Refusal, match="too large"):
        import_zip.examine(desk.bot, source)


@pytest.mark.parametrize("where", ["/", "~", "", "\0", "home", "home/..", "link to the root"])
def test_directories_that_hold_more_than_a_memory_are_refused(desk, tmp_path, monkeypatch, where):
    (tmp_path / "link to the root").symlink_to("/")
    (tmp_path / "MEMORY.md").write_text("- x\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Refusal) as refused:
        registry.add(where, "kenobot")
    assert str(tmp_path) not in str(refused.value)
    assert Bot.objects.count() == 1


@pytest.mark.parametrize(
    "query",
    ["documents/?day=%00", "documents/?day=%ff%27", "history/?kind=%00&page=-9", "compaction?fate=%00&page=1e9"],
)
def test_addresses_with_nonsense_in_them_show_a_page(ana, query):
    assert ana.client.get(f"/keno/{query}").status_code == 200

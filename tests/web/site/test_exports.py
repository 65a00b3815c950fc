from __future__ import annotations

import io
import json
import os
import time
import zipfile

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from memory import index
from memory.domain.changes import digest
from memory.models import ChangeSet
from memory.registry import export_zip
from memory.web.site import exports as views
from tests.web.conftest import Visitor, make_bot


def download(desk):
    answer = desk.client.post("/keno/export/file")
    assert answer.status_code == 200
    return answer, b"".join(answer.streaming_content)


def sent(desk, data, name="rosa.zip"):
    """The page that is shown after a file was sent."""
    return desk.post("import", file=SimpleUploadedFile(name, data))


def zipped(files, dialect="kenobot"):
    """An export made by hand."""
    file = io.BytesIO()
    listed = [{"path": path, "sha256": digest(data)} for path, data in files.items()]
    with zipfile.ZipFile(file, "w") as archive:
        for path, data in files.items():
            archive.writestr(f"memory/{path}", data)
        archive.writestr(
            "manifest.json", json.dumps({"format": export_zip.FORMAT, "dialect": dialect, "files": listed})
        )
    return file.getvalue()


def decide(desk, page, act):
    return desk._page(desk.client.post(page.response.request["PATH_INFO"] + "/decide", {"act": act}, follow=True))


def kept(settings):
    folder = settings.KENOWEB_HOME / "imports"
    return sorted(folder.iterdir()) if folder.exists() else []


def test_export_is_a_zip_with_everything_and_leaves_nothing_behind(desk, settings):
    desk.write("chats/telegram-1/2026-03-01.md", "## 10:00 — hola\n")
    before = set(settings.KENOWEB_HOME.rglob("*"))
    answer, data = download(desk)
    assert answer["Content-Type"] == "application/zip"
    assert answer["Content-Disposition"].startswith('attachment; filename="kenobot-2')
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.read("memory/MEMORY.md").decode() == desk.read()
        listed = json.loads(archive.read("manifest.json"))["files"]
    assert [one["path"] for one in listed] == ["MEMORY.md", "chats/telegram-1/2026-03-01.md"]
    assert {one for one in settings.KENOWEB_HOME.rglob("*") if one.is_file()} <= before


def test_export_of_what_cannot_be_read_says_so(desk):
    desk.root.rename(desk.root.parent / "away")
    page = desk.post("export/file")
    assert page.status == 409
    assert "Nothing was exported" in page.text
    assert str(desk.root) not in page.text


def test_export_leaves_out_what_cannot_be_read_and_the_page_names_it(desk):
    assert "not in the ZIP file" not in desk.get("export").text
    (desk.root / "2026-03-01.md").symlink_to("/etc/passwd")
    os.mkfifo(desk.root / "2026-03-02.md")
    index.refresh(desk.bot)
    notice = desk.get("export").soup.select_one("form .notice").get_text(" ", strip=True)
    assert "2 files can’t be read and are not in the ZIP file." in notice
    assert "2026-03-01.md : 2026-03-01.md is a link to a place outside the memory directory." in notice
    _answer, data = download(desk)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert sorted(archive.namelist()) == ["manifest.json", "memory/MEMORY.md"]
        left = json.loads(archive.read("manifest.json"))["left_out"]
    assert [one["path"] for one in left] == ["2026-03-01.md", "2026-03-02.md"]


def test_import_is_shown_before_anything_is_written(desk):
    desk.write("2026-03-01.md", "## 10:00 — same\n")
    files = {
        "MEMORY.md": b"# KenoBot Memory\n\n- other\n- lines\n",
        "2026-03-01.md": b"## 10:00 \xe2\x80\x94 same\n",
        "2026-03-02.md": b"## 10:00 - new\n",
        "notes.txt": b"x",
    }
    before = desk.read()
    page = sent(desk, zipped(files))
    rows = [" ".join(row.get_text(" ").split()) for row in page.soup.select(".rows li")]
    assert rows == [
        "2026-03-02.md 15 bytes new",
        "MEMORY.md +2 −3 lines · 86 bytes → 34 bytes changed",
        "notes.txt not a file of this bot skipped",
    ]
    assert "Import 2 files" in page.text
    assert "rosa.zip" in page.text
    assert desk.read() == before
    same = desk.get(page.response.request["PATH_INFO"].removeprefix("/keno/"), state="same")
    assert "2026-03-01.md" in same.text


def test_import_is_written_as_one_change_that_can_be_undone(desk, settings):
    before = desk.read()
    page = sent(desk, zipped({"MEMORY.md": b"- mine\n", "2026-03-02.md": b"## 10:00 - new\n"}))
    after = decide(desk, page, "write")
    assert "Imported 2 files" in after.text
    made = ChangeSet.objects.get(kind="import")
    assert (made.why, made.by) == ("Import of rosa.zip", "ana")
    assert (desk.read(), desk.read("2026-03-02.md")) == ("- mine\n", "## 10:00 - new\n")
    assert kept(settings) == []
    desk.post(f"changes/{made.pk}/undo")
    assert desk.read() == before
    assert not (desk.root / "2026-03-02.md").exists()


def test_an_import_is_off_while_the_memory_is_out_of_reach(desk):
    page = sent(desk, zipped({"2026-03-02.md": b"## 10:00 - new\n"}))
    where = page.response.redirect_chain[-1][0].removeprefix("/keno/")
    desk.root.rename(desk.root.with_name("elsewhere"))
    writes, drops = (desk.get(where).soup.find("button", {"name": "act", "value": one}) for one in ("write", "drop"))
    assert writes["aria-describedby"] == "held"
    assert "disabled" in writes.attrs
    assert "disabled" not in drops.attrs


def test_dropped_import_writes_nothing_and_is_gone(desk, settings):
    before = desk.read()
    page = sent(desk, zipped({"MEMORY.md": b"- mine\n"}))
    assert "Import discarded. Nothing was written." in decide(desk, page, "drop").text
    assert desk.read() == before
    assert kept(settings) == []
    again = decide(desk, page, "write")
    assert again.status == 404
    assert "This import is finished, discarded or older than an hour. Upload the file again." in again.text
    assert desk.read() == before


def test_only_what_was_shown_is_written(desk):
    page = sent(desk, zipped({"MEMORY.md": b"- mine\n", "2026-03-02.md": b"## 10:00 - new\n"}))
    desk.append("MEMORY.md", "- the bot wrote this\n")
    after = decide(desk, page, "write")
    assert "The memory has changed. Nothing was written; check the updated preview." in after.text
    assert "the bot wrote this" in desk.read()
    assert not (desk.root / "2026-03-02.md").exists()
    assert "Imported 2 files" in decide(desk, page, "write").text
    assert desk.read() == "- mine\n"


def test_import_belongs_to_whoever_sent_it_and_to_its_bot(desk, tmp_path):
    page = sent(desk, zipped({"MEMORY.md": b"- mine\n"}))
    path = page.response.request["PATH_INFO"]
    ben = Client()
    ben.force_login(User.objects.create_superuser("ben"))
    make_bot(tmp_path, "other")
    before = desk.read()
    for client, where in ((ben, path), (desk.client, path.replace("/keno/", "/other/"))):
        assert client.get(where).status_code == 404
        assert client.post(f"{where}/decide", {"act": "write"}).status_code == 404
    assert desk.read() == before


def test_import_is_over_after_an_hour(desk, settings):
    page = sent(desk, zipped({"MEMORY.md": b"- mine\n"}))
    files = kept(settings)
    assert len(files) == 2
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert files[0].parent.stat().st_mode & 0o777 == 0o700
    for path in files:
        os.utime(path, (time.time() - 3601, time.time() - 3601))
    assert decide(desk, page, "write").status == 404
    assert kept(settings) == []


def test_second_file_takes_the_place_of_the_first(desk, settings):
    sent(desk, zipped({"MEMORY.md": b"- one\n"}))
    sent(desk, zipped({"MEMORY.md": b"- two\n"}))
    assert len(kept(settings)) == 2


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"no zip at all", "This isn’t a readable ZIP file. Nothing was written."),
        (zipped({}, dialect="parrot"), "This export is from another type of bot, parrot. Nothing was written."),
        (
            zipped({"MEMORY.md": b"x"}).replace(b"kenoweb-export-1", b"kenoweb-export-9"),
            "This isn’t a readable ZIP file. Nothing was written.",
        ),
    ],
)
def test_file_that_is_no_export_is_refused_and_not_kept(desk, settings, data, why):
    page = sent(desk, data)
    assert page.status == 422
    assert why in page.text
    assert str(settings.KENOWEB_HOME) not in page.text
    assert kept(settings) == []


def test_nothing_sent_is_said(desk):
    assert desk.post("import").status == 422


def test_file_over_the_limit_is_refused_before_it_is_read(desk, monkeypatch, settings):
    monkeypatch.setattr(views, "LARGEST_UPLOAD", 100)
    page = sent(desk, zipped({"MEMORY.md": b"- mine\n"}))
    assert page.status == 413
    assert kept(settings) == []


def test_upload_from_another_site_is_refused(desk, settings):
    client = Client(enforce_csrf_checks=True)
    client.force_login(desk.user)
    answer = client.post("/keno/import", {"file": SimpleUploadedFile("a.zip", zipped({"MEMORY.md": b"x"}))})
    assert answer.status_code == 403
    assert kept(settings) == []


@pytest.mark.parametrize("token", ["x", "..%2f..%2fkenoweb", "a" * 5000, "%00" * 20, "*" * 24])
def test_tokens_that_nobody_gave_out_lead_nowhere(desk, token):
    assert desk.client.get(f"/keno/import/{token}").status_code == 404


def test_hostile_names_in_an_export_are_shown_as_text(desk):
    page = sent(desk, zipped({"chats/<script>alert(1)<%2fscript>/MEMORY.md": b"x"}), name="<b>.zip")
    assert page.status in (200, 422)
    assert not page.soup.find("script", string="alert(1)")


def test_import_into_a_bot_that_has_none_of_it(desk, tmp_path):
    desk.write("chats/telegram-1/MEMORY.md", "- hola\n")
    _, data = download(desk)
    bot, root = make_bot(tmp_path, "other")
    other = Visitor(bot, root, desk.user)
    page = other.post("import", file=SimpleUploadedFile("keno.zip", data))
    assert "New 2" in page.text
    other.client.post(page.response.request["PATH_INFO"] + "/decide", {"act": "write"})
    assert other.read("chats/telegram-1/MEMORY.md") == "- hola\n"

"""What operators find in the admin, how it looks, and that it leads back to the desk."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from django.apps import apps
from django.contrib import admin
from django.urls import reverse
from django.utils import timezone

from memory import index, journal
from memory.admin import SHOWN, details
from memory.domain.changes import Append
from memory.models import Delivery, Job

ROOT = Path(__file__).parents[2]


def look(operator, url):
    return BeautifulSoup(operator.get(url).content, "lxml")


def test_operators_find_five_lists_by_their_names(operator, bot):
    page = look(operator, reverse("admin:index"))
    assert [link.get_text() for link in page.select("#content-main th a")] == [
        *("Bots", "Changes", "Deliveries", "Jobs", "People"),
    ]
    assert set(SHOWN) == {model for model in apps.get_models() if admin.site.is_registered(model)}
    assert set(apps.get_app_config("memory").get_models()) <= {*SHOWN, *details}
    titles = [look(operator, link["href"]).h1.get_text() for link in page.select("#content-main th a")]
    assert titles == [
        *("Select bot to change", "Select change to view", "Select delivery to view", "Select job to view"),
        "Select person to change",
    ]


def test_way_above_people_leads_to_the_list_that_they_are_in(operator):
    way = look(operator, reverse("admin:auth_user_changelist")).select(".breadcrumbs a")
    assert [step.get_text(strip=True) for step in way] == ["Home", "Kenoweb"]
    listed = look(operator, way[1]["href"]).select("#content-main th a")
    assert [link.get_text() for link in listed] == ["Bots", "Changes", "Deliveries", "Jobs", "People"]


def test_names_are_in_the_readers_language(operator, bot):
    answer = operator.get(reverse("admin:index"), headers={"Accept-Language": "es"})
    page = BeautifulSoup(answer.content, "lxml")
    names = [link.get_text() for link in page.select("#content-main th a")]
    assert names == ["Bots", "Cambios", "Entregas", "Tareas", "Personas"]


def rows(page):
    """Each row of a list by its heads, without the time."""
    heads = [head.get_text(strip=True) for head in page.select("#result_list thead .text")]
    cells = [[cell.get_text(strip=True) for cell in row(("th", "td"))] for row in page.select("#result_list tbody tr")]
    return [dict(zip(heads, row, strict=True)) for row in cells]


def test_changes_and_jobs_are_in_the_words_of_the_desk(operator, bot, root):
    index.refresh(bot)
    with (root / "MEMORY.md").open("a") as file:
        file.write("- Somebody else wrote this\n")
    index.refresh(bot)
    changes = rows(look(operator, reverse("admin:memory_changeset_changelist")))
    assert [(one["Kind"], one["Author"], one["State"], one["Reason"]) for one in changes] == [
        ("Edited outside Kenoweb", "edited outside Kenoweb", "-", "-"),
        ("First import", "Kenoweb", "-", "First import"),
    ]
    now = timezone.now()
    wanted = {"kind": Job.Kind.UNDO, "state": Job.State.APPLIED, "params": {"change": 1}}
    Job.objects.create(bot=bot, by="schedule", created=now, run_after=now, done=226, total=237, **wanted)
    listed = reverse("admin:memory_job_changelist")
    (job,) = rows(look(operator, listed))
    assert (job["Kind"], job["State"], job["Author"]) == ("Undo", "finished", "schedule")
    page = look(operator, f"{listed}{Job.objects.get().pk}/change/")
    assert "226" not in page.get_text()
    assert page.select_one(".field-how_far .readonly").get_text() == "-"
    assert len(rows(look(operator, f"{listed}?state=applied"))) == 1
    assert rows(look(operator, f"{listed}?state=failed")) == []


def test_heads_and_values_are_in_the_readers_language(operator, bot):
    index.refresh(bot)
    answer = operator.get(reverse("admin:memory_changeset_changelist"), headers={"Accept-Language": "es"})
    page = BeautifulSoup(answer.content, "lxml")
    (change,) = rows(page)
    assert list(change) == ["ID", "Bot", "Clase", "Autor", "Estado", "Motivo", "Creación"]
    assert (change["Clase"], change["Motivo"]) == ("Primera importación", "Primera importación")
    assert "Editado fuera de Kenoweb" in page.select_one("#changelist-filter").get_text()


@pytest.mark.slow
def test_with_debug_everything_is_there(tmp_path):
    code = (
        "import django; django.setup(); from django.contrib import admin; admin.autodiscover();"
        "from django.apps import apps;"
        "print(all(map(admin.site.is_registered, apps.get_app_config('memory').get_models())))"
    )
    environment = {"DJANGO_SETTINGS_MODULE": "kenoweb.settings", "DEBUG": "1", "KENOWEB_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "True", done.stderr


def test_rows_lead_to_their_pages_on_the_desk(operator, owner, bot):
    made = journal.commit(bot, [Append("2026-03-11.md", b"## 10:00 - x\n\n")], by=journal.By("Ana"), kind="edit")
    now = timezone.now()
    call = Delivery.objects.create(bot=bot, body_sha256="0" * 64, session_id="http-7", received=now)
    job = Job.objects.create(bot=bot, kind=Job.Kind.SUMMARY, by="Ana", created=now, run_after=now)
    rows = {
        bot: "/keno/",
        made.change_set: f"/keno/changes/{made.change_set.pk}",
        call: f"/keno/webhooks/{call.pk}",
        job: f"/keno/jobs/{job.pk}",
        owner: f"/people/{owner.pk}",
    }
    for row, url in rows.items():
        address = reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])
        page = look(operator, address)
        assert page.select_one(".viewsitelink")["href"] == url
        assert operator.get(url).status_code == 200
        assert page.find("a", href="/")
    bot.removed = now
    bot.save()
    page = look(operator, reverse("admin:memory_delivery_change", args=[call.pk]))
    assert page.select_one(".viewsitelink") is None


def test_it_has_the_desks_colours_and_follows_its_theme(operator, bot):
    page = look(operator, reverse("admin:index"))
    sheets = [link["href"] for link in page.select("link[rel=stylesheet]")]
    assert any("memory/tokens" in sheet for sheet in sheets)
    assert not any("dark_mode" in sheet for sheet in sheets)
    assert "theme-dark" not in page.body["class"]
    operator.post("/theme", {"theme": "dark"})
    assert "theme-dark" in look(operator, reverse("admin:index")).body["class"]

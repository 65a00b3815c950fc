"""Each benchmark runs at tiny sizes, keeps its promises there, and prints one JSON object."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.support.amounts import LONG

ROOT = Path(__file__).resolve().parents[2]
slow = pytest.mark.slow
long = pytest.mark.skipif(not LONG, reason="it starts servers that no promise of the suite needs: make test-long")


@pytest.fixture
def measured_here(transactional_db, tmp_path, monkeypatch, capsys):
    """The same of a benchmark that needs no server, in this process."""

    def measured(name, *options):
        monkeypatch.setattr(sys, "argv", [name, "--json", "--dir", str(tmp_path), *options])
        code = import_module(f"bench.{name}").main()
        assert list(tmp_path.iterdir()) == []
        return json.loads(capsys.readouterr().out), code

    return measured


def measured(name, tmp_path, *options, seconds=200):
    """What a benchmark prints with --json, and what it returned."""
    words = [sys.executable, str(ROOT / "bench" / f"{name}.py"), "--json", "--dir", str(tmp_path), *options]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=seconds)
    assert done.stdout, done.stderr
    assert list(tmp_path.iterdir()) == []
    return json.loads(done.stdout), done


def test_compaction_bench_keeps_every_fact_and_undoes(measured_here):
    found, code = measured_here("compaction", "--sizes", "60,120", "--runs", "1")

    assert code == 0, found["broken"]
    assert [(row["entries"], row["files"], row["lost"], row["restored"]) for row in found["rows"]] == [
        (60, 2, 0, True),
        (120, 3, 0, True),
    ]
    assert all(row["seconds"] > 0 for row in found["rows"])


def test_findings_bench_finds_what_is_there_and_nothing_else(measured_here):
    found, code = measured_here("findings", "--sizes", "60,1100")

    assert code == 0, found["broken"]
    assert [(row["facts"], row["contradictions"], row["secrets"], row["findings"]) for row in found["rows"]] == [
        (60, 1, 1, 2),
        (1100, 2, 1, 3),
    ]


def test_refresh_bench_counts_what_it_made(measured_here):
    found, code = measured_here("refresh", "--chats", "6", "--days", "4", "--facts", "33", "--rounds", "2")

    assert code == 0, found["broken"]
    assert (found["documents"], found["facts"]) == (10, 33)
    assert found["bare_seconds"] > 0
    assert found["unchanged_seconds"] > 0


@pytest.mark.slow
def test_history_bench_reads_every_version_back(tmp_path):
    """In a database of its own: what other tests left in the full text index is merged when it likes, and frees pages."""
    found, done = measured("history", tmp_path, "--edits", "12", "--size", "60000", "--turns", "30")

    assert done.returncode == 0, found["broken"]
    assert found["bytes_an_edit"] < 4_000
    assert found["bytes_a_turn"] > found["bytes_in_files_a_turn"] > 0


@long
@slow
def test_workspace_bench_opens_every_page(tmp_path):
    found, done = measured("workspace", tmp_path, "--files", "20", "--bytes", "100000", "--rounds", "1")

    assert done.returncode == 0, found["broken"]
    assert found["changed_again"] == 0
    assert found["documents"] > 20
    assert {row["outcome"] for row in found["rows"]} == {"page"}


@long
@slow
def test_nanobot_bench_opens_every_page_and_loses_nothing(tmp_path):
    sizes = ("--entries", "200", "--scopes", "6", "--long", "60", "--questions", "2", "--rounds", "1", "--seconds", "1")
    found, done = measured("nanobot", tmp_path, *sizes)

    assert done.returncode == 0, found["broken"]
    assert [one["locked"] for one in found["commits"]] == [0, 0]
    assert all(one["saved"] for one in found["commits"])
    assert found["commits"][1]["ours"] > 0
    assert {row["outcome"] for row in found["pages"]} == {"page"}
    assert all(found["walks"].values())


@slow
def test_late_appends_bench_finds_every_line_once(tmp_path):
    found, _ = measured("late_appends", tmp_path, "--lines", "30", "--saves", "4")

    assert (found["lost"], found["doubled"], found["pending"], found["left_behind"]) == (0, 0, 0, 0)
    assert len(found["rows"]) == 6
    assert found["saves"] + found["conflicts"] + found["refused"] >= 4


@long
@slow
def test_webhook_bench_finds_every_answered_turn_after_a_kill(tmp_path):
    options = ["--seconds", "0.3", "--rounds", "1", "--connections", "3", "--kill-after", "0.5"]
    found, done = measured("webhook", tmp_path, *options)

    assert done.returncode == 0, found["broken"]
    assert (found["missing"], found["doubled"], found["kill"]["missing"]) == (0, 0, 0)
    assert [row["answers"] > 0 for row in found["rows"]] == [True, True, True, True]
    assert all(row["refused"] == {} for row in found["rows"])
    assert found["fsync_appends"] is False


@long
@slow
def test_logins_bench_answers_all_and_keeps_its_memory(tmp_path):
    found, done = measured("logins", tmp_path, "--logins", "12")

    assert done.returncode == 0, found["broken"]
    assert sum(found["answers"].values()) == 12
    assert found["memory_before"] > 0


@long
@slow
def test_memory_bench_does_all_the_work_and_says_what_is_held(tmp_path):
    sizes = ("--chats", "3", "--days", "5", "--facts", "20", "--entries", "30")
    found, done = measured(
        "memory", tmp_path, "--turns", "20", "--pages", "30", "--portions", "2", "--rest", "0.1", *sizes
    )

    assert done.returncode == 0, found["broken"]
    assert (found["turns"], found["pages"], found["failed"]) == (20, 30, [])
    assert [row["when"] for row in found["rows"]] == ["at the start", "after the work", "after a rest"]
    assert all(row["rss"] > row["pss"] > 0 for row in found["rows"])


@slow
def test_jobs_bench_does_each_once(tmp_path):
    options = ["--jobs", "12", "--workers", "2", "--rounds", "1", "--only", "sqlite"]
    found, done = measured("jobs", tmp_path, *options)

    assert done.returncode == 0, found["broken"]
    assert [(row["workers"], row["what"]) for row in found["rows"]] == [
        (2, "bare tasks"),
        (2, "jobs"),
    ]
    assert all((row["missing"], row["doubled"], row["not_ended"]) == (0, 0, 0) for row in found["rows"])
    assert all(row["per_second"] > 0 for row in found["rows"])


def test_jobs_bench_says_what_was_doubled():
    from bench import jobs

    row = {"database": "SQLite", "workers": 4, "what": "jobs", "missing": 0, "doubled": 2, "not_ended": 1}
    assert jobs.broken({"rows": [row]}) == [
        "SQLite, 4 workers, jobs: 2 doubled.",
        "SQLite, 4 workers, jobs: 1 did not end as done at the first attempt.",
    ]


@slow
def test_search_bench_asks_every_kind_and_greps(tmp_path):
    found, done = measured("search", tmp_path, "--sizes", "300", "--questions", "3")

    assert done.returncode == 0, found["broken"]
    assert [(run["engine"], run["facts"], run["files"]) for run in found["runs"]] == [
        ("SQLite", 300, 3),
    ]
    for run in found["runs"]:
        assert len(run["kinds"]) == 6
        assert all((row["questions"], row["answered"]) == (3, 3) for row in run["kinds"].values())
        assert all(row[way]["p50_seconds"] > 0 for row in run["kinds"].values() for way in ("ours", "bare"))
        assert all(seconds > 0 for seconds in run["grep_seconds"].values())
        assert 0 < run["words_bytes"] < run["database_bytes"]


@pytest.mark.slow
def test_made_up_words_are_as_frequent_as_a_languages():
    from bench.parts import lexicon

    texts = list(lexicon.texts(2_000))
    words = [word for text in texts for word in text.split()]
    assert texts[:50] == list(lexicon.texts(50))
    assert words.count("the") > 10 * words.count(lexicon.lexicon()[20]) > 0
    assert len(set(words)) > 5_000


TALK = {
    "session_1_date_time": "11:58 pm on 3 May, 2025",
    "session_1": [
        {"speaker": "Ana", "dia_id": "D1:1", "text": "I bought a boat.\nA red one.", "blip_caption": "a harbour"},
        {"speaker": "Marta", "dia_id": "D1:2", "text": "Good for you"},
        {"speaker": "Ana", "dia_id": "D1:3", "text": "It sails well"},
    ],
    "session_2_date_time": "1:56 am on 8 May, 2025",
    "session_2": [
        {"speaker": "Marta", "dia_id": "D2:1", "text": "I paint now"},
        {"speaker": "Ana", "dia_id": "D2:2", "text": "Lovely"},
    ],
    "session_3_date_time": "6:10 pm on 8 May, 2025",
    "session_3": [{"speaker": "Marta", "dia_id": "D3:1", "text": "The boat is painted"}],
    "qa": [
        {"question": "What did Ana buy?", "evidence": ["D1:1"], "category": 4},
        {"question": "Who painted boats?", "evidence": ["D02:1; D3:1", "D:9:9"], "category": 1},
        {"question": "Which harbours are shown?", "evidence": ["D1:1"], "category": 4},
        {"question": "Who knows?", "evidence": [], "category": 5},
    ],
}


def conversations(directory, *names):
    directory.mkdir()
    for name in names:
        (directory / f"{name}.json").write_text(json.dumps(TALK), encoding="utf-8")
    return str(directory)


def test_recall_bench_compares_both_ways(measured_here, tmp_path_factory):
    data = conversations(tmp_path_factory.mktemp("talks") / "data", "one", "two", "three")
    found, code = measured_here("recall", "--data", data, "--fit", "one,three")

    assert code == 0
    assert found["turns"] == 18
    assert [part["title"] for part in found["parts"]] == ["fitted on one, three", "held out two"]
    fitted, held_out = ({row["category"]: row for row in part["rows"]} for part in found["parts"])
    assert {name: row["questions"] for name, row in fitted.items()} == {"several turns": 2, "one turn": 4, "1 to 4": 6}
    assert held_out["1 to 4"]["questions"] == 3
    assert held_out["several turns"]["ours"]["recall_5"] == 1.0
    assert held_out["one turn"]["bm25"]["recall_10"] == 0.5  # "harbours" and "buy" are no words of any turn
    assert held_out["one turn"]["ours"]["recall_10"] == 1.0


def test_recall_bench_writes_a_log_a_day_and_knows_its_lines(tmp_path):
    from bench.parts import talks

    (talk,) = talks.read(Path(conversations(tmp_path / "data", "one")))
    where = talks.write(talk, tmp_path / "bot")

    assert sorted(path.name for path in (tmp_path / "bot").iterdir()) == ["2025-05-03.md", "2025-05-08.md"]
    assert (tmp_path / "bot" / "2025-05-03.md").read_text(encoding="utf-8").splitlines() == [
        "## 23:58 — Ana: I bought a boat. A red one. [a harbour]",
        "",
        "## 23:59 — Marta: Good for you",
        "",
        "## 23:59 — Ana: It sails well",
        "",
    ]
    assert where["2025-05-08.md", 5] == "D3:1"
    assert [question.answers for question in talk.questions] == [{"D1:1"}, {"D2:1", "D3:1"}, {"D1:1"}]


def test_recall_bench_needs_conversations(tmp_path):
    from bench.parts import talks

    with pytest.raises(SystemExit, match="No conversation"):
        talks.read(tmp_path)


def test_a_bench_says_that_a_promise_is_broken():
    from bench import compaction

    row = {"entries": 50, "lost": 2, "moved": 50, "logs_left": 0, "restored": False, "settled": True}
    assert compaction._broken(row) == [
        "50 entries: 2 facts are not in MEMORY.md.",
        "50 entries: undo did not bring the tree back.",
    ]


def test_missing_facts_are_counted(tmp_path):
    from bench import compaction

    (tmp_path / "MEMORY.md").write_text("# Memory\n\n- one\n- two\n", encoding="utf-8")
    assert compaction.missing(tmp_path, ["one", "two"]) == 0
    assert compaction.missing(tmp_path, ["one", "one", "three"]) == 2


@pytest.mark.parametrize(
    ("heard", "status"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 200),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok", None),
        (b"HTTP/1.1 409 Conflict\r\ncontent-length: 0\r\n\r\n", 409),
        (b"HTTP/1.1 200 OK\r\nContent-Le", None),
    ],
)
def test_client_knows_when_an_answer_is_whole(heard, status):
    from bench.parts import client

    assert client.answered(heard) == status


def test_options_refuse_sizes_that_are_none(tmp_path):
    done = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "compaction.py"), "--sizes", "10,x"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "whole numbers" in done.stderr


@long
@slow
def test_pages_bench_asks_every_page_of_the_site(tmp_path):
    options = ["--chats", "4", "--days", "3", "--facts", "12", "--entries", "9", "--rounds", "1"]
    found, done = measured("pages", tmp_path, *options)

    assert found["indexed_facts"] > 12 + 9
    outcomes = {row["page"]: row["outcome"] for row in found["rows"]}
    assert set(outcomes.values()) <= {"page", "redirect", "takes POST only", "takes a token"}, done.stderr
    assert {name for name, outcome in outcomes.items() if outcome == "page"} >= {
        "overview",
        "memory",
        "run a compaction",
    }
    assert (outcomes["save"], outcomes["home"]) == ("takes POST only", "redirect")
    timed = [row for row in found["rows"] if "p95_seconds" in row]
    assert all(row["statements_small"] and row["admin_p95_seconds"] > 0 for row in timed)


def test_pages_bench_names_what_misses():
    from bench import pages

    slow = pages.Row("days", "page", 0, 50, [0.010], [0.012], size=100, statements=7, statements_small=7)
    large = pages.Row("day", "page", 0, 100, [0.010], [0.010], size=300 * 1024, statements=7, statements_small=6)
    fine = pages.Row("chats", "page", 0, 50, [0.010], [0.010], size=200 * 1024, statements=7, statements_small=7)
    rows = [slow, large, fine, pages.Row("run", "unknown arguments"), pages.Row("chat", "answers 500")]
    assert pages.misses(rows) == [
        "days takes 1.2 times the admin's list of 50 rows at p95.",
        "day is 300 KB of HTML.",
        "day takes 7 statements, 6 over a tenth of the memory.",
        "run is not measured: nobody wrote down its arguments in bench/parts/asked.py.",
        "chat answers 500.",
    ]


def test_pages_bench_counts_the_rows_of_a_page():
    from bench import pages

    inside = b"<ul><li>1</li></ul>"
    body = b"<nav><li>Chats</li></nav><main><ul><li>a" + inside + b"</li><li>b</li></ul></main>"
    assert pages.Answer(200, "text/html; charset=utf-8", body, 0, 0.0).rows() == 2
    described = b"<main><dl><div><dt>a</dt><dd>1</dd></div><div><dt>b</dt><dd>2</dd></div></dl></main>"
    assert pages.Answer(200, "text/html", described, 0, 0.0).rows() == 2
    assert (
        pages.Answer(200, "text/csv; charset=utf-8", b"day,facts\r\n2026-01-01,7\r\n2026-01-02,9\r\n", 0, 0.0).rows()
        == 2
    )
    assert pages.Answer(200, "text/html", b"<main><p>One fact</p></main>", 0, 0.0).rows() == 1
    feed = b'<?xml version="1.0" encoding="utf-8"?><feed><entry/></feed>'
    assert pages.Answer(200, "application/atom+xml", feed, 0, 0.0).rows() == 1  # a warning is an error here


@pytest.mark.slow
def test_peers_bench_names_what_cannot_be_had(tmp_path):
    found, done = measured(
        "peers",
        tmp_path,
        "--facts",
        "200",
        "--rounds",
        "1",
        "--questions",
        "2",
        "--turns",
        "0",
        "--only",
        "bare FTS5,KenoBot",
    )

    assert done.returncode == 0
    assert found["rows"]["bare FTS5"]["p50"] > 0
    assert found["missing"]["KenoBot"].startswith("in no package registry")


def test_peers_bench_counts_a_change_never_found_as_the_longest():
    from bench import peers

    rounds = [{"changed": 2.0}, {"changed": None}, {"changed": 1.0}]
    assert peers.middle(rounds) == {"changed": 2.0}
    assert peers.middle([*rounds, {"changed": None}, {"changed": None}]) == {"changed": None}

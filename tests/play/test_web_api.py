"""The HTTP API: what is answered, with which status; compared with the tables themselves."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi.testclient import TestClient

import crownbase as cb
from crownbase.index import Material
from crownbase.play.web.app import MOST_BATCH, make_app
from crownbase.play.web.bounds import MOST_BODY, MOST_URL
from crownbase.play.web.databases import Databases
from crownbase.play.web.gallery import endings
from crownbase.probe import shipped_directory
from crownbase.probe.histogram import distance_histogram

FIRST = "W:WK19,K23:B12,K28"
"""First Position: R. Pask, Key Endings; tests/data/endings.jsonl ke001: win in 61 plies."""


@pytest.fixture(scope="module")
def client():
    with TestClient(
        make_app(Databases([shipped_directory()])), raise_server_exceptions=False
    ) as one:
        yield one


def get(client, path, **asked):
    return client.get(path, params=asked)


def test_a_position(client):
    answer = get(client, "/english", fen=FIRST)
    assert answer.status_code == 200
    found = answer.json()
    assert (found["category"], found["wdl"], found["dtw"], found["dtc"]) == ("win", 1, 61, 17)
    best = found["moves"][0]
    assert (best["pdn"], best["uci"], best["outcome"], best["category"]) == (
        "23-27", "2327", "win", "loss",
    )  # fmt: skip
    assert found["words"]["status"].endswith("wins in 61 plies; conversion in 17, 63 to spare")
    assert found["tables"] == ["KKvKM.dtc", "KKvKM.dtw", "KKvKM.wdl"] and not found["missing"]
    assert "max-age" in answer.headers["cache-control"]


def test_other_sites_may_ask(client):
    answer = client.get("/english", params={"fen": FIRST}, headers={"Origin": "https://a.example"})
    assert answer.headers["access-control-allow-origin"] == "*"


def test_values_are_those_of_the_tables(client):
    with cb.open_tablebase() as tables:
        for ending in endings():
            position = cb.Position.from_fen(ending["fen"], rules=ending["rules"])
            if ending["rules"] != "english" or position.pieces > tables.max_pieces:
                continue
            found = get(client, "/english", fen=ending["fen"]).json()
            assert found["category"] == ending["value"]
            result = tables.probe(position)
            assert (found["wdl"], found["dtc"], found["dtw"]) == (
                result.wdl, result.dtc, result.dtw,
            )  # fmt: skip
            assert [one["move"] for one in found["moves"]] == [
                str(info.move) for info in tables.moves(position)
            ]


@pytest.mark.parametrize(
    ("path", "asked", "status", "words"),
    [
        ("/english", {"fen": "W:WK99:B1"}, 400, "99"),
        ("/english", {"fen": "W:W1:B30"}, 400, "crown row"),
        ("/english", {}, 400, "fen"),
        ("/english", {"fen": "W:WK1:BK2" + "," * 2100}, 400, "fen"),
        ("/english", {"fen": FIRST, "clock": "-1"}, 400, "clock"),
        ("/english", {"fen": FIRST, "draw": "nonsense"}, 400, "nonsense"),
        ("/chess", {"fen": FIRST}, 404, "chess"),
        ("/mine.toml", {"fen": FIRST}, 404, "mine.toml"),
        ("/..%2f..%2fetc%2fpasswd", {"fen": FIRST}, 404, ""),
        ("/english-huffing", {"fen": FIRST}, 400, "huffed"),
        ("/english/mainline", {"fen": "start"}, 404, "needs"),
        ("/english/stats", {"material": "KKvQ"}, 400, "KKvQ"),
        ("/english/stats", {"material": "KKKKKKvK"}, 404, "KKKKKKvK"),
        ("/english/nothing", {}, 404, ""),
        ("/static/..%2fapp.py", {}, 404, ""),
    ],
)
def test_faults(client, path, asked, status, words):
    answer = get(client, path, **asked)
    assert answer.status_code == status
    assert words in answer.json()["error"]


def test_nothing_known_names_the_missing_table(client):
    answer = get(client, "/russian", fen="W:Wc3:Bf6")
    found = answer.json()
    assert answer.status_code == 404
    assert (found["category"], found["missing"]) == ("unknown", ["MvM.wdl"])
    assert found["command"] == "crownbase build russian 2"
    assert [move["pdn"] for move in found["moves"]] == ["c3-b4", "c3-d4"]


def test_batch(client):
    fens = [FIRST, "nonsense", "W:WK1,K2,K3,K4:BK29,K30,K31"]
    found = client.post("/english/batch", json={"fens": fens}).json()["results"]
    assert found[0]["dtw"] == 61
    assert "nonsense" in found[1]["error"]
    assert found[2] == {"fen": fens[2], "category": "unknown", "missing": "KKKKvKKK.wdl"}
    assert (
        client.post("/english/batch", json={"fens": [FIRST] * (MOST_BATCH + 1)}).status_code == 413
    )
    assert client.post("/english/batch", content=b"[" * MOST_BODY * 2).status_code == 413
    assert client.post("/english/batch", json={"fens": "x"}).status_code == 400
    assert client.post("/english/batch", content=b"{").status_code == 400
    assert client.get("/english?fen=" + "x" * MOST_URL).status_code == 414


def test_the_main_line_is_that_of_the_tables_and_a_game(client):
    found = get(client, "/english/mainline", fen=FIRST).json()
    with cb.open_tablebase() as tables:
        line = [str(move) for move in tables.line(FIRST)]
    assert [step["pdn"] for step in found["mainline"]] == line
    assert found["winner"] == "w" and len(line) == 61
    game = cb.Game.from_pdn(found["pdn"])
    assert [str(move) for move in game.moves] == line


def test_the_player_moves_and_says_why(client):
    found = client.post("/english/play", json={"fen": FIRST}).json()
    assert (found["move"]["pdn"], found["source"]) == ("23-27", "table")
    assert found["why"] == "It wins in 61 plies whatever the opponent does."
    over = client.post("/english/play", json={"fen": "W:W:BK1"})
    assert over.status_code == 400


def test_statistics_and_a_histogram(client):
    found = get(client, "/english/stats").json()["slices"]
    # 3,488 positions of two pieces: Schaeffer's table (anchors 2.1)
    assert sum(one["positions"] for one in found if len(one["material"]) == 3) == 3488
    one = get(client, "/english/stats", material="KMvK").json()
    histogram, counts = one["histogram"], one["slices"][0]
    assert sum(count for _, count in histogram["wins"]) == counts["wins"]
    assert sum(count for _, count in histogram["losses"]) == counts["losses"]
    assert histogram["draws"] == counts["draws"]
    assert histogram["wins"][-1][0] == counts["max_dtw"]


def test_the_histogram_is_a_count_of_probes():
    """The twin: each position asked by itself."""
    with cb.open_tablebase() as tables:
        found = distance_histogram(tables, "KvM")
        wins: dict[int, int] = {}
        from crownbase.index import unrank_position

        material = Material.parse("KvM")
        for index in range(material.positions(tables.rules)):
            boards = unrank_position.plain(tables.rules.traits.plain, index, *material.counts)
            plies = tables.probe_dtw(cb.Position.from_boards("english", "W", boards))
            if plies > 0:
                wins[plies] = wins.get(plies, 0) + 1
    assert found.wins == dict(sorted(wins.items()))


def test_many_clients_at_once_are_all_answered_right(client):
    fens = [FIRST, "W:WK18:BK29,K30", "W:WK6,K9:BK15"] * 21
    with ThreadPoolExecutor(64) as pool:
        found = list(pool.map(lambda fen: get(client, "/english", fen=fen).json(), fens))
    assert {one["fen"]: one["category"] for one in found} == {
        FIRST: "win", "W:WK18:BK29,K30": "draw", "W:WK6,K9:BK15": "win",
    }  # fmt: skip


def test_a_full_server_says_when_to_come_again():
    with TestClient(make_app(Databases([shipped_directory()]), most_at_a_time=0)) as full:
        answer = full.get("/english", params={"fen": FIRST})
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "1")
        assert full.get("/healthz").json()["status"] == "ok"


def test_of_a_damaged_table_only_its_name_is_told(tmp_path):
    (tmp_path / "english").mkdir()
    (tmp_path / "english" / "KKvKM.wdl").write_bytes(b"no table")
    app = make_app(Databases([tmp_path]))
    with TestClient(app, raise_server_exceptions=False) as damaged:
        answers = [
            get(damaged, "/english", fen=FIRST),
            get(damaged, "/english/mainline", fen=FIRST),
            damaged.post("/english/batch", json={"fens": [FIRST]}),
            get(damaged, "/", fen=FIRST),
        ]
    assert [one.status_code for one in answers] == [500, 500, 200, 200]
    for one in answers:
        assert "KKvKM.wdl of this server is damaged" in one.text
        assert str(tmp_path) not in one.text


def test_the_page_reads_without_javascript(client):
    text = client.get("/", params={"rules": "english", "fen": FIRST}).text
    assert "wins in 61 plies" in text and "23-27" in text and "<svg" in text
    assert "https://" not in text.replace("http://www.w3.org", "")
    bad = client.get("/", params={"fen": "<script>alert(1)</script>"})
    assert bad.status_code == 200 and "<script>alert" not in bad.text


def test_the_first_view_is_small(client):
    paths = ["/", *(f"/static/{name}.js" for name in ("main", "api", "board", "editor", "gallery",
             "line", "panel", "position", "statistics")), "/static/style.css"]  # fmt: skip
    sizes = [len(client.get(path).content) for path in paths]
    assert sum(sizes) < 100_000


def test_the_api_describes_itself(client):
    described = json.loads(client.get("/openapi.json").text)
    assert {"/{rules}", "/{rules}/mainline", "/{rules}/batch", "/{rules}/play", "/{rules}/stats",
            "/healthz", "/rules"} <= set(described["paths"])  # fmt: skip

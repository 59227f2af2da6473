"""Manual grading on a local page or in a spreadsheet: names are hidden, equal answers appear once, everything is saved at once."""

import csv
import http.client
import json
import shlex
import signal
import subprocess
import threading
from contextlib import contextmanager
from dataclasses import replace

import pytest
from desks import LAB, NEXT, keep_code, leave, result, words
from longer import times
from processes import PATIENCE, first_line, started
from reading_pages import LABKIT, confirmed_by_killed_pages, post

from labkit.desk.people import manual, score_store
from labkit.desk.people.final_score import Mark
from labkit.desk.people.manual import digest_of
from labkit.desk.reading.regrades import RegradeDesk
from labkit.desk.reading.server import ReadingServer
from labkit.desk.reading.written import Item, ReadingDesk, answers_in, rubric_of, taken_from, write_sheet
from labkit.student.model import project
from labkit.student.model.errors import UserError

HOSTILE = "=HYPERLINK(1)\n<script>alert(1)</script>\u202e\x1b[2J"
KILLS = times(3, 30)


@pytest.fixture
def out(tmp_path):
    """Results of four students. In lab 01, two wrote the same and one wrote nothing."""
    nothing = result("dan")
    nothing = replace(nothing, checks=(*nothing.checks[:-1], replace(nothing.checks[-1], outcome="missing")))
    texts = {"ada": "It grows.", "bob": "It  grows.\n", "=cem": HOSTILE}
    leave(tmp_path, [*(result(who, text=text) for who, text in texts.items()), nothing, result(lab=NEXT)])
    return tmp_path


def desk(out, reader=""):
    return ReadingDesk(project.current(), answers(out), out / "manual.csv", reader)


def answers(out):
    return answers_in(project.current().course, score_store.results_in(out))


def saved(out):
    """The marks that count."""
    return manual.read(project.current().course, out / "manual.csv")


def test_equal_answers_are_shown_once_without_names(out):
    own = desk(out)
    shown = json.dumps([own.exercises(), own.texts("robust")])
    (first, second), texts = json.loads(shown)
    assert (first["exercise"], first["most"], second["exercise"]) == ("robust", 2, "meaning")
    students = {words(texts[each["id"]]).splitlines()[0]: each["students"] for each in first["answers"]}
    assert students == {"It grows.": 2, "=HYPERLINK(1)": 1}
    assert "One of a hundred values" in words(first["question"])
    assert not [who for who in ("ada", "bob", "cem", "dan") if who in shown]


def test_a_picture_in_an_answer_is_shown(tmp_path):
    data = "data:image/png;base64,iVBORw0KGgo="
    leave(tmp_path, [result("ada", text="![a drawing](attachment:1-image.png) ![x](attachment:gone.png)")])
    keep_code(tmp_path, {"ada": {"1-image.png": data}}, what="attached")
    [[paragraph]] = desk(tmp_path).texts("robust").values()
    assert paragraph == ["p", {}, ["img", {"src": data, "alt": "a drawing"}], " ", "[x]"]


def test_the_rubric_is_the_solutions_and_its_items_are_what_earns_points():
    found = rubric_of(project.current(), LAB, "robust")
    items = Item(1, "the spread becomes large."), Item(1, "because distances are squared.")
    assert found.items == items and found.text.startswith("**Rubric.**")
    assert rubric_of(project.current(), NEXT, "meaning").items == ()  # no rubric: whole points


def test_a_rubric_may_be_a_list(tmp_path):
    text = "**Rubric**, 2 points\n\n- 1.5 points: it is\n  so, for 3 reasons.\n- 0.5 points: No point for less.\n"
    cells = [{"id": "robust_rubric", "source": text.splitlines(keepends=True)}]
    (tmp_path / f"{LAB}.ipynb").write_text(json.dumps({"cells": cells}))
    assert rubric_of(replace(project.current(), solutions=tmp_path), LAB, "robust").items == (
        Item(1.5, "it is so, for 3 reasons."),
        Item(0.5, "No point for less."),
    )


@contextmanager
def served(out, reader=""):
    """A server for the answers in a folder, and a function that sends requests to it."""
    server = ReadingServer(desk(out, reader), RegradeDesk(project.current(), out))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()

    def ask(path="exercises", body=None, token=None, verb=None, **headers):
        link = http.client.HTTPConnection(*server.server_address, timeout=PATIENCE)
        given = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        kind = {"Content-Type": "application/json"} if body is not None else {}
        where = f"/{server.token if token is None else token}/{path}"
        link.request(verb or ("GET" if body is None else "POST"), where, given, {**kind, **headers})
        reply = link.getresponse()
        content = reply.read()
        link.close()
        return reply, content

    try:
        yield server, ask
    finally:
        server.shutdown()
        thread.join(PATIENCE)
        assert not thread.is_alive()
        server.server_close()


def give(points=1, text="It grows.", comment="", items="", exercise="robust"):
    return {"exercise": exercise, "answer": digest_of(text), "points": points, "comment": comment, "items": items}


def test_points_are_saved_at_once_for_all_equal_answers_and_can_be_undone(out):
    earlier = {("bob", LAB, "robust"): Mark(0.5, "mine", answer="a0")}
    manual.change(project.current().course, out / "manual.csv", earlier)
    with served(out) as (_, ask):
        assert ask("give", give(1, items="1"))[0].status == 200
        ours = ("ada", LAB, "robust"), ("bob", LAB, "robust")
        assert {key: each.points for key, each in saved(out).items()} == dict.fromkeys(ours, 1)
        ask("give", give(2, comment="Exactly: =so.", items="1 2"))
        assert {each.comment for each in saved(out).values()} == {"Exactly: =so."}
        shown = json.loads(ask()[1])[0]["answers"]
        assert {"points": 2, "comment": "Exactly: =so.", "items": "1 2"} in [each["given"] for each in shown]
        back = json.loads(ask("undo", {})[1])
        assert (back["exercise"], back["given"]["points"]) == ("robust", 1)
        ask("undo", {})
        assert saved(out) == earlier and json.loads(ask("undo", {})[1]) == {}
    assert leave(out, [result("ada")])[0].to_read == 2


@pytest.mark.parametrize(
    "asked",
    [
        *map(give, (3, -1, float("nan"), float("inf"), True, None, [1], 10**400, "1")),
        *(give(text="Another one."), give(exercise="spread"), give(comment="x" * 10_001), give(comment=None)),
        *({}, [], b"{", b"[" * 50_000, b"\xff"),
    ],
)
def test_impossible_points_are_refused_and_nothing_is_written(out, asked):
    with served(out) as (_, ask):
        reply, said = ask("give", asked)
        assert reply.status in (400, 409) and json.loads(said)["problem"]
    assert not (out / "manual.csv").exists()


def test_a_score_file_broken_meanwhile_is_reported_and_kept(out):
    with served(out) as (_, ask):
        ask("give", give(1))
        (out / "manual.csv").write_text("student,lab\nmine\n")
        reply, said = ask("give", give(2))
        assert reply.status == 409 and "manual.csv, line 1: the header has no exercise" in json.loads(said)["problem"]
    assert (out / "manual.csv").read_text() == "student,lab\nmine\n"


def test_only_requests_with_the_token_and_the_right_host_are_answered(out):
    with served(out) as (server, ask):
        assert ask("")[0].status == 200 and server.server_address[0] == "127.0.0.1"
        port, foreign = server.server_address[1], {"Origin": "http://evil.example"}
        for refused in (
            *(ask(token=token) for token in ("x", "", "%C3%A9")),
            *(ask(Host=host) for host in ("evil.example", f"localhost:{port}", "127.0.0.1")),
            *(ask("give", give(), token="x"), ask("give", give(), Host="evil.example")),
            *(ask("give", give(), **foreign), ask("give", give(), Origin="null"), ask("answer", {}, **foreign)),
            *(ask("give", give(), **{"Content-Type": "text/plain"}), ask("give", b"x" * 100_001)),
            *(ask("answer", {}, token="x"), ask("other", {}), ask("../page.js"), ask("written.py")),
            *(ask(verb="PUT", body={}), ask(verb="OPTIONS")),
        ):
            assert refused[0].status >= 400 and b"It grows" not in refused[1]
        assert not (out / "manual.csv").exists()
        assert ask("give", give(), Origin=f"http://{server.host}")[0].status == 200


def test_the_page_may_load_nothing_but_its_own(out):
    with served(out) as (_, ask):
        files = ("", "requests.html", "page.js", "requests.js", "common.js", "page.css", "base.css")
        for part in (*files, "exercises", "requests"):
            reply, body = ask(part)
            policy = reply.headers["Content-Security-Policy"]
            assert reply.status == 200 and policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
            assert "unsafe" not in policy and reply.headers["X-Content-Type-Options"] == "nosniff"
            assert reply.headers["Referrer-Policy"] == "no-referrer" and reply.headers["Cache-Control"] == "no-store"
            body = body.replace(b"http://www.w3.org/1998/Math/MathML", b"")  # a namespace, not an address
            assert b"http://" not in body and b"https://" not in body and b"innerHTML" not in body


def test_control_characters_and_markup_are_shown_and_do_nothing(out):
    with served(out) as (_, ask):
        texts = json.loads(ask("texts/robust/0")[1])
        assert [json.loads(ask(f"texts/{rest}")[1]) for rest in ("robust/1", "robust/9", "x/0", "0", "robust/" + "9" * 5000)] == [
            dict([*texts.items()][1:]), {}, {}, {}, {},
        ]  # fmt: skip
    assert "=HYPERLINK(1)\n<script>alert(1)</script>\\u202e\\u001b[2J" in map(words, texts.values())


def test_a_filled_in_sheet_is_read_back(out, tmp_path):
    course, sheet = project.current().course, tmp_path / "read.csv"
    assert write_sheet(project.current(), sheet, answers(out), {}) == 3
    assert "ada" not in sheet.read_text("utf-8") and "cem" not in sheet.read_text("utf-8")
    rows = list(csv.DictReader(sheet.open(encoding="utf-8-sig", newline="")))
    assert {row["students"] for row in rows if row["exercise"] == "robust"} == {"1", "2"}
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]
    assert taken_from(course, sheet, answers(out)) == {}
    for row in rows:
        row["points"], row["comment"] = ("1,5", "=good") if row["students"] == "2" else ("", "")
    with sheet.open("w", encoding="utf-8", newline="") as file:  # as a spreadsheet may save it
        table = csv.DictWriter(file, rows[0].keys(), delimiter=";")
        table.writeheader()
        table.writerows(rows)
    manual.change(course, out / "manual.csv", taken_from(course, sheet, answers(out)))
    given = {key[0]: (each.points, each.comment) for key, each in saved(out).items()}
    assert given == {"ada": (1.5, "=good"), "bob": (1.5, "=good")}
    assert write_sheet(project.current(), sheet, answers(out), saved(out)) == 2


@pytest.mark.parametrize(
    "cells, says",
    [
        ("{id},01_spread,robust,x,", "line 2: 'x' is not a number of points"),
        ("{id},01_spread,robust,3,", "line 2: 3 is too many points"),
        ("{id},01_spread,robust,,why", "line 2: this row has a comment but no points"),
        ("a00,01_spread,robust,1,", "line 2: robust has no current answer 'a00'"),
        ("{id},01_spread,robust,1,\n{id},01_spread,robust,1,", "line 3: this answer occurs twice"),
    ],
)
def test_a_sheet_with_an_error_is_refused(out, tmp_path, cells, says):
    sheet = tmp_path / "read.csv"
    sheet.write_text("answer,lab,exercise,points,comment\n" + cells.format(id=digest_of("It grows.")))
    with pytest.raises(UserError, match=says):
        taken_from(project.current().course, sheet, answers(out))


def test_the_command_writes_a_sheet_once_and_takes_it(out, labkit):
    done = labkit("read", out, "--csv", out / "sheet.csv")
    assert done.returncode == 0 and "3 different ungraded answers" in done.stdout
    assert shlex.split(done.stdout.splitlines()[1])[1:] == ["read", str(out), "--take", str(out / "sheet.csv")]
    filled = (out / "sheet.csv").read_text("utf-8").replace('"robust",2,2,"",""', '"robust",2,2,2,"yes"')
    (out / "sheet.csv").write_text(filled, "utf-8")
    again = labkit("read", out, "--csv", out / "sheet.csv")
    assert again.returncode == 2 and "already exists" in again.stderr
    assert labkit("read", out, "--take", out / "sheet.csv").returncode == 0
    assert {key[0] for key in saved(out)} == {"ada", "bob"}
    none = labkit("read", out / "none")
    assert none.returncode == 2 and len(none.stderr.splitlines()) == 1


def test_the_command_serves_until_it_is_interrupted(out):
    with started(LABKIT, "read", out, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert "Ungraded answers: 3 of 3. Open regrade requests: 0 of 0." in first_line(process)
        assert post(process.stdout.readline().strip(), "give", give(1)) == {"students": 2}
        process.send_signal(signal.SIGINT)
        said, complained = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0 and complained == "" and "Graded answers: 1 of 3" in said


@pytest.mark.timeout(120 + 20 * KILLS)
def test_a_page_that_is_killed_loses_nothing_that_it_has_confirmed(out):
    def asked(page, number):
        text = ("It grows.", HOSTILE)[number % 2]
        return ("ada", "=cem")[number % 2], give(number % 3, text, f"{page} {number}")

    for confirmed in confirmed_by_killed_pages(out, KILLS, "give", asked):
        comments = {who: each.comment for (who, *_), each in saved(out).items()}
        assert {who: comments[who] for who in confirmed} == {who: each["comment"] for who, each in confirmed.items()}


def test_a_reader_sees_no_points_of_others_and_a_decision_sees_all(out):
    for reader, points in (("bo", 1), ("cy", 2)):
        with served(out, reader) as (_, ask):
            (exercise, _) = json.loads(ask()[1])
            assert exercise["reader"] == reader and all(each["given"] is None for each in exercise["answers"])
            ask("give", give(points))
            ask("give", give(2, HOSTILE))
            ask("undo", {})
    with served(out) as (_, ask):
        shown = {each["id"]: each for each in json.loads(ask()[1])[0]["answers"]}[digest_of("It grows.")]
        assert shown["given"] is None and [each["points"] for each in shown["readers"]] == [1, 2]
        ask("give", give(1.5))
    assert saved(out)["ada", LAB, "robust"].points == 1.5
    assert (out / "manual.csv").read_text().count('"cy"') == 2  # the reader's rows for both students are kept

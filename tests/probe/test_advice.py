"""Every command that a message gives can be typed as it stands, and can be carried out."""

from __future__ import annotations

import json
import re
import shlex
import shutil

import pytest

from crownbase.board import Position
from crownbase.build import read_stats, verify
from crownbase.errors import MissingTableError
from crownbase.index import slice_pairs
from crownbase.play.cli import run
from crownbase.probe import open_tablebase, shipped_directory
from crownbase.probe.advice import MOST_POSITIONS, how_to_make, most_pieces
from crownbase.rules import RULE_SETS, find_rules


def check_command(text, capsys):
    """The last command of a message, planned: at most a terabyte."""
    command = re.findall(r"crownbase build [^;]*", text)[-1]
    capsys.readouterr()
    assert run([*shlex.split(command)[1:], "--estimate", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["disk_bytes"] < 2**40


def message(call, *arguments):
    with pytest.raises(MissingTableError) as caught:
        call(*arguments)
    return str(caught.value)


def test_more_pieces_than_there_are_tables(capsys):
    with open_tablebase() as tables:
        check_command(message(tables.probe, "W:WK32,K31,K30:BK1,K2"), capsys)
        twelve = "W:WK32,K31,K30,K29,K28,K27:BK1,K2,K3,K4,K5,K6"
        said = message(tables.probe, twelve)
    assert "crownbase build" not in said
    assert said.endswith("tables of more than 8 pieces are too large to be made on one machine")


def test_missing_files(tmp_path, capsys):
    folder = tmp_path / "two words"
    (folder / "english").mkdir(parents=True)
    check_command(message(read_stats, folder, "english"), capsys)
    check_command(message(verify, folder, "english"), capsys)
    shutil.copy(shipped_directory() / "english" / "KvK.wdl", folder / "english")
    with open_tablebase(folder) as tables:
        check_command(message(tables.probe_dtw, "W:WK32:BK1"), capsys)
        check_command(message(tables.probe, "W:WK32:B1"), capsys)
    shutil.copy(shipped_directory() / "english" / "KKvM.wdl", folder / "english")
    faults = verify(folder, "english", fast=True, jobs=1).faults
    wanted = [fault for fault in faults if "crownbase build" in fault]
    assert wanted
    for fault in wanted:
        check_command(fault, capsys)


def test_what_takes_dtw_tables(capsys):
    limited = find_rules("english").with_draw(None, 40)
    from crownbase.probe import class_clocks
    from crownbase.probe.result import Result

    position = Position.from_fen("W:WK32:BK1", rules=limited)
    said = class_clocks.judge_clocks(
        Result("win", 1, 5, None), position, None, 0, lambda *_: None
    ).assumes
    assert "that takes .dtw tables; make them with: crownbase build" in said[0]
    check_command(said[0], capsys)


@pytest.mark.parametrize("key", [key for key, rules in RULE_SETS.items() if rules.has_tables])
def test_the_largest_database_advised(key):
    rules = find_rules(key)
    assert 6 <= most_pieces(rules) <= 8
    total = sum(
        side.positions(rules) for pair in slice_pairs(most_pieces(rules)) for side in pair.pair
    )
    assert total <= MOST_POSITIONS
    assert "build" in how_to_make(rules, most_pieces(rules))
    assert "too large" in how_to_make(rules, most_pieces(rules) + 1)


def test_slices_by_name():
    with open_tablebase() as tables:
        assert tables.slice_values("KKvK") is not None
        assert tables.slice_values("KKKvKK") is None

#!/usr/bin/env python3
"""The tables of keys and of the mouse in docs/window.md against the list of actions of the window.

    check_keys.py ROOT             prints what is wrong
    check_keys.py ROOT --update    writes the tables anew
    check_keys.py --self-test
"""
import pathlib
import re
import sys

NAME = re.compile(r'\b(k\w+) = (?:tr_later\()?"([^"]*)"')
ENTRY = re.compile(r'\{(k\w+),\s*(?:tr_later\(|tr\()?"((?:[^"\\]|\\.)*)"\)?,\s*(?:tr_later\(|tr\()?"((?:[^"\\]|\\.)*)"')
TABLE = re.compile(r"(<!-- table: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def tables_of(source):
    groups = dict(NAME.findall(source))
    keys, mouse = source.split("mouse_gestures()", 1) if "mouse_gestures()" in source else (source, "")
    rows = lambda text: [f"| {groups[group]} | {how} | {what} |" for group, what, how in ENTRY.findall(text) if how]
    shown = lambda lines: [re.sub(r"^(\|[^|]*\|) (.*?) \|", key_cell, line) for line in lines]
    return {"keys": ["| | key | what it does |", "| --- | --- | --- |", *shown(rows(keys))],
            "mouse": ["| | mouse | what it does |", "| --- | --- | --- |", *rows(mouse)]}


def key_cell(match):
    return f"{match[1]} " + ", ".join(f"`{key}`" for key in re.split(r"\s{2,}", match[2])) + " |"


def wrong_tables(page, tables):
    found = {m[2]: m[3].splitlines() for m in TABLE.finditer(page)}
    return [f'docs/window.md: the table "{name}" is not what actions.cpp has; write it anew with --update'
            for name, lines in tables.items() if found.get(name) != lines]


def self_test():
    source = 'kRun = "Running"; {kRun, "Run", "Space", {}}, {kRun, "Stop", "", {}}, mouse_gestures() {kRun, "Zoom", "Wheel"}'
    tables = tables_of(source)
    assert tables["keys"][2:] == ["| Running | `Space` | Run |"], tables
    assert tables["mouse"][2:] == ["| Running | Wheel | Zoom |"], tables
    assert len(wrong_tables("<!-- table: keys -->\n<!-- end -->\n", tables)) == 2


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    root = pathlib.Path(sys.argv[1])
    page_file = root / "docs/window.md"
    tables, page = tables_of((root / "app/window/panels/actions.cpp").read_text()), page_file.read_text()
    if len(tables["keys"]) < 30 or len(tables["mouse"]) < 10:
        sys.exit("check_keys.py: cannot read the list of actions in app/window/panels/actions.cpp")
    if sys.argv[2:] == ["--update"]:
        page_file.write_text(TABLE.sub(lambda m: m[1] + "".join(f"{line}\n" for line in tables[m[2]]) + m[4], page))
        return
    wrong = wrong_tables(page, tables)
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)


main()

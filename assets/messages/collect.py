#!/usr/bin/env python3
"""Collects the messages of the sources into streamscope.pot, the template of every catalogue (gettext's xgettext).

    collect.py            writes streamscope.pot beside this file
    collect.py --print    prints it

A message is the literal in tr(), tr_n() or tr_later() (engine/base/translate.h), the meaning and the label of a described
record's member, and the title and the sentences of what assets/experiments and assets/devices hold.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parent.parent
ROOMS = ("engine", "kernels", "app")
KEYWORDS = ("tr:1", "tr_n:1,2", "tr_later:1", "member:3", "computed:3", "file_member:3", "message_member:3", "text_member:2",
            "labelled:1")
# What stands between a description's word and its bracket, which xgettext does not read across.
MEMBER = re.compile(r"\b((?:text_|file_|message_)?member)<[^()\n]*?>\(")
# A digit separator is no beginning of a character.
SEPARATOR = re.compile(r"(?<=[0-9a-fA-F])'(?=[0-9a-fA-F]{3})")
SHOWN_KEYS = ("name", "title", "about", "sentence", "description")


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def as_cpp(file):
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".toml":
        return SEPARATOR.sub("", MEMBER.sub(r"\1(", text))
    shown = [value for key, value in tomllib.loads(text).items() if key in SHOWN_KEYS and isinstance(value, str)]
    return "\n".join(f"tr({quoted(one)});" for one in shown)


def sources(tree):
    for room in ROOMS:
        yield from (file for kind in ("h", "cpp", "cu", "cuh") for file in (tree / room).rglob(f"*.{kind}"))
    yield from (tree / "assets/experiments").glob("*.toml")


def collected(tree=TREE):
    """The template, of the sources in that tree."""
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for file in sources(tree):
            name = file.relative_to(tree)
            copy = pathlib.Path(folder) / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(as_cpp(file), encoding="utf-8")
            names.append(str(name))
        (pathlib.Path(folder) / "files").write_text("\n".join(sorted(names)))
        pot = subprocess.run(
            ["xgettext", "--language=C++", "--from-code=UTF-8", "--files-from=files", "--add-location=file", "--output=-",
             "--package-name=streamscope", "--no-wrap", "--keyword", *(f"--keyword={word}" for word in KEYWORDS)],
            cwd=folder, check=True, capture_output=True, text=True).stdout
    # A date in it would change the file where no message did; the head's other lines are the translator's to fill.
    return re.sub(r'"POT-Creation-Date: .*\n', "", pot).replace("charset=CHARSET", "charset=UTF-8")


def messages(pot):
    """The texts of a template, singular and plural."""
    texts = re.findall(r'^msgid(?:_plural)? ((?:"(?:\\.|[^"\\])*"\s*)+)', pot, re.MULTILINE)
    return {unquoted(text) for text in texts} - {""}


def unquoted(literals):
    """What stands in one or more literals side by side."""
    text = "".join(re.findall(r'"((?:\\.|[^"\\])*)"', literals))
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found.group(1), found.group(1)), text)


if __name__ == "__main__":
    if sys.argv[1:] == ["--print"]:
        sys.stdout.write(collected())
    elif not sys.argv[1:]:
        (HERE / "streamscope.pot").write_text(collected(), encoding="utf-8")
    else:
        sys.exit(__doc__)

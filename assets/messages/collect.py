#!/usr/bin/env python3
"""Collects the messages of the sources into streamscope.pot, the template of every catalogue (gettext's xgettext).

    collect.py            writes streamscope.pot beside this file, and takes its messages over into the catalogues
                          there: new ones empty, those that changed a little marked fuzzy, which the program passes over
    collect.py --print    prints it

A message is the literal in tr(), tr_n() or tr_later() (engine/base/translate.h), the meaning and the label of a
described record's member, and title, first sentence and further text of the experiments and programs in assets; of
those of lessons the title, which is the comment in the first line.
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
KEYWORDS = ("tr:1", "tr_n:1,2", "tr_later:1", "member:3", "computed:3", "file_member:3", "message_member:3",
            "text_member:2", "labelled:1")
# What stands between a description's word and its bracket, which xgettext does not read across.
MEMBER = re.compile(r"\b((?:text_|file_|message_)?member)<[^()\n]*?>\(")
# A digit separator is no beginning of a character.
SEPARATOR = re.compile(r"(?<=[0-9a-fA-F])'(?=[0-9a-fA-F]{3})")
KEYWORDS_OF_A_PROGRAM = re.compile(r"(Keywords|关键词|키워드):")


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def as_cpp(file):
    text = file.read_text(encoding="utf-8")
    if file.parent.parent.name == "lessons":
        return f"tr({quoted(text.splitlines()[0].lstrip('# '))});" if text.startswith("#") else ""
    if file.suffix in (".toml", ".streams"):
        title, about = of_experiment(text) if file.suffix == ".toml" else of_program(text)
        sentence = re.match(r".*?\.(?=\s|$)", about, re.DOTALL)
        shown = [title, *([sentence[0], about[sentence.end():].strip()] if sentence else [about])]
        return "\n".join(f"tr({quoted(one)});" for one in shown if one)
    return SEPARATOR.sub("", MEMBER.sub(r"\1(", text))


def of_experiment(text):
    read = tomllib.loads(text)
    return read.get("name", ""), read.get("about", "")


def of_program(text):
    """Title and text of the comments at its head, as engine/experiment/shipped.cpp reads them."""
    title, paragraphs = "", [[]]
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        said = line[1:].strip()
        if said.startswith("Title:"):
            title = said[len("Title:"):].strip()
        elif not said and paragraphs[-1]:
            paragraphs.append([])
        elif said and not KEYWORDS_OF_A_PROGRAM.match(said):
            paragraphs[-1].append(said)
    return title, "\n\n".join(" ".join(lines) for lines in paragraphs if lines)


def sources(tree):
    for room in ROOMS:
        yield from (file for kind in ("h", "cpp", "cu", "cuh") for file in (tree / room).rglob(f"*.{kind}"))
    yield from (tree / "assets/experiments").glob("*.toml")
    yield from (tree / "assets/programs").glob("*.streams")
    yield from (tree / "assets/lessons").glob("*/*.streams")


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
            ["xgettext", "--language=C++", "--from-code=UTF-8", "--files-from=files", "--add-location=file",
             "--output=-", "--package-name=streamscope", "--no-wrap", "--keyword",
             *(f"--keyword={word}" for word in KEYWORDS)],
            cwd=folder, check=True, capture_output=True, text=True).stdout
    # A date in it would change the file where no message did; the head's other lines are the translator's to fill. No
    # message is printf's: a share such as "{} % in all" is no format of C.
    return re.sub(r'"POT-Creation-Date: .*\n|#, c-format\n', "", pot).replace("charset=CHARSET", "charset=UTF-8")


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
        template = HERE / "streamscope.pot"
        template.write_text(collected(), encoding="utf-8")
        for catalogue in sorted(HERE.glob("*.po")):
            subprocess.run(["msgmerge", "--quiet", "--update", "--backup=none", "--no-location", "--no-wrap",
                            "--previous", catalogue, template], check=True)
    else:
        sys.exit(__doc__)

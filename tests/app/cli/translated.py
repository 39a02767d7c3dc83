"""Runs the program as it would be in another language: with a catalogue made from the template by gettext's own tools.

Each message of that language is the English one in brackets; another has a single message. The program lies in a folder
as it is installed: bin/ beside share/locale.

    translated.py STREAMSCOPE SOURCE_TREE
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def piped(text, *command):
    return subprocess.run(command, input=text, check=True, capture_output=True).stdout


def catalogue(template):
    english = piped(b"", "msginit", "--no-translator", "--locale=en_US.UTF-8", f"--input={template}", "--output=-")
    return piped(in_brackets(english.decode()).encode(), "msgfmt", "--check", "--output=-", "-")


# Each translation but the header. Line ends before and behind it stay outside: gettext wants those as in the original.
def in_brackets(catalogue):
    def bracketed(found):
        text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', found[2]))
        begin, body, end = re.fullmatch(r"((?:\\n)*)(.*?)((?:\\n)*)", text, re.DOTALL).groups()
        return f'{found[1]} "{begin}«{body}»{end}"\n'

    header, rest = catalogue.split("\n\n", 1)
    return f"{header}\n\n" + re.sub(r'^(msgstr(?:\[\d\])?) ((?:".*"\n)+)', bracketed, rest, flags=re.MULTILINE)


LAST_LINE = "{} --help shows what may be written."


def catalogue_of_one_message():
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    return piped(f'{head}msgid "{LAST_LINE}"\nmsgstr "«{LAST_LINE}»"\n'.encode(), "msgfmt", "--output=-", "-")


def main(program, tree):
    tree = pathlib.Path(tree)
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "bin").mkdir()
        here = root / "bin/streamscope"
        shutil.copy2(program, here)
        for language, made in ("xx", catalogue(tree / "assets/messages/streamscope.pot")), ("yy", catalogue_of_one_message()):
            place = root / "share/locale" / language / "LC_MESSAGES"
            place.mkdir(parents=True)
            (place / "streamscope.mo").write_bytes(made)

        def said(language, *arguments, **locale):
            locale = locale or {"LC_ALL": "C.UTF-8", "LANGUAGE": language}
            clean = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
            environment = {**clean, **locale, "STREAMSCOPE_ASSETS": str(tree / "assets")}
            ran = subprocess.run([here, *arguments], input="stream A\nA: nothing x\n", env=environment, text=True,
                                 capture_output=True)
            return ran.stdout + ran.stderr

        english, translated = said("en", "check", "-"), said("xx", "check", "-")
        if "«" not in translated or translated.replace("«", "").replace("»", "") != english:
            print("expected the same with brackets:", english, translated, sep="\n")
            return 1
        # Asked for on the command line, wherever it stands; by a locale that this system does not have.
        none = {"LC_ALL": "C"}
        for by_option in (said("", "check", "-", "--language", "xx", **none), said("", "--language=xx", "check", "-", **none),
                          said("", "check", "-", LANG="xx_YY.UTF-8")):
            if by_option != translated:
                print("expected", translated, "found", by_option, sep="\n")
                return 1
        for arguments, in_english, in_other in (
                (("run", "--nonsense", "--language", "yy"), "run has no such option", "«streamscope run --help"),
                (("check", "-", "--language", "zz"), "--language zz: error: write one of en, xx, yy", ""),
                (("run", "--language"), "a value is missing; write --language CODE", "")):
            answer = said("", *arguments, **none)
            if in_english not in answer or in_other not in answer:
                print(f"expected {in_english} and {in_other}:", answer, sep="\n")
                return 1
        # An experiment's and a program's own words; a key of the window (nothing where there is none).
        for word, begins in (("pageable", "«The work of"), ("callback", "«A host function runs"), ("F1", "«Help on what")):
            english, translated = said("en", "help", word), said("xx", "help", word)
            if begins[1:] in english and begins not in translated:
                print(f"help {word}: expected {begins} in:", translated, sep="\n")
                return 1
    return 0


sys.exit(main(*sys.argv[1:]))

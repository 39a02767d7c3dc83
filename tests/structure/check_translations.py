"""Fails where a catalogue of assets/messages says a message with other values than the original or not at all, so that
the program would say it in English, or only guesses (fuzzy), or where the glossary lacks a term in one of its languages.

The fields of a translation are those of the original: as many, each formatted alike, all numbered ({0} {1}) where their
order is another. It begins and ends a line where the original does.

    check_translations.py SOURCE_TREE
    check_translations.py --self-test       plants such mistakes and expects each to be found
"""
import pathlib
import re
import sys
import tomllib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "assets/messages"))
sys.dont_write_bytecode = True
import collect  # noqa: E402

LANGUAGES = ("zh", "ko")
ENTRY = re.compile(r'^msgid ((?:".*"\s)+)(?:msgid_plural ((?:".*"\s)+))?((?:msgstr(?:\[\d\])? (?:".*"\s*)+)+)', re.MULTILINE)
TRANSLATED = re.compile(r'^msgstr(?:\[\d\])? ((?:".*"\s*)+)', re.MULTILINE)
GUESSED = re.compile(r'^#,.*\bfuzzy\b.*\n(?:#.*\n)*msgid ((?:".*"\s)+)', re.MULTILINE)
# Not an escaped bracket, and no bracket of a program's text such as {i*4}.
FIELD = re.compile(r"(?<!\{)(?:\{\{)*\{(\d*)((?::[^{}]*)?)\}")


def fields(text):
    """The format of each value, by its number; nothing where some are numbered and others are not."""
    found = FIELD.findall(text)
    if any(number for number, _ in found) and not all(number for number, _ in found):
        return None
    return sorted((int(number or at), how) for at, (number, how) in enumerate(found))


def problems(catalogue):
    """(original, what is wrong) of each translation in the text of a catalogue."""
    for guessed in GUESSED.findall(catalogue):
        yield collect.unquoted(guessed), "is marked as a guess (fuzzy), which is shown in English"
    for entry in ENTRY.finditer(catalogue + "\n"):
        originals = [collect.unquoted(text) for text in entry.group(1, 2) if text]
        if originals == [""]:
            continue
        for quoted in TRANSLATED.findall(entry.group(3)):
            text, original = collect.unquoted(quoted), originals[-1]
            if not text:
                yield original, "is not translated, and is shown in English"
                continue
            # One of a plural's forms may be that of one, which need not say its number.
            if fields(text) not in [fields(each) for each in originals] or fields(text) is None:
                yield original, f"has other fields: {text!r}"
            if original.startswith("\n") != text.startswith("\n") or original.endswith("\n") != text.endswith("\n"):
                yield original, f"begins or ends its line elsewhere: {text!r}"


def lacking(glossary):
    for terms in tomllib.loads(glossary).values():
        for term, words in terms.items():
            yield from (f"{term!r} has no {language}" for language in LANGUAGES if not words.get(language))


def offences(folder):
    for file in sorted(folder.glob("*.po")):
        yield from (f"{file.name}: {original!r} {what}" for original, what in problems(file.read_text(encoding="utf-8")))
    yield from (f"glossary.toml: {what}" for what in lacking((folder / "glossary.toml").read_text(encoding="utf-8")))


def self_test():
    right = [('"{} of {:.1f}"', '"{1:.1f} 中的 {0}"'), ('"{{i}} {}"', '"{} {{i}}"'), ('"as {i*4}"', '"如 {i*4}"')]
    wrong = [('"{} of {}"', '"{} 中"'), ('"{:.1f} x"', '"{} x"'), ('"{} of {}"', '"{1} 中的 {}"'), ('"{} a {:.1f}"', '"{:.1f} 的 {}"'),
             ('"a\\n"', '"甲"'), ('"a"', '"{} 甲"'),
             ('"a {}"', '""')]
    entry = "msgid {}\nmsgstr {}\n\n"
    missed = [pair for pair in wrong if not list(problems(entry.format(*pair)))]
    missed += [pair for pair in right if list(problems(entry.format(*pair)))]
    many = 'msgid "{} op"\nmsgid_plural "{} ops"\nmsgstr[0] "'
    missed += [many] if not list(problems(many + '"\n')) else []
    missed += [many] if list(problems(many + '{} 个"\n')) or not list(problems(many + '个 {} {}"\n')) else []
    guess = '#, c-format, fuzzy\n#| msgid "b"\nmsgid "a"\nmsgstr "甲"\n'
    missed += [guess] if not list(problems(guess)) else []
    missed += ["glossary"] if not list(lacking('[a]\n"x" = { zh = "流" }')) else []
    return missed


if __name__ == "__main__":
    found = self_test() if sys.argv[1:] == ["--self-test"] else list(offences(pathlib.Path(sys.argv[1]) / "assets/messages"))
    for each in found:
        print(each)
    sys.exit(1 if found else 0)

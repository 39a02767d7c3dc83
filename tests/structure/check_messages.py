"""Fails where the program would say something that is not in the catalogue of messages, or the catalogue is not as the
sources are.

Each literal in engine/, app/ and kernels/ that reads like words for a person must be a message that
assets/messages/collect.py collects (tr, tr_n, tr_later, meanings of members), or stand in not_messages.txt: a line
`path<TAB>literal<TAB>why`: the path a pattern of the shell, the literal as it is shown here, `*` for all, or a regular
expression between slashes that it matches as a whole. A line there that excuses nothing is refused as well.

    check_messages.py SOURCE_TREE
    check_messages.py --self-test       plants such literals and expects each to be found
"""
import fnmatch
import pathlib
import re
import sys
import tempfile

import source_tree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "assets/messages"))
sys.dont_write_bytecode = True
import collect  # noqa: E402

TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|^[ \t]*#[^\n]*|(?:u8|[uUL])?R"(?P<mark>[^(\s]*)\((?P<raw>.*?)\)(?P=mark)"|"""
    r""""(?P<plain>(?:\\.|[^"\\\n])*)"|(?<!\w)'(?:\\.|[^'\\\n])+'|(?P<code>[^\s"'/]+|/|')""", re.DOTALL | re.MULTILINE)
SENTENCE = re.compile(r"[A-Za-z]{2,}[,.:;)\"]* \(?[A-Za-z{]|[}] [a-z]{2,}")
LABEL = re.compile(r"[A-Z][a-z]+")  # in the app alone


def literals(text):
    """(line, literal): literals side by side are one."""
    line, parts = 0, []
    for token in TOKEN.finditer(text):
        said = token.group("raw") if token.group("plain") is None else token.group("plain")
        if said is not None:
            if not parts:
                line = text.count("\n", 0, token.start()) + 1
            parts.append(said if token.group("plain") is None else collect.unquoted(f'"{said}"'))
        elif token.group("code") and parts:
            yield line, "".join(parts)
            parts = []
    if parts:
        yield line, "".join(parts)


def excuses(root):
    file = pathlib.Path(root) / "tests/structure/not_messages.txt"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return [line.split("\t")[:2] for line in lines if line and not line.startswith("#")]


def fits(pattern, shown):
    if len(pattern) > 1 and pattern[0] == pattern[-1] == "/":
        return re.fullmatch(pattern[1:-1], shown) is not None
    return pattern in ("*", shown)


def offences(tree):
    known, excused, used = collect.messages(collect.collected(tree.root)), excuses(tree.root), set()
    found = []
    for file, text in tree.text.items():
        for line, said in literals(text):
            of_person = SENTENCE.search(said) or (file.startswith("app/") and LABEL.fullmatch(said))
            if not of_person or said in known:
                continue
            shown = said.replace("\n", "\\n").replace("\t", "\\t")
            fitting = [at for at, (path, literal) in enumerate(excused)
                       if fnmatch.fnmatch(file, path) and fits(literal, shown)]
            used.update(fitting)
            if not fitting:
                found.append(f"{file}:{line}: not in the catalogue of messages, put it into tr(): {shown}")
    found += [f"tests/structure/not_messages.txt excuses nothing: {excused[at][0]}: {excused[at][1]}"
              for at in range(len(excused)) if at not in used]
    return found


def stale(root):
    template = pathlib.Path(root) / "assets/messages/streamscope.pot"
    # The messages alone: another xgettext may write other marks beside them.
    if collect.messages(template.read_text(encoding="utf-8")) != collect.messages(collect.collected(pathlib.Path(root))):
        return [f"{template}: not as the sources are; ./run messages writes it"]
    return []


def self_test():
    fine = {"engine/base/a.cpp": 'auto a = tr("no such file"); // "in a comment of words"\n#include "not a message"',
            "engine/base/b.cpp": 'const char* key = "wall_ns"; auto b = tr_n("{} copy of it", "{} copies of it", 2, 2);',
            "engine/base/c.h": 'member<&C::c>("c", "ns", "When it began"); auto d = tr("one " "two");',
            "app/cli/d.cpp": 'auto e = "SELECT name FROM spans";',
            "tests/structure/not_messages.txt": "app/cli/d.cpp\t*\tSQL"}
    planted = {"engine/base/e.cpp": 'auto f = fmt::format("{} runs", 3);', "app/draw/f.cpp": 'label("Streams");',
               "kernels/g.cu": 'auto g = R"(a raw one)";', "app/cli/h.cpp": 'auto h = "tr(" "two of them";'}
    with tempfile.TemporaryDirectory() as folder:
        clean = offences(source_tree.SourceTree(source_tree.plant(folder, fine)))
    with tempfile.TemporaryDirectory() as folder:
        unused = {"tests/structure/not_messages.txt": fine["tests/structure/not_messages.txt"] + "\nengine/*\told one\twhy"}
        found = offences(source_tree.SourceTree(source_tree.plant(folder, {**fine, **planted, **unused})))
    places = sorted(line.split(":")[0] for line in found)
    expected = sorted([*planted, "tests/structure/not_messages.txt excuses nothing"])
    if clean or places != expected:
        print("expected one finding in each of", expected, "got", *clean, *found, sep="\n  ")
        return 1
    print(f"{len(found)} planted literals and lines found")
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    found = offences(source_tree.SourceTree(sys.argv[1])) + stale(sys.argv[1])
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


sys.exit(main())

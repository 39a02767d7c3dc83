#!/usr/bin/env python3
"""Links and names in the documents. Prints what is wrong.

    check_links.py ROOT
    check_links.py --self-test

A relative link leads to a file of the repository, and to a heading of it where it names one. A link to elsewhere is only
looked at: nothing is fetched. Each page of docs/ can be reached from README.md. Paths and functions that a page names in
backticks exist, and so do the pages that comments in the sources name. README.md keeps its limits. Pages for users, whom
the package gives `streamscope`, do not write where a build puts it; README.md says that once.
"""
import pathlib
import re
import sys

LINK = re.compile(r"!?\[[^\]]*\]\(([^()\s]+(?:\([^()\s]*\))?)\)")
PATH = re.compile(r"`((?:app|assets|docs|engine|kernels|shaders|tests)(?:/[\w.\-]+)+)`")
STEP = re.compile(r"^\| `([\w/.]+)` \| `(\w+)` \|", re.MULTILINE)
CITED = re.compile(r"\b((?:[\w\-]+/)*[\w\-]+\.md)\b")
MOST_LINES, MOST_COLUMNS, MOST_WORDS = 120, 100, 1200
SOURCES = {".h", ".cuh", ".cpp", ".cu", ".py", ".txt"}


def without_code(text):
    """Blank where code stands: in fences, in indented blocks, in backticks."""
    lines, fenced, before = [], False, ""
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
            line = ""
        elif fenced or (line.startswith("    ") and not before.strip()):
            lines.append("")
            continue
        before = line
        lines.append(re.sub(r"`[^`]*`", "``", line))
    return "\n".join(lines)


def anchors(text):
    """As GitHub makes them: letters in lower case, blanks as dashes, other signs left out; a second one is numbered."""
    found, seen, fenced = set(), {}, False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        heading = re.match(r"#{1,6} (.*)$", line)
        if fenced or not heading:
            continue
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        number = seen.get(anchor, 0)
        seen[anchor] = number + 1
        found.add(f"{anchor}-{number}" if number else anchor)
    return found


def links_of(text):
    plain = without_code(text)
    return [(plain.count("\n", 0, m.start()) + 1, m[1]) for m in LINK.finditer(plain)]


def wrong_links(page, text, read):
    """`read(path)`: the text of a file of the repository, "" of one that is no text or a folder; None: there is none."""
    wrong, reached = [], set()
    for line, target in links_of(text):
        where = f"{page}:{line}: {target}"
        if re.match(r"[a-z]+:", target):
            if not re.fullmatch(r"https://[\w.\-]+(/[^\s]*)?", target):
                wrong.append(f"{where}: is no address that begins with https://")
            continue
        path, _, anchor = target.partition("#")
        to = page
        if path:
            to = normal(pathlib.PurePosixPath(page).parent / path)
        found = None if to is None else read(to)
        if found is None:
            wrong.append(f"{where}: there is no such file")
            continue
        reached.add(to)
        if anchor and anchor not in anchors(found):
            wrong.append(f"{where}: {to} has no such heading")
    return wrong, reached


def normal(path):
    parts = []
    for part in path.parts:
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def wrong_names(page, text, read):
    # NAME stands for what the reader adds.
    wrong = [f"{page}: there is no {path}" for path in PATH.findall(text) if "NAME" not in path and read(path) is None]
    for path, name in STEP.findall(text):
        if "/" in path and not re.search(rf"\b{name}\b", read(path) or ""):
            wrong.append(f"{page}: {path} has no {name}")
    return wrong


def wrong_readme(text):
    wrong = [f"README.md:{i}: over {MOST_COLUMNS} columns" for i, line in enumerate(text.splitlines(), 1) if len(line) > MOST_COLUMNS]
    if len(text.splitlines()) > MOST_LINES:
        wrong.append(f"README.md: over {MOST_LINES} lines")
    if len(text.split()) > MOST_WORDS:
        wrong.append(f"README.md: over {MOST_WORDS} words")
    return wrong


def wrong_commands(page, text):
    if not page.startswith(("README.md", "docs/")) or page == "docs/contributing.md":
        return []
    most = 1 if page == "README.md" else 0
    lines = [i for i, line in enumerate(text.splitlines(), 1) for _ in re.findall(r"\bbuild/streamscope\b", line)]
    return [f"{page}:{line}: write streamscope, as the package has it" for line in lines[most:]]


def wrong_citations(file, text, read):
    """Pages that the comments of a source name: from the top of the repository, or in the source's own folder."""
    wrong = []
    for comment in re.findall(r"//[^\n]*|(?:^|\s)#[^\n]*", text):
        for cited in CITED.findall(comment):
            here = normal(pathlib.PurePosixPath(file).parent / cited)
            if read(cited) is None and read(here) is None:
                wrong.append(f"{file}: names {cited}, which there is not")
    return wrong


def check(pages, sources, read):
    wrong, ways = [], {}
    for page in pages:
        text = read(page)
        bad, ways[page] = wrong_links(page, text, read)
        wrong += bad + wrong_names(page, text, read) + wrong_commands(page, text)
    seen, queue = {"README.md"}, ["README.md"]
    while queue:
        for to in ways.get(queue.pop(), ()):
            if to not in seen:
                seen.add(to)
                queue.append(to)
    wrong += [f"{page}: no page that README.md leads to links to it" for page in pages if page not in seen]
    for file in sources:
        wrong += wrong_citations(file, read(file), read)
    return wrong + wrong_readme(read("README.md"))


def self_test():
    files = {
        "README.md": "# R\n[a](docs/a.md#one-two) [gone](docs/gone.md) [x](http://example.org) [y](https://example.org/y)\n"
                     "`[not](a.md)`\n\n    [nor](this.md)\n",
        "docs/a.md": "# One, two\n[b](#nowhere) [up](../../out.md) ![p](p.png) `engine/gone.cpp`\n| `engine/is.cpp` | `f` |\n"
                     "| `engine/is.cpp` | `g` |\n",
        "docs/orphan.md": "# O\n", "docs/p.png": "", "engine/is.cpp": "int f() {}  // see lost.md and docs/a.md\n"}
    wrong = check(["README.md", "docs/a.md", "docs/orphan.md"], ["engine/is.cpp"], files.get)
    for part in ["docs/gone.md: there is no such file", "http://example.org: is no", "#nowhere: docs/a.md has no",
                 "../../out.md: there is no", "there is no engine/gone.cpp", "engine/is.cpp has no g", "docs/orphan.md: no page",
                 "names lost.md"]:
        assert any(part in each for each in wrong), (part, wrong)
    assert len(wrong) == 8, wrong
    assert len(wrong_commands("README.md", "`build/streamscope`\n    build/streamscope x\n")) == 1
    assert len(wrong_commands("docs/a.md", "build/streamscope")) == 1 and not wrong_commands("docs/a.md", "streamscope")
    assert not wrong_commands("docs/contributing.md", "build/streamscope")
    assert len(wrong_readme("short\n")) == 0 and len(wrong_readme("x" * 101)) == 1
    assert len(wrong_readme("x\n" * 121)) == 1 and len(wrong_readme(("x " * 49 + "\n") * 30)) == 1


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    root = pathlib.Path(sys.argv[1]).resolve()
    texts = {}

    def read(path):
        if path not in texts:
            file = root / path
            try:
                texts[path] = file.read_text() if file.is_file() else "" if file.is_dir() else None
            except UnicodeDecodeError:
                texts[path] = ""
        return texts[path]

    tops = ["app", "assets", "docs", "engine", "kernels", "shaders", "tests"]
    names = [file.relative_to(root).as_posix() for top in tops for file in sorted((root / top).rglob("*")) if file.is_file()]
    # Goldens are output, and the words of lessons are the program's data.
    apart = ("tests/golden/", "tests/support/small_lesson/", "assets/lessons/")
    pages = ["README.md", *(name for name in names if name.endswith(".md") and not name.startswith(apart))]
    sources = [name for name in names if pathlib.PurePosixPath(name).suffix in SOURCES and not name.startswith("tests/docs/")]
    wrong = check(pages, sources, read)
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)


main()

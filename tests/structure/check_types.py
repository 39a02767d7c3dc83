"""Fails where two types have one qualified name, or where a file opens another namespace than its room's.

Two types of one name in one program break the one-definition rule: the linker keeps one of two functions that differ,
and nothing says so. Types in anonymous namespaces and in functions belong to their file alone and do not count. A test
program holds the product and the sources of one folder of tests, so each of these folders is checked together with it.

    check_types.py SOURCE_TREE
    check_types.py --self-test       plants such types and namespaces and expects each to be found
"""
import collections
import pathlib
import re
import sys
import tempfile

import rooms
import source_tree

NAMESPACE = re.compile(r"\bnamespace\b\s*((?:inline\s+)?[\w:]*)\s*$")
TYPE = re.compile(
    r"\b(?:class|struct|union|enum(?:\s+(?:class|struct))?)\s+(?:\[\[[^\]]*\]\]\s*)?(?:alignas\s*\([^)]*\)\s*)?"
    r"([A-Za-z_][\w:]*(?:\s*<[^{;]*>)?)\s*(?:final\s*)?(?::(?!:)[^{;]*)?$")


def types_in(tree, file):
    """(qualified name, line) of each type, and (namespace, line) of each named namespace that is opened."""
    text = re.sub(r"^[ \t]*#.*?(?<!\\)$", "", tree.plain(file), flags=re.MULTILINE)
    scopes, types, namespaces = [], [], []  # a scope: its name, or None where what is in it has no name outside
    begin = 0
    for match in re.finditer(r"[{};]", text):
        head, line = text[begin:match.start()].strip(), text.count("\n", 0, match.start()) + 1
        begin = match.end()
        if match.group(0) == "}":
            if scopes:
                scopes.pop()
            continue
        if match.group(0) == ";":
            continue
        hidden = None in scopes
        if named := NAMESPACE.search(head):
            name = named.group(1).replace("inline", "").strip()
            scopes.append(name or None)
            if name and not hidden:
                namespaces.append(("::".join(scopes), line))
            continue
        named = TYPE.search(head)
        # "struct A f() {" is a function; a parameter list comes after what is no base clause.
        if named and "(" not in re.sub(r"alignas\s*\([^)]*\)", "", head[named.start():]):
            name = re.sub(r"\s+", "", named.group(1))
            scopes.append(name)
            if not hidden:
                types.append(("::".join(scopes), line))
        else:
            scopes.append(None)
    return types, namespaces


def programs(tree):
    """The sources that are linked into one program: the product, and with each folder of tests the product again."""
    product = [file for file in tree.text if not file.startswith("tests/")]
    yield "the program", product
    folders = sorted({str(pathlib.PurePosixPath(file).parent) for file in tree.text if file.startswith("tests/")})
    shared = [file for file in tree.text if re.match(r"tests/support/[^/]*\.h$", file)]
    for folder in folders:
        if folder not in ("tests/support", "tests/bench", "tests/fuzz"):  # there each source is a program of its own
            yield folder, product + shared + [file for file in tree.text
                                              if str(pathlib.PurePosixPath(file).parent) == folder]


def offences(tree):
    found = []
    contents = {file: types_in(tree, file) for file in tree.text}
    reported = set()
    for program, files in programs(tree):
        places = collections.defaultdict(list)
        for file in files:
            for name, line in contents[file][0]:
                places[name].append(f"{file}:{line}")
        for name, where in sorted(places.items()):
            for place in where[1:]:
                if place not in reported:
                    reported.add(place)
                    found.append(f"{place}: {name} is a type at {where[0]}, too ({program})")
    for file in tree.text:
        room = tree.room(file)
        if room is None:
            continue
        expected = "::".join(filter(None, ["streamscope", rooms.NAMESPACES[room]]))
        for name, line in contents[file][1]:
            ours = name == expected or name.startswith(expected + "::")
            other = any(name == "::".join(filter(None, ["streamscope", space])) for space in rooms.NAMESPACES.values())
            declares_only = other and not re.search(r"[({=]", body_of(tree.plain(file), name))
            if name.startswith("streamscope") and not ours and not declares_only:
                found.append(f"{file}:{line}: opens {name}; the namespace of {room} is {expected}")
    return found


def body_of(text, namespace):
    """What stands between the braces of a namespace that holds declarations of types only."""
    match = re.search(rf"namespace {re.escape(namespace)}\s*\{{(.*?)\n\}}", text, re.DOTALL)
    return match.group(1) if match else "("


def self_test():
    fine = {
        "engine/trace/a.h": "namespace streamscope::trace {\nstruct A { struct Part {}; };\nenum class E : int { a };\n"
                            "struct A f() { return {}; }\ntemplate <> struct Of<int> {};\ntemplate <> struct Of<char> {};\n}",
        "engine/trace/b.h": "namespace streamscope::trace {\nstruct B { struct Part {}; };\nstruct A;\n"
                            "namespace {\nstruct Own {};\n}\nvoid g() { struct Local {}; }\n}",
        "engine/trace/c.cpp": "namespace streamscope::trace {\nnamespace {\nstruct Own {};\n}\nvoid h() { struct Local {}; }\n}",
        "engine/output/d.h": "namespace streamscope::trace {\nstruct A;\n}\nnamespace streamscope::output {\nstruct A {};\n}",
        "tests/engine/trace/one_test.cpp": "namespace streamscope::trace {\nnamespace {\nstruct A {};\n}\n}",
    }
    planted = {
        "engine/trace/again.cpp": "namespace streamscope::trace {\nclass A final : public B {\n};\n}",
        "engine/trace/enumerated.h": "namespace streamscope {\nnamespace trace {\nenum E { b };\n}\n}",
        "engine/trace/inner.h": "namespace streamscope::trace {\nstruct B::Part {\n};\n}",
        "engine/output/elsewhere.h": "namespace streamscope::trace {\nint x = 1;\n}",
        "tests/engine/trace/two_test.cpp": "namespace streamscope::trace {\nstruct A { int differs; };\n}",
    }
    with tempfile.TemporaryDirectory() as folder:
        clean = offences(source_tree.SourceTree(source_tree.plant(folder, fine), ("app", "engine", "kernels", "tests")))
    with tempfile.TemporaryDirectory() as folder:
        tree = source_tree.SourceTree(source_tree.plant(folder, {**fine, **planted}),
                                      ("app", "engine", "kernels", "tests"))
        found = offences(tree)
    missing = [file for file in planted if not any(file in line for line in found)]
    if clean or missing:
        print("expected nothing in the clean tree, got", *clean, "not found:", *missing, "found:", *found, sep="\n  ")
        return 1
    print(f"{len(planted)} planted offences found")
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    found = offences(source_tree.SourceTree(sys.argv[1], ("app", "engine", "kernels", "tests")))
    print(*found, sep="\n")
    return 1 if found else 0


sys.exit(main())

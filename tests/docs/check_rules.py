#!/usr/bin/env python3
"""docs/cuda-rules.md against the tests: each case of tests/conformance stands on the page under its rule, each case on the
page exists, and each `Suite.Name` on any page of docs is a test that exists. Prints what is wrong.

    check_rules.py ROOT
    check_rules.py --self-test      a page with a wrong case and a wrong test is seen
"""
import pathlib
import re
import sys

CASE = re.compile(r"[{(]\s*(\d+),\s*((?:\"[^\"\n]*\"\s*)+),")
REFUSED = re.compile(r"\brefused\(((?:\"[^\"\n]*\"\s*)+),")
TEST = re.compile(r"\bTEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)")


def joined(literals):
    return "".join(re.findall(r'"([^"]*)"', literals))


def cases_of(root):
    """{rule: names}, as the sources write them; those of `refused()` are all of the rule of captures."""
    found = {}
    for file in sorted((root / "tests/conformance").glob("*_cases.cpp")):
        text = file.read_text()
        for rule, name in CASE.findall(text):
            found.setdefault(int(rule), set()).add(joined(name))
        for name in REFUSED.findall(text):
            found.setdefault(19, set()).add(joined(name))
    return found


def tests_of(root):
    return {f"{suite}.{name}" for file in (root / "tests").rglob("*.cpp") for suite, name in TEST.findall(file.read_text())}


def wrong_cases(page, cases):
    wrong, on_page, rule = [], {}, 0
    for number, line in enumerate(page.splitlines(), 1):
        if heading := re.match(r"### Rule (\d+)$", line):
            rule = int(heading[1])
        if case := re.match(r'- "(.*)"$', line):
            on_page.setdefault(rule, set()).add(case[1])
            if case[1] not in cases.get(rule, ()):
                wrong.append(f'docs/cuda-rules.md:{number}: rule {rule} has no case "{case[1]}"')
    for rule, names in sorted(cases.items()):
        wrong += [f'docs/cuda-rules.md: under rule {rule} the case "{name}" is missing'
                  for name in sorted(names - on_page.get(rule, set()))]
    return wrong


def wrong_tests(name, page, tests):
    return [f"{name}: there is no test {test}" for test in re.findall(r"`([A-Z]\w+\.[A-Z]\w+)`", page)
            if test not in tests]


def self_test():
    page = '### Rule 1\n- "is there"\n- "is not"\nAlso: `Suite.Is`, `Suite.IsNot`.\n'
    wrong = wrong_cases(page, {1: {"is there", "is left out"}}) + wrong_tests("page", page, {"Suite.Is"})
    assert len(wrong) == 3, wrong


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    root = pathlib.Path(sys.argv[1])
    wrong = wrong_cases((root / "docs/cuda-rules.md").read_text(), cases_of(root))
    tests = tests_of(root)
    for page in sorted((root / "docs").glob("*.md")):
        wrong += wrong_tests(f"docs/{page.name}", page.read_text(), tests)
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)


main()

"""Fails where more than three components include each other in a circle: none of them can be understood alone then.

    check_cycles.py SOURCE_TREE
    check_cycles.py --self-test      plants a circle of four components, one of them through a source without a header
"""
import sys
import tempfile

import source_tree

MOST = 3


def too_large(tree):
    found = []
    for circle in tree.cycles():
        if len(circle) <= MOST:
            continue
        found.append(f"{len(circle)} components include each other, {MOST} are the most:")
        arrows, members = tree.arrows(), set(circle)
        for component in circle:
            for other, through in arrows[component].items():
                if other in members:
                    found.append(f"    {component} -> {other}  ({', '.join(through)})")
    return found


def self_test():
    fine = {"engine/base/a.h": '#include "engine/base/b.h"', "engine/base/b.h": '#include "engine/base/c.h"',
            "engine/base/c.h": "void c();", "engine/base/d.h": "void d();",
            "engine/base/c.cpp": '#include "engine/base/d.h"'}
    # Carries out what d.h declares, so that d includes a; the circle is a -> b -> c -> d -> a.
    planted = {**fine, "engine/base/elsewhere.cpp":
               '#include "engine/base/a.h"\n#include "engine/base/d.h"\nvoid d() {\n}'}
    for files, expected in ((fine, 0), (planted, 4)):
        with tempfile.TemporaryDirectory() as folder:
            tree = source_tree.SourceTree(source_tree.plant(folder, files))
            largest = max([len(circle) for circle in tree.cycles()], default=0)
            if largest != expected or bool(too_large(tree)) != (expected > MOST):
                print(f"expected a circle of {expected}, got {tree.cycles()}")
                return 1
    print("the planted circle of 4 found, and no other")
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    found = too_large(source_tree.SourceTree(sys.argv[1]))
    print(*found, sep="\n")
    return 1 if found else 0


sys.exit(main())

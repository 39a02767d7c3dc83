"""Fails on an include that runs against the grain: a room may include only the rooms named for it in rooms.py.

    check_includes.py SOURCE_TREE
    check_includes.py --self-test      plants wrong includes in a scratch tree and expects each to be found
"""
import re
import sys
import tempfile

import rooms
import source_tree


def wrong_includes(tree):
    found = []
    for file in tree.text:
        room = tree.room(file)
        if room is None:
            found.append(f"{file}:1: no room: name its folder in rooms.py")
            continue
        for line, bracket, target in tree.includes(file):
            place = f"{file}:{line}:"
            if bracket == '"':
                if not (tree.root / target).is_file():
                    found.append(f'{place} "{target}" is no file of the project; write the path from the top')
                    continue
                other = tree.room(target)
                if other != room and other not in rooms.ROOMS[room]:
                    found.append(f"{place} {room} may not include {other} ({target})")
            else:
                for pattern, allowed in rooms.OUTSIDE.items():
                    if re.fullmatch(pattern, target) and room not in allowed:
                        found.append(f"{place} <{target}> belongs in {' and '.join(allowed)} only")
    return found


def self_test():
    planted = {
        "engine/base/up.cpp": '#include "engine/trace/trace.h"',
        "engine/program/sideways.cpp": '#include "engine/trace/trace.h"',
        "engine/output/window.cpp": '#include "app/window/platform/window.h"',
        "app/timeline/gui.cpp": "#include <imgui.h>",
        "engine/trace/gpu.cpp": "#include <cuda_runtime.h>",
        "engine/trace/relative.cpp": '#include "trace.h"',
    }
    fine = {"engine/trace/trace.h": '#include "engine/base/id.h"', "engine/base/id.h": "", "app/window/platform/window.h": ""}
    with tempfile.TemporaryDirectory() as folder:
        found = wrong_includes(source_tree.SourceTree(source_tree.plant(folder, {**planted, **fine})))
    places = {line.split(":")[0] for line in found}
    expected = set(planted)
    if places != expected or len(found) != len(expected):
        print("expected one finding in each of", sorted(expected), "got", *found, sep="\n  ")
        return 1
    print(f"{len(found)} planted includes found")
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    found = wrong_includes(source_tree.SourceTree(sys.argv[1]))
    for line in found:
        print(line)
    return 1 if found else 0


sys.exit(main())

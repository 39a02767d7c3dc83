"""Fails on an include that runs against the grain: a room may include only the rooms named for it below.

    check_includes.py SOURCE_TREE
    check_includes.py --self-test      plants wrong includes in a scratch tree and expects each to be found
"""
import pathlib
import re
import sys
import tempfile

# A room, and the rooms whose headers it may include besides its own. What is not named here is no room.
ROOMS = {
    "engine/base": [],
    "engine/program": ["engine/base"],
    "engine/experiment": ["engine/base", "engine/program"],
    "engine/trace": ["engine/base"],
    "engine/device": ["engine/base", "engine/program", "engine/trace"],
    "engine/device/model": ["engine/base", "engine/program", "engine/trace", "engine/device"],
    "kernels": [],
    "engine/device/cuda": ["engine/base", "engine/program", "engine/trace", "engine/device", "kernels"],
    "engine/device/catalog": ["engine/base", "engine/device", "engine/device/model", "engine/device/cuda"],
    "engine/calibration": ["engine/base", "engine/program", "engine/trace", "engine/device", "engine/device/model"],
    "engine/analysis": ["engine/base", "engine/program", "engine/trace"],
    "engine/output": ["engine/base", "engine/trace", "engine/analysis"],
    "engine/input": ["engine/base", "engine/trace"],
    "engine/remote": ["engine/base", "engine/program", "engine/trace", "engine/device", "engine/device/catalog",
                      "engine/analysis"],
    "app/timeline": ["engine/base", "engine/trace", "engine/analysis"],
    "app/reading": ["engine/base", "engine/trace", "engine/analysis", "engine/output", "app/timeline"],
    "app/draw": ["engine/base", "engine/trace", "engine/analysis", "app/timeline"],
    "app/draw/screen": ["engine/base", "app/timeline"],
    "app/session": ["engine/base", "engine/program", "engine/trace", "engine/device", "engine/remote"],
    "app/cli": ["engine/base", "engine/program", "engine/experiment", "engine/trace", "engine/device",
                "engine/device/catalog", "engine/device/model", "engine/calibration", "engine/analysis", "engine/output",
                "engine/input", "engine/remote", "app/timeline", "app/draw"],
    "app/panels": ["engine/base", "engine/program", "engine/experiment", "engine/trace", "engine/device",
                   "engine/analysis", "engine/input", "engine/remote", "app/timeline", "app/reading", "app/draw",
                   "app/draw/screen", "app/session"],
    "app": ["app/cli", "app/panels"],
}
# Headers of these libraries stay in the rooms that are there for them.
OUTSIDE = {
    r"cuda.*|cupti.*|device_launch.*|cooperative_groups.*": ["kernels", "engine/device/cuda"],
    r"imgui.*|GLFW/.*": ["app/panels"],
    r"glad/.*": ["app/draw/screen", "app/panels"],
    r"cairo.*": ["app/draw"],
    r"uv\.h": ["app/session"],
    r"sqlite3\.h": ["engine/input"],
    r"CLI/.*": ["app/cli"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def room_of(path):
    """The deepest room that holds the path, or none."""
    for parent in [path, *path.parents]:
        if parent.as_posix() in ROOMS:
            return parent.as_posix()
    return None


def wrong_includes(tree):
    found = []
    for top in ("engine", "app", "kernels"):
        for file in sorted((tree / top).rglob("*")):
            if file.suffix not in (".h", ".cpp", ".cu", ".cuh"):
                continue
            here = file.relative_to(tree)
            room = room_of(here.parent)
            if room is None:
                found.append(f"{here}:1: no room: name its folder in check_includes.py")
                continue
            for number, line in enumerate(file.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                bracket, target = match.groups()
                place = f"{here}:{number}:"
                if bracket == '"':
                    if not (tree / target).is_file():
                        found.append(f'{place} "{target}" is no file of the project; write the path from the top')
                        continue
                    other = room_of(pathlib.PurePosixPath(target).parent)
                    if other != room and other not in ROOMS[room]:
                        found.append(f"{place} {room} may not include {other} ({target})")
                else:
                    for pattern, rooms in OUTSIDE.items():
                        if re.fullmatch(pattern, target) and room not in rooms:
                            found.append(f"{place} <{target}> belongs in {' and '.join(rooms)} only")
    return found


def self_test():
    planted = {
        "engine/base/up.cpp": '#include "engine/trace/trace.h"',
        "engine/program/sideways.cpp": '#include "engine/trace/trace.h"',
        "engine/output/window.cpp": '#include "app/panels/window.h"',
        "app/timeline/gui.cpp": "#include <imgui.h>",
        "engine/trace/gpu.cpp": "#include <cuda_runtime.h>",
        "engine/trace/relative.cpp": '#include "trace.h"',
    }
    fine = {"engine/trace/trace.h": '#include "engine/base/id.h"', "engine/base/id.h": "", "app/panels/window.h": ""}
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        for top in ("engine", "app", "kernels"):
            (tree / top).mkdir()
        for name, text in {**planted, **fine}.items():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_text(text + "\n")
        found = wrong_includes(tree)
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
    found = wrong_includes(pathlib.Path(sys.argv[1]))
    for line in found:
        print(line)
    return 1 if found else 0


sys.exit(main())

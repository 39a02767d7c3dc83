"""Fails where a room that is to compile anywhere, for WebAssembly one day, reaches threads, files or the system; and
where the time of day is read for anything but a date: a clock that is set back must move no deadline and no order.

Includes are followed: what a header of another room includes counts as well.

    check_reach.py SOURCE_TREE
    check_reach.py --self-test       plants such includes, straight and through another room, and expects each to be found
"""
import re
import sys
import tempfile

import rooms
import source_tree

REFUSED = re.compile(r"thread|mutex|shared_mutex|condition_variable|future|stop_token|semaphore|latch|barrier|filesystem|"
                     r"fstream|unistd\.h|fcntl\.h|sys/.*|csignal|signal\.h|pthread\.h")

TIME_OF_DAY = re.compile(r"\bsystem_clock\b|\bhigh_resolution_clock\b|\bCLOCK_REALTIME\b|\bgettimeofday\b|\btime\(nullptr\)")
DATES = "engine/base/time.cpp"


def times_of_day(tree):
    return [f"{file}:{number}: {use}; host_now() is for all but dates"
            for file in tree.text if file != DATES
            for number, line in enumerate(tree.plain(file).splitlines(), 1) for use in TIME_OF_DAY.findall(line)]


def offences(tree):
    found = times_of_day(tree)
    for file in tree.text:
        if tree.room(file) not in rooms.PORTABLE:
            continue
        way, queue = {file: None}, [file]
        while queue:
            here = queue.pop(0)
            for line, bracket, target in tree.includes(here):
                if bracket == "<" and REFUSED.fullmatch(target):
                    steps, at = [], here
                    while at is not None:
                        steps.append(at)
                        at = way[at]
                    through = f" (through {' <- '.join(steps)})" if len(steps) > 1 else ""
                    found.append(f"{file}: <{target}> at {here}:{line}{through}")
                elif bracket == '"' and target in tree.text and target not in way:
                    way[target] = here
                    queue.append(target)
    return found


def self_test():
    fine = {"engine/trace/a.h": '#include "engine/base/c.h"\n#include <atomic>', "engine/base/c.h": "",
            "engine/base/files.h": "#include <filesystem>", "engine/remote/r.cpp": "#include <thread>  // no system_clock",
            "engine/base/time.cpp": "std::time(nullptr);"}
    planted = {
        "engine/program/straight.cpp": "#include <mutex>",
        "app/timeline/through.h": '#include "engine/trace/way.h"',
        "engine/trace/way.h": '#include "engine/base/files.h"',
        "engine/device/model/system.cpp": "#include <sys/mman.h>",
        "engine/analysis/stop.cpp": "#include <stop_token>",
        "app/session/clock.cpp": "const auto now = std::chrono::system_clock::now();",
    }
    with tempfile.TemporaryDirectory() as folder:
        clean = offences(source_tree.SourceTree(source_tree.plant(folder, fine)))
    with tempfile.TemporaryDirectory() as folder:
        found = offences(source_tree.SourceTree(source_tree.plant(folder, {**fine, **planted})))
    places = sorted(line.split(":")[0] for line in found)
    if clean or places != sorted(planted):
        print("expected one finding in each of", sorted(planted), "got", *clean, *found, sep="\n  ")
        return 1
    print(f"{len(found)} planted mistakes found")
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    found = offences(source_tree.SourceTree(sys.argv[1]))
    print(*found, sep="\n")
    return 1 if found else 0


sys.exit(main())

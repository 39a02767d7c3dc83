#!/usr/bin/env python3
"""Whether generated programs see mistakes: each patch of this folder plants one.

    python3 tests/mutants/plant.py [--programs N] [--jobs N] [PATCH...]

build/generated_programs must have been built (`ninja -C build generated_programs`). A patch is applied to a copy of the
sources in build/mutants; what it changes is compiled anew, without optimisation, and linked with the rest. A line says of
each patch which property saw it. The exit code is 1 where more than one in twenty is not seen, or one does not apply any
more. It takes most of a minute of processor time for each, too long for every day.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
SOURCES = ["engine", "kernels", "tests/generated"]


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def ninja(*arguments):
    return run(["ninja", "-C", str(BUILD), "-t", *arguments], check=True).stdout


def objects_by_source():
    """Each file below the root, with the objects that are compiled from it or include it."""
    found, current = {}, None
    for line in ninja("deps").splitlines():
        if line and not line.startswith(" "):
            current = line.split(":")[0]
        elif line.strip():
            path = os.path.normpath(BUILD / line.strip())
            found.setdefault(path, []).append(current)
    return found


def libraries(link):
    return re.findall(r"\S+/libstreamscope_\w+\.a", link)


class Planter:
    def __init__(self, programs):
        self.programs = programs
        self.objects = objects_by_source()
        self.link = ninja("commands", "-s", "generated_programs").strip().splitlines()[-1]

    def compile(self, object_, copy, out):
        command = ninja("commands", "-s", object_).strip().splitlines()[-1]
        source = re.search(r" -c (\S+)", command).group(1)
        text = Path(source).read_text() if "/Unity/" in source else f'#include "{source}"\n'
        here = out.with_suffix(".cpp")
        here.write_text(text.replace(f"{ROOT}/", f"{copy}/"))
        command = command.replace(f" -c {source}", f" -c {here}")
        command = re.sub(r" -o \S+", f" -o {out}", command)
        command = re.sub(r" -M(MD|T \S+|F \S+)", "", command)
        command = re.sub(r" -include \S+cmake_pch\S+| -Winvalid-pch| -Werror", "", command)
        command = re.sub(r" -O\d", "", command).replace(f"-I{ROOT} ", f"-I{copy} ") + " -O0"
        return run(command, shell=True, cwd=BUILD)

    def plant(self, patch):
        work = BUILD / "mutants" / patch.stem
        shutil.rmtree(work, ignore_errors=True)
        copy = work / "source"
        for folder in SOURCES:
            shutil.copytree(ROOT / folder, copy / folder)
        applied = run(["patch", "-p1", "-s", "--fuzz=0", "-d", str(copy), "-i", str(patch)])
        if applied.returncode != 0:
            return None, "does not apply any more: " + applied.stdout.strip()
        link = re.sub(r" -o \S+", f" -o {work}/generated_programs", self.link, count=1)
        changed = re.findall(r"^\+\+\+ b/(\S+)", patch.read_text(), re.M)
        affected = sorted({each for path in changed for each in self.objects.get(str(ROOT / path), [])})
        for library in libraries(self.link):
            folder = f"{os.path.dirname(library)}/CMakeFiles/{Path(library).stem.removeprefix('lib')}.dir/"
            mine = [each for each in affected if each.startswith(folder)]
            if not mine:
                continue
            shutil.copy(BUILD / library, work)
            for number, each in enumerate(mine):
                out = work / str(number) / os.path.basename(each)
                out.parent.mkdir()
                compiled = self.compile(each, copy, out)
                if compiled.returncode != 0:
                    return None, "does not compile: " + compiled.stderr[:2000]
                run(["ar", "r", str(work / os.path.basename(library)), str(out)], check=True)
            link = link.replace(f" {library}", f" {work}/{os.path.basename(library)}")
        linked = run(link, shell=True, cwd=BUILD)
        if linked.returncode != 0:
            return None, "does not link: " + linked.stderr[:2000]
        ran = run(["nice", str(work / "generated_programs"), "--count", str(self.programs), "--most", "1"])
        shutil.rmtree(work)
        if ran.returncode == 0:
            return False, f"not seen by {self.programs} programs"
        seen = re.search(r"seed \d+ breaks \"\w+\"|over all: .*|This took more than \d+ s", ran.stdout + ran.stderr)
        return True, seen.group(0) if seen else f"the process ended with {ran.returncode}"


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--programs", type=int, default=1500)
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options.add_argument("patches", nargs="*", type=Path)
    given = options.parse_args()
    patches = sorted(given.patches or Path(__file__).parent.glob("*.patch"))
    clean = run([str(BUILD / "generated_programs"), "--count", str(given.programs), "--most", "1"])
    if clean.returncode != 0:
        sys.exit("plant: the sources as they are break a property:\n" + clean.stdout)
    planter, seen, wrong = Planter(given.programs), 0, False
    with ThreadPoolExecutor(given.jobs) as pool:
        for patch, (is_seen, what) in zip(patches, pool.map(lambda each: planter.plant(each.resolve()), patches)):
            print(f"{patch.stem}: {what}", flush=True)
            seen += is_seen is True
            wrong |= is_seen is None
    print(f"{seen} of {len(patches)} seen")
    sys.exit(1 if wrong or 20 * seen < 19 * len(patches) else 0)


main()

#!/usr/bin/env python3
"""Whether mistakes are seen: each patch of this folder plants one.

    ninja -C build generated_programs damaged_files test_engine_input test_engine_remote
    python3 tests/mutants/plant.py [--programs N] [--jobs N] [PATCH...]

Generated programs must see a mistake of the checker, the model or the verdict. Where another program must, the patch's
first lines say how that is started in the root of the sources, each in a line of its own:

    Seen by: damaged_files . --few

A patch is applied to a copy of the sources in build/mutants; what it changes is compiled anew, without optimisation, and
linked with the rest. A line says of each patch what saw it. The exit code is 1 where more than one in twenty is not seen,
or one does not apply any more. It takes most of a minute of processor time for each, too long for every day.
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
SECONDS = 600  # a program that takes longer is held up by the mistake
# What a program prints of the first thing that is wrong: a property, a damaged file, a test.
SEEN = re.compile(r"seed \d+ breaks \"\w+\"|over all: .*|This took more than \d+ s|^  .+: '[schn]', .*|"
                  r"^.+: the file itself cannot be read.*|^.+ \d+ +(crash|hang) .*|^.+ TOO MUCH MEMORY|"
                  r"^\[  FAILED  \] \S+", re.M)


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


def commands(patch, programs):
    """What must see it."""
    named = re.findall(r"^Seen by: (.+)", patch.read_text().split("\n--- ")[0], re.M)
    return [each.split() for each in named] or [["generated_programs", "--count", str(programs), "--most", "1"]]


class Planter:
    def __init__(self, programs):
        self.programs = programs
        self.objects = objects_by_source()

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
        changed = re.findall(r"^\+\+\+ b/(\S+)", patch.read_text(), re.M)
        affected = sorted({each for path in changed for each in self.objects.get(str(ROOT / path), [])})
        objects = {}
        unseen = []
        for program, *arguments in commands(patch, self.programs):
            wrong = self.build(program, affected, objects, copy, work)
            if wrong:
                return None, wrong
            what = self.what_it_sees([str(work / program), *arguments])
            if what:
                shutil.rmtree(work)
                return True, what if program == "generated_programs" else f"{program}: {what}"
            unseen.append(" ".join([program, *arguments]))
        shutil.rmtree(work)
        return False, "not seen by " + " nor ".join(unseen)

    def build(self, program, affected, objects, copy, work):
        """The program with the mistake, in `work`; what is wrong, if it cannot be made."""
        link = ninja("commands", "-s", program).strip().splitlines()[-1]
        link = re.sub(r" -o \S+", f" -o {work}/{program}", link, count=1)
        for library in libraries(link):
            folder = f"{os.path.dirname(library)}/CMakeFiles/{Path(library).stem.removeprefix('lib')}.dir/"
            mine = [each for each in affected if each.startswith(folder)]
            if not mine:
                continue
            made = work / os.path.basename(library)
            if not made.exists():
                shutil.copy(BUILD / library, work)
            for each in mine:
                if each in objects:
                    continue
                out = objects[each] = work / str(len(objects)) / os.path.basename(each)
                out.parent.mkdir()
                compiled = self.compile(each, copy, out)
                if compiled.returncode != 0:
                    return "does not compile: " + compiled.stderr[:2000]
                run(["ar", "r", str(made), str(out)], check=True)
            link = link.replace(f" {library}", f" {made}")
        if not objects:
            return f"changes nothing of {program}"
        linked = run(link, shell=True, cwd=BUILD)
        return "does not link: " + linked.stderr[:2000] if linked.returncode != 0 else None

    def what_it_sees(self, command):
        try:
            assets = {**os.environ, "STREAMSCOPE_ASSETS": str(ROOT / "assets")}
            ran = run(["nice", *command], cwd=ROOT, timeout=SECONDS, env=assets)
        except subprocess.TimeoutExpired:
            return f"no end within {SECONDS} s"
        if ran.returncode == 0:
            return None
        seen = SEEN.search(ran.stdout + ran.stderr)
        if seen:
            return seen.group(0).strip()
        tests = re.findall(r"^\[ RUN      \] \S+", ran.stdout, re.M)
        return f"the process ended with {ran.returncode}" + (f" in {tests[-1]}" if tests else "")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--programs", type=int, default=1500)
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options.add_argument("patches", nargs="*", type=Path)
    given = options.parse_args()
    patches = sorted(given.patches or Path(__file__).parent.glob("*.patch"))
    planter, seen, wrong = Planter(given.programs), 0, False
    # Where the mutants run, too, so that none is seen for its place alone.
    place = BUILD / "mutants" / "none"
    place.mkdir(parents=True, exist_ok=True)
    for program, *arguments in sorted({tuple(each) for patch in patches for each in commands(patch, given.programs)}):
        shutil.copy(BUILD / program, place)
        what = planter.what_it_sees([str(place / program), *arguments])
        if what:
            sys.exit(f"plant: {program} sees something in the sources as they are: {what}")
    with ThreadPoolExecutor(given.jobs) as pool:
        for patch, (is_seen, what) in zip(patches, pool.map(lambda each: planter.plant(each.resolve()), patches)):
            print(f"{patch.stem}: {what}", flush=True)
            seen += is_seen is True
            wrong |= is_seen is None
    print(f"{seen} of {len(patches)} seen")
    sys.exit(1 if wrong or 20 * seen < 19 * len(patches) else 0)


main()
